import Appearance
import Configuration
import Dashboard
import Vitals

// The effects of keys on the page.
extension SetupScreen {
    /// Handles a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: What the program must do; `nil` for nothing.
    public mutating func keyPressed(_ key: Key) -> Wish? {
        message = nil
        if prompt != nil {
            type(key)
            return nil
        }
        if asksToQuit {
            asksToQuit = false
            return key == .character("y") ? .quit : nil
        }
        switch key {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: move(by: -8)
        case .pageDown: move(by: 8)
        case .home: move(by: -rows.count)
        case .end: move(by: rows.count)
        case .left: step(by: -1)
        case .right, .character(" "): step(by: 1)
        case .enter: return enterPressed()
        case .tab: if ![.profile, .start, .review].contains(state.step) { answer() } else { skip() }
        case .character("s"): skip()
        case .character("a") where state.step == .sensors: chooseAll()
        case .character("b"), .escape, .backspace: back()
        case .character("q"):
            if writesNothing, touched.isEmpty, chosen.isEmpty { return .quit }
            asksToQuit = true
        default: break
        }
        return nil
    }

    private mutating func move(by count: Int) {
        let last = rows.count - 1
        selection = min(max(0, min(selection, last) + count), last)
    }

    private mutating func enterPressed() -> Wish? {
        switch selected {
        case .check, .line: move(by: 1)
        case .lookAgain: return .look
        case .playTone: return .playTone
        case .ringBell: return .ringBell
        case .profile(let profile): answer(SetupAnswer(values: profile.values, profile: profile))
        case .start(let start): answer(SetupAnswer(start: start))
        case .next: answer()
        case .leave: skip()
        case .write: return writesNothing ? .quit : .write
        case .sensor(let address):
            prompt = TextPrompt("Name", text: sensor(address)?.label ?? "", limit: RememberedSensor.labelLimit)
        case .field(let field):
            guard let item = item(field), !isChoice(item) else {
                move(by: 1)
                return nil
            }
            prompt = TextPrompt(title(of: field), text: typedText(of: field), limit: 64)
        }
        return nil
    }

    /// Whether the values of a setting are chosen rather than typed; limits can only be switched off by typing the
    /// word.
    func isChoice(_ item: SettingItem) -> Bool { item.isChoice && item.hasSteps }

    /// The value of a setting in its typed form.
    private func typedText(of field: SetupField) -> String { item(field)?.value ?? "" }

    /// Changes the selected row by a step or a choice.
    private mutating func step(by count: Int) {
        switch selected {
        case .field(let field):
            guard let item = item(field), item.hasSteps else {
                message = "This is typed: press Enter."
                return
            }
            change(field, .step(count))
        case .sensor(let address): choose(address) { $0.isWanted = $0.isWanted != true }
        default: break
        }
    }

    private mutating func change(_ field: SetupField, _ change: SettingChange) {
        var changed = desk
        do throws(ConfigurationError) {
            for name in field.settings { try changed.change(name, change) }
        } catch {
            message = plain(error.reason)
            return
        }
        desk = changed
        touched.formUnion(field.settings)
    }

    /// Chooses all sensors that are heard, and goes to the end of the step.
    private mutating func chooseAll() {
        for sensor in heard { choose(sensor.identity.address) { $0.isWanted = true } }
        move(by: rows.count)
    }

    private mutating func choose(_ address: String, _ change: (inout RememberedSensor) -> Void) {
        var sensor =
            sensor(address)
            ?? heard.first { $0.identity.address == address }.map { heard in
                RememberedSensor(
                    address: address, name: heard.identity.name, kind: heard.identity.kind, isWanted: nil)
            }
        guard sensor != nil else { return }
        if var changed = sensor {
            change(&changed)
            sensor = changed
        }
        chosen[address] = sensor
    }

    private mutating func type(_ key: Key) {
        guard var prompt else { return }
        switch prompt.keyPressed(key == .tab ? .enter : key) {
        case .cancelled: self.prompt = nil
        case .edited, .ignored: self.prompt = prompt
        case .accepted:
            switch selected {
            case .sensor(let address):
                choose(address) { sensor in
                    sensor.isWanted = true
                    sensor.setLabel(prompt.text)
                }
            case .field(let field):
                // An empty input for a number changes nothing; a label can be removed.
                let mayBeEmpty = SettingTable.setting(named: field.settings[0])?.defaultValue == .text("")
                if !prompt.text.isEmpty || mayBeEmpty { change(field, .text(prompt.text)) }
                // The line stays until the value is allowed.
                if message != nil {
                    self.prompt = prompt
                    return
                }
            default: break
            }
            self.prompt = nil
            move(by: 1)
        }
    }
}
