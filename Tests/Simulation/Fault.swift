import TestSupport

/// Something that goes wrong in a night, and while it lasts.
struct Fault: Sendable, CustomStringConvertible {
    /// The kinds of faults: what happens to a sensor, to Bluetooth, to the bus and to the computer.
    enum Kind: String, CaseIterable, Sendable {
        case offBody = "is not worn"
        case linkLoss = "loses its link"
        case outOfRange = "is out of range"
        case silence = "sends nothing"
        case refusal = "refuses its next links"
        case serviceChange = "changes its services"
        case separation = "is disconnected by a carer"
        case lowBattery = "has a low battery"
        case weakSignal = "is heard weakly"
        case nonsense = "sends what has no meaning"
        case daemonKill = "bluetoothd is killed"
        case daemonRestart = "bluetoothd is restarted"
        case powerOff = "the adapter is switched off"
        case unplug = "the adapter is pulled out"
        case block = "the adapter is blocked"
        case busStop = "the message bus ends"
        case denial = "the bus's policy forbids calls"
        case slowBus = "messages are late"
        case pieces = "messages come in pieces"
        case busHang = "the message bus hangs"
        case drop = "a client loses its connection to the bus"
        case clockForward = "the clock is set forward"
        case clockBack = "the clock is set back"
        case suspension = "the computer sleeps"
        case fullDisk = "the disk is full"
        case slowDisk = "the disk is slow"
        case resize = "the window is resized"
        case powerCut = "the power fails"
        case brokerAway = "nobody listens at the broker's place"
        case brokerSilence = "nothing is heard of the broker"
        case brokerDrop = "the broker ends its connections"
        case lossyBroker = "messages to the broker are lost"

        /// Whether it happens to the broker, or on the way to it.
        var isOfBroker: Bool {
            switch self {
            case .brokerAway, .brokerSilence, .brokerDrop, .lossyBroker: true
            default: false
            }
        }

        /// How long it lasts, in seconds.
        var length: ClosedRange<Double> {
            switch self {
            case .offBody, .outOfRange, .silence, .powerOff, .unplug, .block: 1...90
            case .daemonKill, .busStop, .denial: 1...40
            case .separation: 1.5...40
            case .lowBattery, .weakSignal: 20...90
            case .busHang: 1...40
            case .slowBus, .pieces, .fullDisk, .slowDisk, .lossyBroker: 5...60
            case .brokerAway, .brokerSilence: 1...60
            case .powerCut: Night.restart...Night.restart
            default: 0...0
            }
        }
    }

    let kind: Kind
    /// The place of the sensor that it happens to, where it happens to one.
    let sensor: Int
    let start: Double
    var end: Double
    /// A random number, which decides how much.
    var strength: UInt64

    /// Whether it happens to one sensor.
    var isOfSensor: Bool {
        switch kind {
        case .offBody, .linkLoss, .outOfRange, .silence, .refusal, .serviceChange, .separation, .lowBattery,
            .weakSignal, .nonsense:
            true
        default: false
        }
    }

    /// Whether nothing runs on the computer while it lasts.
    var stopsComputer: Bool { kind == .powerCut || kind == .suspension }

    /// Whether the end of one is the end of the other; a bluetoothd that starts switches the adapter on, also one that starts
    /// while the bus's policy forbids calls.
    func isUndone(with other: Fault) -> Bool {
        let groups: [Set<Kind>] = [
            [.daemonKill, .daemonRestart, .busStop, .denial, .powerOff], [.powerOff, .unplug, .block],
            [.slowBus, .pieces], [.busHang, .busStop, .daemonKill, .daemonRestart, .denial],
            [.brokerAway, .brokerSilence, .brokerDrop],
        ]
        if groups.contains(where: { $0.contains(kind) && $0.contains(other.kind) }) { return true }
        // A simulated sensor whose link is lost is in range.
        if Set([kind, other.kind]) == [.linkLoss, .outOfRange] { return sensor == other.sensor }
        return kind == other.kind && (!isOfSensor || sensor == other.sensor)
    }

    /// Whether another fault cannot begin at its time because of this one.
    func excludes(_ later: Fault) -> Bool {
        // Nobody types before the screen is there, nor in two places at once.
        if later.kind == .separation, kind == .powerCut || kind == .separation { return end + 5 > later.start }
        // A simulated bluetoothd that does not reach the bus when it starts gives up, and nobody starts it again. After the
        // bus, and after a change of the policy, it starts only four seconds later.
        if later.kind == .busHang || kind == .busStop || kind == .denial, isUndone(with: later) {
            return end + 5 > later.start
        }
        // Nothing happens while the computer is off or asleep; and what ends one fault would end the other, too.
        return end > later.start && (stopsComputer || isUndone(with: later))
    }

