import JSON
import Monitoring
import UserFiles
import Vitals

/// The files in which versions before 0.2 remembered sensors, changed limits and links; they are taken over once.
///
/// ```json
/// {"version":1,"sensors":[{"address":"C0:52:49:00:00:02","name":"Polar H10","kind":"heart_rate_strap","wanted":true}]}
/// {"version":1,"limits":[{"vital":"heart_rate","rule":"high","hundredths":13000,"priority":"medium","milliseconds":0}],
///  "neutrophils":{"per_microlitre":450,"sampled_at_ms":1772200200000,"entered_by":"Ada"}}
/// {"version":1,"links":[{"address":"C0:52:49:00:00:02","bus":"0123456789abcdef","daemon":":1.3","client":":1.7"}]}
/// ```
struct EarlierFiles {
    /// What the files say.
    private(set) var memory = StoredMemory()
    /// Sentences for the user about files that cannot be read.
    private(set) var warnings: [String] = []
    private var paths: [String] = []

    /// Why a text is not such a file; the description says where.
    struct FormatError: Error, Hashable {
        var description: String

        init(_ description: String) { self.description = description }
    }

    /// Reads the files of a folder, each of them optional.
    init(in folder: String) {
        memory.sensors = read("\(folder)/sensors.json", "The list of remembered sensors", Self.sensors) ?? []
        memory.patient =
            read("\(folder)/patient.json", "The limits that were changed on the screen", Self.patient)
            ?? MonitorMemory()
        memory.links = read("\(folder)/links.json", "The list of links", Self.links) ?? []
    }

    /// Whether there is no such file.
    var isEmpty: Bool { paths.isEmpty }

    /// Renames the files, so that they are not taken over again.
    func setAside() {
        for path in paths { _ = try? PrivateFile.setAside(path, suffix: "old") }
    }

    private mutating func read<Content>(
        _ path: String, _ title: String, _ content: ([UInt8]) throws(FormatError) -> Content
    ) -> Content? {
        let reason: String
        do throws(UserFileError) {
            guard let bytes = try PrivateFile.read(path) else { return nil }
            do throws(FormatError) {
                defer { paths.append(path) }
                return try content(bytes)
            } catch {
                reason = error.description
            }
        } catch {
            paths.append(path)
            reason = error.description
        }
        warnings.append("\(title) could not be read (\(reason)); it is kept as \(path).old.")
        return nil
    }

    // MARK: Texts

    static func sensors(_ bytes: [UInt8]) throws(FormatError) -> [RememberedSensor] {
        try list("sensors", of: document(bytes)).compactMap { entry in
            // The address identifies a sensor.
            guard let address = entry["address"]?.text, address.utf8.count == 17 else { return nil }
            return RememberedSensor(
                address: address, name: entry["name"]?.text ?? address,
                kind: entry["kind"]?.text.flatMap(SensorKind.init(rawValue:)) ?? .other, label: entry["label"]?.text,
                isWanted: entry["wanted"]?.boolean,
                assignedVitals: Set(
                    (entry["vitals"]?.elements ?? []).compactMap { $0.text.flatMap(Vital.init(rawValue:)) }))
        }
    }

    static func patient(_ bytes: [UInt8]) throws(FormatError) -> MonitorMemory {
        let document = try document(bytes)
        var memory = MonitorMemory()
        for limit in try list("limits", of: document) {
            guard let vital = limit["vital"]?.text.flatMap(Vital.init(rawValue:)),
                let name = limit["rule"]?.text.flatMap(LimitSetting.Name.init(rawValue:)),
                let time = limit["milliseconds"], name == .flatLine || limit["hundredths"] != nil,
                let setting = LimitColumns(
                    value: limit["hundredths"]?.whole.map { VitalValue(hundredths: $0) },
                    priority: limit["priority"]?.text.flatMap(AlarmPriority.init(rawValue:)),
                    duration: time.whole.map { .milliseconds($0) }
                ).setting(name)
            else { throw FormatError("line \(limit.position.line) is no rule about a vital") }
            memory.limits.append(MonitorMemory.ChangedLimit(vital: vital, setting: setting))
        }
        if let neutrophils = document["neutrophils"] {
            guard let count = neutrophils["per_microlitre"]?.whole, let sampled = neutrophils["sampled_at_ms"]?.whole
            else { throw FormatError("line \(neutrophils.position.line) is no neutrophil count") }
            memory.neutrophils = NeutrophilCount(
                perMicrolitre: count, sampledAt: Int64(sampled), enteredBy: neutrophils["entered_by"]?.text ?? "")
        }
        return memory
    }

    static func links(_ bytes: [UInt8]) throws(FormatError) -> [OwnedLink] {
        try list("links", of: document(bytes)).compactMap { entry in
            guard let address = entry["address"]?.text, let bus = entry["bus"]?.text,
                let daemon = entry["daemon"]?.text,
                let client = entry["client"]?.text
            else { return nil }
            return OwnedLink(address: address, bus: bus, daemon: daemon, client: client)
        }
    }

    private static func document(_ bytes: [UInt8]) throws(FormatError) -> JSON5Value {
        let document: JSON5Value
        do throws(JSON5Error) {
            document = try JSON5Parser.parse(bytes, .json5)
        } catch {
            throw FormatError(error.description)
        }
        guard document["version"]?.whole == 1 else { throw FormatError("it is not of version 1") }
        return document
    }

    private static func list(_ name: String, of document: JSON5Value) throws(FormatError) -> [JSON5Value] {
        guard let list = document[name]?.elements else { throw FormatError("it has no list of \(name)") }
        return list
    }
}
