import Base
import JSON
import VitalDecoders

/// An event at a time of a scenario.
struct ScenarioEvent: Hashable, Sendable {
    /// Seconds since the scenario, or its newest repetition, began.
    var seconds: Double
    var action: SimulatedAction
}

/// An action on the simulated world, from a scenario's event or a command.
enum SimulatedAction: Hashable, Sendable {
    /// An action on the sensors at these indices of the scenario's list.
    case sensors([Int], SensorAction)
    case daemon(DaemonAction)
    case adapter(AdapterAction)
    case bus(BusAction)
    /// The new duration of a packet, in seconds.
    case latency(Double)
}

/// An action on bluetoothd; the raw value is the word in a scenario.
enum DaemonAction: String, CaseIterable, Hashable, Sendable {
    case stop, kill, start, restart
}

/// An action on the message bus.
enum BusAction: Hashable, Sendable {
    case stop, start
    /// Whether clients may call bluetoothd.
    case permit(Bool)
}

enum AdapterAction: Hashable, Sendable {
    case powerOn, powerOff, plug, unplug
    /// rfkill blocks the adapter, as a key for airplane mode does, or unblocks it.
    case block, unblock
    /// Whether the controller reports a device only once in a scan.
    case filterDuplicates(Bool)
}

enum SensorAction: Hashable, Sendable {
    /// The sensor is taken off the body, or put back.
    case offBody, onBody
    /// The link is lost; the sensor is still there.
    case linkLoss
    /// The sensor ends the connection.
    case hangUp
    case outOfRange, inRange
    /// Its services move to other handles.
    case servicesChange
    /// The connected sensor stops measuring, or continues.
    case silence, speak
    case battery(Int)
    /// Any octets as a measurement.
    case octets([UInt8])
    case rename(String)
    /// A new address, a random one if none is given.
    case rotate(String?)
    case signalStrength(Int, noise: Int)
    case advertise(Bool)
    /// The number of connections that will fail.
    case refuse(Int)
    /// The interval in seconds.
    case interval(Double)
    /// Numbered values, with seconds between them.
    case burst(Int, seconds: Double)
    /// A user measures: the sensor wakes up, and has one more record.
    case measure
    /// A quantity is set to a value.
    case quantity(String, Double)
    /// An indication of a spot-check measurement (2A5E).
    case spotCheck
    /// The sensor loses the key of its bond, as after a change of its battery.
    case forgetBond
    /// The sensor's behaviour during pairing.
    case pairing(PairingBehaviour.Conduct)
    case vitals(VitalChange)
    /// The number of frames of its waves that will not arrive.
    case loseFrames(Int)
    /// How many times each frame of its waves is sent.
    case flood(Int)
    /// The clock that stamps its streams begins again, as after an exchange of its battery.
    case restartClock
}

/// A change of what a sensor measures or how it sends it.
enum VitalChange: Hashable, Sendable {
    /// Degrees Celsius; `nil` for "not a number".
    case temperature(Double?)
    case unit(TemperatureUnit)
    case timestamp(Bool)
    case temperatureType(UInt8?)
    case heartRate(Int)
    case contact(Bool?)
    case intervals(SimulatedVitals.HeartRate.Intervals)
    case energy(UInt16?)
    case wide(Bool)
    /// Percent; `nil` for "not a number".
    case saturation(Double?)
    /// Beats a minute; `nil` for "not a number".
    case pulseRate(Double?)
    case rhythm(HeartRhythm)
}

/// Reads the list `events` of a scenario.
struct EventReader {
    static let fields = [
        "at", "sensor", "do", "daemon", "adapter", "command", "level", "octets", "name", "count", "seconds", "rssi",
        "value", "address", "quantity", "rhythm",
    ]

    let language: CommandLanguage
    let sensors: [SensorDescription]

    /// The actions in the field `do` of a sensor's event, with their arguments.
    private enum Word: String, CaseIterable {
        case offBody, onBody, linkLoss, hangUp, outOfRange, inRange, silence, speak, battery, malformed, rename
        case rotate, refuse, burst, rssi, spotCheck, interval, measure, set, rhythm, loseFrames, flood, restartClock

