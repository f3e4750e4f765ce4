import Base
import Monitoring
import Vitals

/// Why Bluetooth cannot be used, and the remedy.
package struct EnvironmentWarning: Hashable {
    /// The problem, short enough for the alarm line.
    package var title: String
    /// The problem, as part of a line.
    package var text: String
    /// The problem, in a sentence.
    package var sentence: String
    /// The remedy: a command or an action.
    package var remedy: String
    /// The alarm about it.
    package var kind: AlarmKind

    /// The problem and the remedy in one line, for journals and standard error.
    package var line: String { "\(title): \(sentence) Try: \(remedy)" }

    /// Finds the problem of a monitor; `nil` when there is none or it is unknown.
    ///
    /// Simulated sensors are offered only when no sensors are known, so that no made-up numbers appear beside a patient.
    ///
    /// - Parameter powerKey: The name of the key that switches the adapter on; `nil` where there is none.
    package init?(_ state: borrowing MonitorState, powerKey: String? = nil) {
        self.init(state.environment, powerKey: powerKey, offersSimulation: !state.knowsSensors)
    }

    /// Finds the problem; `nil` when there is none or it is unknown.
    ///
    /// - Parameters:
    ///   - powerKey: The name of the key that switches the adapter on; `nil` where there is none.
    ///   - offersSimulation: Whether simulated sensors are among the remedies.
    package init?(_ environment: MonitorEnvironment, powerKey: String? = nil, offersSimulation: Bool = false) {
        switch environment.bus {
        case nil, .connected: break
        case .silent:
            self.init(
                .busSilent, "BUS DOES NOT ANSWER", "the message bus does not answer",
                "The message bus does not answer: no value comes through it. \(Self.late)",
                "wait; if it lasts, restart the computer")
            return
        case .lost(let reason):
            self.init(
                .busLost, "NO MESSAGE BUS", "no message bus", sanitized(reason, limit: 160),
                "sudo systemctl start dbus")
            return
        case .foreign(let isMarked):
            self.init(
                .busLost, "ANOTHER MESSAGE BUS", "another message bus",
                "Nothing is taken in: \(BusState.foreignText(isMarked: isMarked)).", "start Bedside anew")
            return
        }
        switch environment.daemon {
        case nil, .running: break
        case .silent:
            self.init(
                .daemonSilent, "BLUETOOTH DOES NOT ANSWER", "Bluetooth does not answer",
                "The Bluetooth service (bluetoothd) does not answer: no value comes from it. \(Self.late)",
                "sudo systemctl restart bluetooth")
            return
        case .gone:
            self.init(
                .daemonGone, "BLUETOOTH NOT RUNNING", "Bluetooth is not running",
                "The Bluetooth service (bluetoothd) is not running.",
                "sudo systemctl start bluetooth")
            return
        case .unusable(let reason):
            self.init(
                .daemonGone, "BLUETOOTH DOES NOT ANSWER", "Bluetooth does not answer", sanitized(reason, limit: 160),
                "sudo systemctl restart bluetooth")
            return
        case .refused(let reason):
            self.init(
                .daemonGone, "BLUETOOTH REFUSES US", "Bluetooth refuses us", sanitized(reason, limit: 160),
                "sudo usermod -aG bluetooth $USER, then log in anew")
            return
        }
        guard let adapter = environment.adapter else { return nil }
        let name = adapter.identifier.map { " \($0)" } ?? ""
        let powerOn = powerKey.map { "press \($0) to switch it on, or: " } ?? ""
        switch adapter.power {
        case .ready: return nil
        case .off where adapter.isSwitchedOffByUs:
            self.init(
                .adapterOff, "BLUETOOTH IS OFF", "Bluetooth is off",
                "You switched the Bluetooth adapter\(name) off here.",
                powerOn + "bluetoothctl power on")
        case .off:
            self.init(
                .adapterOff, "BLUETOOTH IS OFF", "Bluetooth is off",
                "The Bluetooth adapter\(name) is switched off, but not by Bedside.",
                powerOn + "bluetoothctl power on")
        case .blocked where adapter.isHardBlocked:
            self.init(
                .adapterOff, "BLUETOOTH BLOCKED", "Bluetooth is blocked",
                "The Bluetooth adapter\(name) is blocked by a switch or a key of this computer.",
                "move the switch or press the key (mostly one with an antenna or an aeroplane)")
        case .blocked:
            self.init(
                .adapterOff, "BLUETOOTH BLOCKED", "Bluetooth is blocked",
                "The Bluetooth adapter\(name) is blocked (airplane mode).",
                "rfkill unblock bluetooth")
        case .missing where adapter.identifier != nil:
            self.init(
                .adapterOff, "NO BLUETOOTH ADAPTER", "no adapter\(name)",
                "The Bluetooth adapter\(name), which was chosen, is not there.",
                "plug it in, or choose another one")
        case .missing:
            self.init(
                .adapterOff, "NO BLUETOOTH ADAPTER", "no Bluetooth adapter",
                "This computer has no Bluetooth adapter, or it is not plugged in.",
                "plug in an adapter" + (offersSimulation ? ", or try: bedside --simulate" : ""))
        }
    }

    private static let late = "What sensors send meanwhile may come late."

    private init(_ kind: AlarmKind, _ title: String, _ words: String, _ sentence: String, _ remedy: String) {
        self.kind = kind
        self.title = title
        self.text = words
        self.sentence = sentence
        self.remedy = remedy
    }
}
