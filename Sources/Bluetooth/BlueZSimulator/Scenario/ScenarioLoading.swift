import Glibc
import JSON

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

    /// The sensors of the test bench, with constant values: 36.8 °C, 72 a minute, 98 %.
    public static var steady: Scenario { builtIn("steady") }

    /// One of each sensor that answers requests or sleeps.
    public static var devices: Scenario { builtIn("devices") }

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
        ]
    }
}
