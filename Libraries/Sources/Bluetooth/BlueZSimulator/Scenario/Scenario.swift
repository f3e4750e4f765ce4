import Glibc
import JSON
import VitalDecoders

/// The content and the events of a simulated world.
///
/// A scenario comes from a JSON5 file (``load(path:)``), from a text (``init(json5:file:)``), or is built in
/// (``wardEvening``, ``steady``). The article "Writing scenarios" lists every field.
public struct Scenario: Sendable {
    /// The title.
    public let title: String
    let adapter: AdapterDescription
    let sensors: [SensorDescription]
    /// The events in the order of their times.
    let events: [ScenarioEvent]
    /// The period of curves and events, in seconds; `nil` without repetition.
    let period: Double?
    let seed: UInt64
    /// Whether it is for trying out the program: the program may invent a past for it, and remember between two starts
    /// what was connected.
    public private(set) var isTrial: Bool

    init(
        title: String, adapter: AdapterDescription, sensors: [SensorDescription], events: [ScenarioEvent],
        period: Double?, seed: UInt64,
        isTrial: Bool = false
    ) {
        self.title = title
        self.adapter = adapter
        self.sensors = sensors
        self.events = events.sorted { $0.seconds < $1.seconds }
        self.period = period
        self.seed = seed
        self.isTrial = isTrial
    }
}

/// The local radio of a scenario.
struct AdapterDescription: Hashable, Sendable {
    var address = "00:1B:DC:00:00:01"
    var name = "Bedside simulator"
    var isPowered = true
    /// Whether there is an adapter from the beginning.
    var isPlugged = true
    /// Whether the controller reports a device only once in a scan, as most do.
    var filtersDuplicates = true
    /// Whether it has the property `PowerState`, as in newer versions of BlueZ.
    var hasPowerState = false
    /// Whether it has advertisement monitors, as with `bluetoothd --experimental`.
    var hasMonitors = false
}

/// Why a scenario cannot be played; its description is one sentence with file, line and field.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file, or of the text.
    public let file: String
    /// The line, from 1; `nil` when the file could not be read at all.
    public let line: Int?
    /// The path of the field, such as `sensors[1].heartRate.value`; empty for the whole text.
    public let field: String
    /// The error and the remedy.
    public let reason: String

    /// The file, the line, the field and what is wrong.
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return field.isEmpty ? "\(place): \(reason)" : "\(place): \(field): \(reason)"
    }
}

extension Scenario {
    /// The greatest size of a scenario file, in bytes.
    static let greatestSize = 16 << 20

    /// Reads a scenario from a JSON5 text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - file: Its name in an error, such as `ward.json5`.
    /// - Throws: ``ScenarioError`` with file, line and field.
    public init(json5 text: String, file: String) throws(ScenarioError) {
        let value: JSON5Value
        do throws(JSON5Error) {
            value = try JSON5Parser.parse(text)
        } catch {
            throw ScenarioError(
                file: file, line: error.position.line, field: "",
                reason: "column \(error.position.column): \(error.reason)")
        }
        self = try ScenarioReader.read(ScenarioNode(value: value, field: "", file: file))
    }

