import Appearance
import Base
import Configuration
import Dashboard
import Doctor
import Vitals

// The texts of the page.
extension SetupScreen {
    /// The title of the step.
    var title: String { isTrial && state.step == .review ? "What would be written" : state.step.title }

    /// What stands in yellow from the step about alarms on, until a tone was played; empty otherwise.
    var soundWarning: String {
        !hasSounded && state.step.rawValue >= SetupStep.alarms.rawValue ? "NO SOUND HEARD YET" : ""
    }

    /// The introduction of the step, in sentences.
    var introduction: String {
        switch state.step {
        case .look:
            guard let checks else { return "Looking at this computer\(glyphs.ellipsis)" }
            let worst = checks.map(\.verdict).max() ?? .ok
            let skipping =
                isFirstStart
                ? "This is the first start: nine short steps, each can be skipped, then the screen; q goes there at once. "
                    + "Bedside is not a medical device."
                : "Nothing is written before the last step; every step can be skipped and taken back."
            return switch worst {
            case .skipped, .ok: "This computer has all that Bedside needs. \(skipping)"
            case .advice: "Bedside works here, and could work better. \(skipping)"
            case .trouble where isTrial: "Something is missing for real sensors. This trial needs none of it: go on."
            case .trouble:
                "Something is missing. Type the command shown below in another terminal, then look again."
                    + (isFirstStart ? " \(skipping)" : "")
            }
        case .sensors:
            if let searchTrouble { return searchTrouble }
            return addressesAreEmpty
                ? "Looking for sensors\(glyphs.ellipsis) Put them on: most straps wake up only when worn. Close their phone apps."
                : "Choose those that belong to this bed, and name them if you like. They are connected when Bedside starts."
        case .patient: return "What the screen calls this bed. No name of a person is needed."
        case .units: return "The units that you are used to."
        case .profile: return "For whom are the limits of the alarms? They can be changed at any time."
        case .limits:
            var text =
                state.profile == .child
                ? "Type the numbers of your doctor or ward: Bedside knows none for children. Those shown are NOT a child's."
                : "An alarm comes beyond these. Change them only if your doctor or ward has told you others."
            if changedLimits > 0 {
                text += " \(changedLimits) changed on the monitor's own page of limits (l) hold before these."
            }
            return text
        case .alarms: return "How alarms reach you besides this screen. Try it: an alarm must be heard."
        case .start: return "Should a monitor run in the background without being started?"
        case .review:
            if state.changesNothing { return "Nothing was changed, so nothing will be written." }
            return isTrial
                ? "This would be written, with explanations. It is a trial: nothing will be."
                : "This will be written, with explanations. Is it right?"
        }
    }

    private var addressesAreEmpty: Bool { state.remembered.isEmpty && heard.isEmpty }

    /// All about the selected row, in sentences.
    var details: [String] {
        switch selected {
        case .check(let check): [check.finding] + (check.remedy.map { ["\(glyphs.arrow) \($0)"] } ?? [])
        case .lookAgain: ["Looks again, after you have done what helps."]
        case .sensor(let address): [sensorDetails(address)]
        case .field(let field): item(field).map { [fieldDetails($0, field)] } ?? []
        case .profile(let profile): [profile.explanation]
        case .start(let start): [start.explanation] + (commands[start] ?? []).map { "\(glyphs.arrow) \($0)" }
        case .playTone: ["A tone by the computer's loudspeaker. If you do not hear it, turn it up and try again."]
        case .ringBell: ["The bell of this terminal, which rings where no loudspeaker works."]
        case .line(let line): [line]
        case .write:
            [writesNothing ? "Ends." : "Writes it, and ends. Ctrl-C or q ends without writing anything."]
        case .next, .leave: []
        }
    }

    private func sensorDetails(_ address: String) -> String {
        let heard = heard.first { $0.identity.address == address }
        var parts = [(heard?.identity.kind ?? sensor(address)?.kind ?? .other).text, address]
        if let strength = heard?.strength {
            parts.append("\(strength < 0 ? glyphs.minus : "")\(strength.magnitude) dBm")
        }
        if heard == nil { parts.append("not heard now") }
        if heard?.isTaken == true { parts.append("connected by another program") }
        return parts.joined(separator: glyphs.dot)
    }

    private func fieldDetails(_ item: SettingItem, _ field: SetupField) -> String {
        let usual = field.title == nil || state.profile != .child ? " Usually: \(item.usual)." : ""
        // The doctor's findings about desktop and sound.
        let name = ["alarms.notifications": "notifications", "alarms.speakers": "sound"][item.name]
        let found = checks?.first { $0.name == name }.map { "\($0.finding) " } ?? ""
        return "\(found)\(item.explanation) Allowed: \(item.expectation).\(usual)"
    }

    /// A sentence with the names of settings on the page instead of those in the file.
    func plain(_ reason: String) -> String {
        SetupField.limits.reduce(reason) { text, field in
            field.settings.reduce(text) { $0.exchanging("\($1):", for: "\(title(of: field)):") }
        }
    }

    func title(of field: SetupField) -> String { field.title ?? item(field)?.title ?? field.settings[0] }

    func text(of row: Row) -> (name: String, value: String) {
        switch row {
        case .check(let check): (check.verdict == .trouble ? "\(check.name): trouble" : check.name, check.finding)
        case .lookAgain: ("Look again", "")
        case .sensor(let address): sensorText(address)
        case .field(let field): (title(of: field), item(field)?.shownValue ?? "")
        case .profile(let profile): (profile.title, "")
        case .start(let start): (start.title, "")
        case .playTone: ("Play a tone", "")
        case .ringBell: ("Ring the bell", "")
        case .line(let line): (line, "")
        case .write: (writesNothing ? "End" : "Write it", "")
        case .next: ("Go on", "")
        case .leave: (state.step == .start ? "No, or as it is now" : "Leave the limits as they are", "")
        }
    }

    private func sensorText(_ address: String) -> (name: String, value: String) {
        let sensor = sensor(address)
        let heard = heard.first { $0.identity.address == address }
        let own = heard?.identity.name ?? sensor?.name ?? address
        let mark = sensor?.isWanted == true ? "[x]" : "[ ]"
        guard let label = sensor?.label else { return ("\(mark) \(own)", heard?.identity.kind.text ?? "not heard now") }
        return ("\(mark) \(label)", own)
    }

    /// The keys that have an effect now, the most important first.
    var keys: [(name: String, label: String)] {
        if asksToQuit { return [("y", "leave, write nothing"), ("n", "stay")] }
        var keys: [(name: String, label: String)] =
            switch selected {
            case .sensor: [("Space", "choose"), ("a", "all"), ("Enter", "name")]
            case .field(let field):
                item(field).map(isChoice) ?? true
                    ? [(glyphs.leftRight, "change"), ("Enter", "next")] : [("Enter", "type")]
            case .check, .line: []
            case .lookAgain, .playTone, .ringBell: [("Enter", "do it")]
            case .profile, .start, .leave: [("Enter", "take this")]
            case .next: [("Enter", "go on")]
            case .write: [("Enter", writesNothing ? "end" : "write")]
            }
        if ![.next, .leave, .write, .profile(.adult)].contains(selected), state.step != .review, state.step != .profile,
            state.step != .start
        {
            keys.append(("Tab", "go on"))
        }
        keys.append((glyphs.upDown, "move"))
        if state.step != .review { keys.append(("s", "skip")) }
        if state.step != .look { keys.append(("b", "back")) }
        return keys + [("q", isFirstStart ? "to the screen" : "quit")]
    }
}
