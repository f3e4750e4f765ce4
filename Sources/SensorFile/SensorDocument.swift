import JSON
import Vitals

/// The text of the file of remembered sensors: JSON with one sensor per line.
///
/// ```json
/// {"version":1,"sensors":[
/// {"address":"C0:52:49:00:00:02","name":"Polar H10 1234","kind":"heart_rate_strap","label":"Ada","wanted":true}
/// ]}
/// ```
///
/// Unknown content is kept: fields of a sensor, sensors without a valid address, members beside the list. So a file of
/// a later Bedside loses nothing.
struct SensorDocument: Hashable {
    /// The version of the format that is written, and the newest that is understood.
    static let version = 1

    /// Why a text is not such a document.
    enum DocumentError: Error, Hashable {
        /// It is not JSON, or not of this structure; the reason says where.
        case broken(String)
        /// A later Bedside wrote it in a newer format.
        case newer
    }

    private var members: [JSON5Member]
    private var list: [JSON5Value]

    init() {
        members = [JSON5Member("version", JSON5Value(.number(Double(Self.version))))]
        list = []
    }

    /// Reads a document.
    init(_ octets: [UInt8]) throws(DocumentError) {
        guard let text = String(validating: octets, as: UTF8.self) else { throw .broken("it is no UTF-8 text") }
        let value: JSON5Value
        do throws(JSON5Error) {
            value = try JSON5Parser.parse(text)
        } catch {
            throw .broken("line \(error.position.line), column \(error.position.column): \(error.reason)")
        }
        guard case .object(let members) = value.content else { throw .broken("it is \(value.kind), not an object") }
        guard case .number(let version)? = members.first(where: { $0.name == "version" })?.value.content else {
            throw .broken("it does not say its version")
        }
        if version > Double(Self.version) { throw .newer }
        guard case .array(let list)? = members.first(where: { $0.name == "sensors" })?.value.content else {
            throw .broken("it has no list of sensors")
        }
        self.members = members.filter { $0.name != "sensors" }
        self.list = list
    }

    /// The sensors that can be understood, in the order of the file.
    var sensors: [RememberedSensor] {
        list.compactMap { RememberedSensor($0.fields) }
    }

    /// Remembers a sensor.
    mutating func remember(_ sensor: RememberedSensor) {
        var known: [JSON5Member] = [
            JSON5Member("address", JSON5Value(.string(sensor.address))),
            JSON5Member("name", JSON5Value(.string(sensor.name))),
            JSON5Member("kind", JSON5Value(.string(sensor.kind.rawValue))),
            JSON5Member("label", JSON5Value(sensor.label.map { .string($0) } ?? .null)),
            JSON5Member("wanted", JSON5Value(sensor.isWanted.map { .boolean($0) } ?? .null)),
        ]
        if !sensor.assignedVitals.isEmpty {
            let names = Vital.allCases.filter(sensor.assignedVitals.contains).map(\.rawValue)
            known.append(JSON5Member("vitals", JSON5Value(.array(names.map { JSON5Value(.string($0)) }))))
        }
        guard let place = place(of: sensor.address) else {
            list.append(JSON5Value(.object(known)))
            return
        }
        let names = Set(known.map(\.name) + ["vitals"])
        list[place] = JSON5Value(.object(known + list[place].fields.filter { !names.contains($0.name) }))
    }

    /// Forgets a sensor.
    mutating func forget(address: String) {
        if let place = place(of: address) { list.remove(at: place) }
    }

    private func place(of address: String) -> Int? {
        list.firstIndex { $0.fields.text("address") == address }
    }

    /// The document as JSON text.
    var octets: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        for member in members {
            json.key(member.name)
            json.value(member.value)
        }
        json.key("sensors")
        json.beginArray()
        for sensor in list {
            json.lineBreak()
            json.value(sensor)
        }
        json.verbatim("\n")
        json.endArray()
        json.endObject()
        json.newline()
        return json.octets
    }
}

extension RememberedSensor {
    /// Reads an entry; `nil` when it has no address, which identifies a sensor.
    fileprivate init?(_ fields: [JSON5Member]) {
        guard let address = fields.text("address"), address.utf8.count == 17 else { return nil }
        var isWanted: Bool?
        if case .boolean(let value)? = fields.value("wanted") { isWanted = value }
        self.init(
            address: address, name: fields.text("name") ?? address,
            kind: fields.text("kind").flatMap(SensorKind.init(rawValue:)) ?? .other, label: fields.text("label"),
            isWanted: isWanted, assignedVitals: fields.vitals("vitals"))
    }
}

extension JSON5Value {
    /// The members of an object; none of anything else.
    fileprivate var fields: [JSON5Member] {
        if case .object(let members) = content { members } else { [] }
    }
}

extension [JSON5Member] {
    fileprivate func value(_ name: String) -> JSON5Value.Content? {
        first { $0.name == name }?.value.content
    }

    /// The vitals that a list names; unknown names are ignored.
    fileprivate func vitals(_ name: String) -> Set<Vital> {
        guard case .array(let names)? = value(name) else { return [] }
        return Set(
            names.compactMap { if case .string(let name) = $0.content { Vital(rawValue: name) } else { nil } })
    }

    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = value(name) { text } else { nil }
    }
}
