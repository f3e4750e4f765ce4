import JSON
import Monitoring
import Vitals

/// The text of the patient's file: JSON with one changed rule per line.
///
/// ```json
/// {"version":1,"limits":[
/// {"vital":"heart_rate","rule":"high","hundredths":13000,"priority":"medium","milliseconds":10000},
/// {"vital":"spo2","rule":"flat_line","milliseconds":null}
/// ],"neutrophils":{"per_microlitre":450,"sampled_at_ms":1772200200000}}
/// ```
///
/// Values are in hundredths of the vital's unit. `milliseconds` is the delay of a limit, the window of a rate of
/// change, or the duration of a flat line; `null` switches the rule off.
enum PatientDocument {
    /// The version of the format that is written, and the newest that is understood.
    static let version = 1

    /// Why a text is not such a document.
    enum DocumentError: Error, Hashable {
        /// It is not JSON, or not of this structure; the reason says where.
        case broken(String)
        /// A later Bedside wrote it in a newer format.
        case newer
    }

    /// The document as JSON text.
    static func octets(_ memory: MonitorMemory) -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("version")
        json.integer(version)
        json.key("limits")
        json.beginArray()
        for change in memory.limits {
            json.lineBreak()
            write(change, to: &json)
        }
        json.verbatim("\n")
        json.endArray()
        if let count = memory.neutrophils {
            json.key("neutrophils")
            json.beginObject()
            json.key("per_microlitre")
            json.integer(count.perMicrolitre)
            json.key("sampled_at_ms")
            json.integer(count.sampledAt)
            json.key("entered_by")
            json.string(count.enteredBy)
            json.endObject()
        }
        json.endObject()
        json.newline()
        return json.octets
    }

    private static func write(_ change: MonitorMemory.ChangedLimit, to json: inout JSONWriter) {
        json.beginObject()
        json.key("vital")
        json.string(change.vital.rawValue)
        json.key("rule")
        json.string(change.setting.name.rawValue)
        switch change.setting {
        case .limit(_, let limit): write(limit.value, limit.priority, limit.delay, to: &json)
        case .fall(let limit), .rise(let limit): write(limit.amount, limit.priority, limit.within, to: &json)
        case .flatLine(let duration):
            json.key("milliseconds")
            if let duration { json.integer(duration.milliseconds) } else { json.null() }
        }
        json.endObject()
    }

    private static func write(
        _ value: VitalValue?, _ priority: AlarmPriority, _ time: Duration, to json: inout JSONWriter
    ) {
        json.key("hundredths")
        if let value { json.integer(value.hundredths) } else { json.null() }
        json.key("priority")
        json.string(priority.rawValue)
        json.key("milliseconds")
        json.integer(time.milliseconds)
    }

    /// Reads a document.
    static func memory(_ octets: [UInt8]) throws(DocumentError) -> MonitorMemory {
        guard let text = String(validating: octets, as: UTF8.self) else { throw .broken("it is no UTF-8 text") }
        let value: JSON5Value
        do throws(JSON5Error) {
            value = try JSON5Parser.parse(text)
        } catch {
            throw .broken("line \(error.position.line), column \(error.position.column): \(error.reason)")
        }
        guard let version = value["version"]?.whole else { throw .broken("it does not say its version") }
        if version > Self.version { throw .newer }
        guard case .array(let limits)? = value["limits"]?.content else { throw .broken("it has no list of limits") }
        var memory = MonitorMemory()
        for limit in limits {
            guard let change = change(limit) else {
                throw .broken("line \(limit.position.line) is no rule about a vital")
            }
            memory.limits.append(change)
        }
        if let neutrophils = value["neutrophils"] {
            guard let count = neutrophils["per_microlitre"]?.whole, let sampled = neutrophils["sampled_at_ms"]?.whole
            else { throw .broken("line \(neutrophils.position.line) is no neutrophil count") }
            memory.neutrophils = NeutrophilCount(
                perMicrolitre: count, sampledAt: Int64(sampled), enteredBy: neutrophils["entered_by"]?.text ?? "")
        }
        return memory
    }

    private static func change(_ value: JSON5Value) -> MonitorMemory.ChangedLimit? {
        guard let vital = value["vital"]?.text.flatMap(Vital.init(rawValue:)),
            let name = value["rule"]?.text.flatMap(LimitSetting.Name.init(rawValue:)),
            let time = value["milliseconds"], let setting = setting(name, value, time.whole)
        else { return nil }
        return MonitorMemory.ChangedLimit(vital: vital, setting: setting)
    }

    private static func setting(_ name: LimitSetting.Name, _ value: JSON5Value, _ time: Int?) -> LimitSetting? {
        if name == .flatLine { return .flatLine(time.map { .milliseconds($0) }) }
        guard let number = value["hundredths"], let time,
            let priority = value["priority"]?.text.flatMap(AlarmPriority.init(rawValue:))
        else { return nil }
        let amount = number.whole.map { VitalValue(hundredths: $0) }
        let duration = Duration.milliseconds(time)
        if let kind = name.limit { return .limit(kind, AlarmLimit(amount, priority, delay: duration)) }
        let change = ChangeLimit(amount, within: duration, priority)
        return name == .fall ? .fall(change) : .rise(change)
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension JSON5Value {
    /// The member of an object with this name.
    fileprivate subscript(name: String) -> JSON5Value? {
        if case .object(let members) = content { members.first { $0.name == name }?.value } else { nil }
    }

    /// The text of a string.
    fileprivate var text: String? {
        if case .string(let text) = content { text } else { nil }
    }

    /// A whole number that a double holds exactly.
    fileprivate var whole: Int? {
        if case .number(let number) = content { Int(exactly: number) } else { nil }
    }
}
