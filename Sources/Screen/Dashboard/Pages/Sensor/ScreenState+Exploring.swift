import Appearance
import Base
import Monitoring
import VitalDecoders
import Vitals
import Wording

// The user's attempts on the characteristics of the device whose page is open.
extension ScreenState {
    /// Asks what to do with a characteristic.
    mutating func askWhatToExplore(_ number: Int?, in state: MonitorState) {
        guard let inspection = inspection(in: state) else {
            dialogs.message = "Its characteristics are known once it is connected."
            return
        }
        guard let number, let selected = inspection.characteristic(number) else {
            dialogs.message = "Select a characteristic first: \(keys.name(of: .nextCharacteristic))."
            return
        }
        let uuid = sanitized(selected.uuid, limit: 40)
        let address = inspection.address
        func command(_ exploration: Exploration) -> ScreenWish {
            .sensor(.explore(address: address, characteristic: number, exploration))
        }
        let answers = selected.offered.map { kind in
            switch kind {
            case .read: Choice.Answer("r", "read", command(.read))
            case .subscribe: Choice.Answer("s", "subscribe", command(.subscribe))
            case .write: Choice.Answer("w", "write", next: .octets)
            case .writeWithoutResponse: Choice.Answer("n", "write without response", next: .octets)
            }
        }
        guard !answers.isEmpty else {
            dialogs.message = "\(uuid): there is nothing to read or to subscribe to, and nothing may be written."
            return
        }
        let isWritable = selected.properties.contains { $0.hasPrefix("write") }
        let isRefused = isWritable && !selected.offered.contains { $0 == .write || $0 == .writeWithoutResponse }
        dialogs.ask(
            .choice(Choice("\(uuid): do what?", answers)),
            isRefused ? "Nothing is written to what controls a device that measures or treats a patient." : nil)
    }

    /// Asks for the octets, if the answer was to write.
    mutating func askForOctets(_ key: Unicode.Scalar, in state: MonitorState) {
        guard let inspection = inspection(in: state), let number = pages[SensorPage.self].characteristic else { return }
        let title = "Octets for \(sanitized(inspection.characteristic(number)?.uuid ?? "", limit: 40)), in hexadecimal"
        dialogs.ask(
            .octets(
                address: inspection.address, characteristic: number, withResponse: key == "w",
                TextPrompt(title, limit: 3 * CharacteristicOctets.limit)),
            "Writing may change how the device works. Write only what you know.")
    }

    /// Handles a key while octets are typed.
    mutating func keyPressed(
        _ key: Key, in prompt: TextPrompt, writingTo number: Int, of address: String, _ withResponse: Bool
    ) -> ScreenWish? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted:
            guard let octets = try? Hexadecimal.octets(prompt.text.utf8), !octets.isEmpty,
                octets.count <= CharacteristicOctets.limit
            else {
                dialogs.explain("Not written: expected pairs of hexadecimal digits, such as 01 A0.")
                return nil
            }
            dialogs.closeInputLine()
            return .sensor(
                .explore(address: address, characteristic: number, .write(octets, withResponse: withResponse)))
        case .cancelled: dialogs.closeInputLine()
        case .edited, .ignored:
            dialogs.update(.octets(address: address, characteristic: number, withResponse: withResponse, prompt))
        }
        return nil
    }

    /// The inspection of the device whose page is open; `nil` before its services are known.
    func inspection(in state: MonitorState) -> SensorInspection? {
        guard let inspection = state.inspection, inspection.address == list.selection, !inspection.services.isEmpty
        else { return nil }
        return inspection
    }
}