    /// Whether no value of a sensor is measured, or none can arrive, while it lasts.
    func silences(_ truth: SensorTruth) -> Bool {
        switch kind {
        // A thermometer cannot tell whether it is worn.
        case .offBody: sensor == truth.place && truth.kind != .thermometer
        case .outOfRange, .silence: sensor == truth.place
        case .daemonKill, .powerOff, .unplug, .block, .busStop, .busHang, .powerCut, .suspension: true
        default: false
        }
    }

    /// How the computer's time goes on: the seconds that it sleeps.
    var sleep: Double { kind == .suspension ? Double(5 + strength % 600) : 0 }

    /// By how much the clock is set, in milliseconds.
    var clockStep: Int64 {
        switch kind {
        case .clockForward: Int64(1000 + strength % 7_200_000)
        case .clockBack: -Int64(1000 + strength % 7_200_000)
        default: 0
        }
    }

    /// The lines for the world at its beginning and at its end, there one each four seconds: a bus may be slow.
    func commands() -> (start: String?, end: String?) {
        let who = SensorTruth.address(at: sensor)
        return switch kind {
        case .offBody: ("off \(who)", "on \(who)")
        case .linkLoss: ("drop \(who)", nil)
        case .outOfRange: ("vanish \(who)", "return \(who)")
        case .silence: ("quiet \(who)", "loud \(who)")
        case .refusal: ("refuse \(who) \(1 + strength % 3)", nil)
        case .serviceChange: ("services-changed \(who)", nil)
        case .lowBattery: ("battery \(who) \(strength % 10)", "battery \(who) 87")
        case .weakSignal: ("rssi \(who) -\(95 + strength % 10)", "rssi \(who) -58")
        // Flags of which the fields are missing, in each of the three services.
        case .nonsense: (Array(repeating: "raw \(who) FF", count: 6).joined(separator: "\n"), nil)
        case .daemonKill: ("bluez-kill", "bluez-start")
        case .daemonRestart: ("bluez-restart", nil)
        case .powerOff: ("power off", "power on")
        case .unplug: ("unplug", "plug")
        case .block: ("rfkill block", "rfkill unblock")
        case .busStop: ("dbus-stop", "dbus-start\nbluez-start")
        // Perhaps because of an update, which starts bluetoothd again.
        case .denial: (strength % 2 == 0 ? "permit off" : "permit off\nbluez-restart", "permit on")
        default: (nil, nil)
        }
    }

    /// The lines of the machine's plan at its beginning and at its end.
    func steps() -> (start: String?, end: String?) {
        switch kind {
        case .slowBus: ("bus \(50_000_000 + strength % 800_000_000) 0", "bus 1000000 0")
        case .pieces: ("bus 3000000 600", "bus 1000000 0")
        case .busHang: ("hold 1", "hold 0")
        case .drop: ("drop", nil)
        case .clockForward, .clockBack: ("clock \(clockStep)", nil)
        case .suspension: ("suspend \(Int(sleep * 1000))", nil)
        case .fullDisk: ("disk full", "disk free")
        case .slowDisk: ("slow \(100_000_000 + strength % 2_000_000_000)", "slow 0")
        case .brokerAway: ("broker away", "broker back")
        case .brokerSilence: ("broker silent", "broker back")
        case .brokerDrop: ("broker drop", nil)
        case .lossyBroker: ("lossy \(100 + strength % 800)", "lossy 0")
        case .resize: ("resize \(60 + strength % 141) \(16 + strength / 256 % 45)", nil)
        default: (nil, nil)
        }
    }

    /// Whether a carer wants the sensor back before its link has ended.
    var isHasty: Bool { kind == .separation && end - start < 1 }

    /// What a carer types for it: the seconds, and the keys.
    ///
    /// Esc is typed alone, because it begins other keys, too.
    func typed() -> [(time: Double, text: String)] {
        guard kind == .separation else { return [] }
        func together(_ texts: [String], from time: Double) -> [(time: Double, text: String)] {
            texts.enumerated().map { (time + 0.1 * Double($0), $1) }
        }
        let (escape, connect) = ("\u{1B}", "\r")
        let choose = "K/\(SensorTruth.address(at: sensor))\rg"
        let isBack = [connect, escape, escape, escape]
        if isHasty { return together([escape, escape, choose + "dy"], from: start) + together(isBack, from: end) }
        return together([escape, escape, choose + "dy", escape, escape], from: start)
            + together([escape, escape, choose] + isBack, from: end)
    }

    var description: String {
        let kinds = SensorTruth.Kind.allCases
        let who = !isOfSensor ? "" : sensor < kinds.count ? "\(kinds[sensor].word) " : "sensor \(sensor) "
        return "\(who)\(kind.rawValue)" + (end > start ? " until \(seconds(end))" : "")
    }
}