        var argument: String? {
            switch self {
            case .battery: "level"
            case .malformed: "octets"
            case .rename: "name"
            case .refuse, .burst, .loseFrames, .flood: "count"
            case .rssi: "rssi"
            case .interval: "seconds"
            case .rotate: "address"
            case .set: "quantity"
            case .rhythm: "rhythm"
            default: nil
            }
        }
    }

    private enum AdapterWord: String, CaseIterable {
        case powerOn, powerOff, plug, unplug, block, unblock
    }

    func read(_ node: ScenarioNode) throws(ScenarioError) -> ScenarioEvent {
        let object = try node.object(Self.fields)
        let seconds = try object.required("at").number(0...1_000_000_000, "a number of seconds")
        let subjects = ["sensor", "daemon", "adapter", "command"].filter { object[$0] != nil }
        guard subjects.count == 1, let subject = subjects.first else {
            throw node.mistake("expected exactly one of sensor, daemon, adapter and command")
        }
        return ScenarioEvent(seconds: seconds, action: try action(subject, object))
    }

    private func action(_ subject: String, _ object: ScenarioObject) throws(ScenarioError) -> SimulatedAction {
        let field = try object.required(subject)
        switch subject {
        case "daemon":
            return .daemon(try field.word(DaemonAction.self))
        case "adapter":
            switch try field.word(AdapterWord.self) {
            case .powerOn: return .adapter(.powerOn)
            case .powerOff: return .adapter(.powerOff)
            case .plug: return .adapter(.plug)
            case .unplug: return .adapter(.unplug)
            case .block: return .adapter(.block)
            case .unblock: return .adapter(.unblock)
            }
        case "command":
            return try command(field)
        default:
            let name = try field.string()
            guard let index = sensors.firstIndex(where: { $0.name == name || $0.address == name.uppercased() }) else {
                let hint = nearestWord(to: name, among: sensors.map(\.name)).map { "; did you mean '\($0)'?" }
                throw field.mistake("there is no sensor '\(name)'\(hint ?? "")")
            }
            return .sensors([index], try sensorAction(object))
        }
    }

    private func command(_ field: ScenarioNode) throws(ScenarioError) -> SimulatedAction {
        let line = try field.text()
        let command: Command
        do throws(ControlCommandError) {
            command = try language.parse(line)
        } catch {
            throw field.mistake(error.reason)
        }
        guard case .action(let action) = command else { throw field.mistake("this command changes nothing") }
        return action
    }

    private func sensorAction(_ object: ScenarioObject) throws(ScenarioError) -> SensorAction {
        let word = try object.required("do").word(Word.self)
        for name in ["level", "octets", "name", "count", "rssi", "address", "quantity", "rhythm"]
        where name != word.argument {
            if let field = object[name] { throw field.mistake("'\(word.rawValue)' has no field '\(name)'") }
        }
        switch word {
        case .offBody: return .offBody
        case .onBody: return .onBody
        case .linkLoss: return .linkLoss
        case .hangUp: return .hangUp
        case .outOfRange: return .outOfRange
        case .inRange: return .inRange
        case .silence: return .silence
        case .speak: return .speak
        case .spotCheck: return .spotCheck
        case .measure: return .measure
        case .restartClock: return .restartClock
        case .loseFrames: return .loseFrames(try object.required("count").integer(0...1_000_000))
        case .flood: return .flood(try object.required("count").integer(WaveFaults.repetitionRange))
        case .rhythm: return .vitals(.rhythm(try object.required("rhythm").word(HeartRhythm.self)))
        case .set:
            return .quantity(
                try object.required("quantity").string(), try object.required("value").number(-1_000_000...1_000_000))
        case .battery: return .battery(try object.required("level").integer(0...255))
        case .malformed: return .octets(try object.required("octets").octets())
        case .rename: return .rename(try object.required("name").text())
        case .refuse: return .refuse(try object.required("count").integer(0...1_000_000))
        case .rssi: return .signalStrength(try object.required("rssi").integer(-127...20), noise: 0)
        case .interval: return .interval(try object.required("seconds").number(0.001...86_400, "a number of seconds"))
        case .rotate:
            guard let address = object["address"] else { return .rotate(nil) }
            return .rotate(try ScenarioReader.address(address))
        case .burst:
            return .burst(
                try object.required("count").integer(0...10_000_000),
                seconds: try object["seconds"]?.number(0...3600, "a number of seconds") ?? 0)
        }
    }
}