    /// Reads a scenario from a file, or returns a built-in one by its name (``builtInNames``).
    ///
    /// - Throws: ``ScenarioError``; for a file that cannot be read it has no line.
    public static func load(path: String) throws(ScenarioError) -> Scenario {
        if let text = builtInTexts[path] { return try Scenario(json5: text, file: path) }
        func mistake(_ reason: String) -> ScenarioError {
            ScenarioError(file: path, line: nil, field: "", reason: reason)
        }
        guard let file = fopen(path, "re") else {
            let reason = String(cString: strerror(errno))
            let names = builtInNames.joined(separator: ", ")
            throw mistake("the scenario cannot be read: \(reason); give a file or one of \(names)")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= greatestSize {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        if ferror(file) != 0 { throw mistake("the scenario cannot be read: \(String(cString: strerror(errno)))") }
        if bytes.count > greatestSize { throw mistake("the scenario is larger than 16 MiB") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw mistake("the scenario is no UTF-8 text")
        }
        return try Scenario(json5: text, file: path)
    }

    /// The names of the scenarios that are built in.
    public static var builtInNames: [String] { builtInTexts.keys.sorted() }

    /// The kinds of sensors that are complete devices, for which a name and an address are enough.
    public static var deviceNames: [String] {
        SensorDescription.Kind.allCases.filter(BuiltInDevice.contains).map(\.rawValue)
    }

    /// A realistic evening on a ward: a fever builds up, a strap comes off and is put back, an oximeter drops out.
    public static var wardEvening: Scenario { builtIn("ward-evening") }

    /// The ward evening as a trial (``isTrial``).
    public static var trial: Scenario {
        var scenario = wardEvening
        scenario.isTrial = true
        return scenario
    }

    /// The sensors of the test bench, with constant values: 36.8 °C, 72 a minute, 98 %.
    public static var steady: Scenario { builtIn("steady") }

    /// One of each sensor that answers requests or sleeps.
    public static var devices: Scenario { builtIn("devices") }

    /// The name and the address of the first sensor of a kind, by the word of the kind; `nil` without one.
    public func sensor(of kind: String) -> (name: String, address: String)? {
        sensors.first { $0.kind.rawValue == kind }.map { ($0.name, $0.address) }
    }

    private static func builtIn(_ name: String) -> Scenario {
        do {
            return try load(path: name)
        } catch {
            // Every built-in text is played by the tests, so this cannot be reached in a tested program.
            preconditionFailure("\(error)")
        }
    }

    private static var builtInTexts: [String: String] {
        [
            "ward-evening": BuiltInScenario.wardEvening, "steady": BuiltInScenario.steady,
            "devices": BuiltInScenario.devices,
        ].merging(BuiltInScenario.waves) { text, _ in text }.merging(BuiltInScenario.nights) { text, _ in text }
    }
}

/// Creates a scenario from its text.
struct ScenarioReader {
    static let fields = ["title", "seed", "trial", "repeatAfter", "adapter", "sensors", "events"]

    static func read(_ root: ScenarioNode) throws(ScenarioError) -> Scenario {
        let object = try root.object(fields, "an object with title, sensors and events")
        var sensors: [SensorDescription] = []
        for node in try object.required("sensors").list() {
            for sensor in try SensorReader.read(node) {
                if sensors.contains(where: { $0.address == sensor.address }) {
                    throw node.mistake("the address \(sensor.address) is given to two sensors")
                }
                sensors.append(sensor)
            }
        }
        var events: [ScenarioEvent] = []
        let language = CommandLanguage(sensors: sensors)
        for node in try object["events"]?.list() ?? [] {
            events.append(try EventReader(language: language, sensors: sensors).read(node))
        }
        return Scenario(
            title: try object["title"]?.text() ?? "Untitled scenario",
            adapter: try adapter(object["adapter"]), sensors: sensors, events: events,
            period: try object["repeatAfter"]?.number(1...1_000_000_000, "a number of seconds"),
            seed: UInt64(try object["seed"]?.integer(0...1 << 53) ?? 1),
            isTrial: try object["trial"]?.boolean() ?? false)
    }

    private static func adapter(_ node: ScenarioNode?) throws(ScenarioError) -> AdapterDescription {
        var adapter = AdapterDescription()
        guard let node else { return adapter }
        let object = try node.object([
            "address", "name", "powered", "plugged", "filterDuplicates", "powerState", "advertisementMonitors",
        ])
        if let field = object["address"] { adapter.address = try address(field) }
        if let field = object["name"] { adapter.name = try field.text() }
        if let field = object["powered"] { adapter.isPowered = try field.boolean() }
        if let field = object["plugged"] { adapter.isPlugged = try field.boolean() }
        if let field = object["filterDuplicates"] { adapter.filtersDuplicates = try field.boolean() }
        if let field = object["powerState"] { adapter.hasPowerState = try field.boolean() }
        if let field = object["advertisementMonitors"] { adapter.hasMonitors = try field.boolean() }
        return adapter
    }

    static func address(_ node: ScenarioNode) throws(ScenarioError) -> String {
        let address = try node.string().uppercased()
        guard BluetoothAddress(address) != nil else {
            throw node.mistake("expected an address such as 'C0:52:49:00:00:01'")
        }
        return address
    }

    static func uuid(_ node: ScenarioNode) throws(ScenarioError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(try node.string()) else {
            throw node.mistake("expected a UUID of 4 or 32 hexadecimal digits, such as '180D'")
        }
        return uuid
    }
}
