import Base
import Monitoring
import Vitals

/// Writes the fields of a JSON object, or reads and checks them.
///
/// A type describes its fields once, in a function that hands each of them to a coder; both directions then have the
/// same names and limits. Absent optional values and flags that are false have no field.
package protocol FieldCoder {
    /// What reading throws; `Never` for a writer.
    associatedtype Failure: Error

    /// Reports that a field is missing.
    func missing(_ key: String) throws(Failure)

    mutating func text(_ key: String, _ value: inout String?, limit: Int) throws(Failure)

    mutating func integer(_ key: String, _ value: inout Int64?, in range: ClosedRange<Int64>) throws(Failure)

    mutating func flag(_ key: String, _ value: inout Bool) throws(Failure)

    /// A word from a fixed list.
    mutating func word<Word: RawRepresentable>(_ key: String, _ value: inout Word?) throws(Failure)
    where Word.RawValue == String

    /// A number with two decimals.
    mutating func value(_ key: String, _ value: inout VitalValue?) throws(Failure)

    /// A wall time, in milliseconds since 1970 (UTC).
    mutating func time(_ key: String, _ value: inout Int64?) throws(Failure)

    /// A nested object.
    mutating func object<Value: FieldCodable>(_ key: String, _ value: inout Value?) throws(Failure)
}

/// A value that describes its fields for a ``FieldCoder``.
package protocol FieldCodable {
    /// What is read into.
    static var unread: Self { get }

    /// Writes all fields, or reads them.
    mutating func code<Fields: FieldCoder>(_ fields: inout Fields) throws(Fields.Failure)
}

// Required fields, and words that a newer version may extend.
extension FieldCoder {
    package mutating func text(_ key: String, _ value: inout String, limit: Int) throws(Failure) {
        var present: String? = value
        try text(key, &present, limit: limit)
        value = present ?? ""
    }

    package mutating func integer(
        _ key: String, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(Failure) {
        var present: Int64? = value
        try integer(key, &present, in: range)
        guard let present else { return try missing(key) }
        value = present
    }

    package mutating func integer(_ key: String, _ value: inout Int, in range: ClosedRange<Int64>) throws(Failure) {
        var whole = Int64(value)
        try integer(key, &whole, in: range)
        value = Int(whole)
    }

    package mutating func word<Word: RawRepresentable>(_ key: String, _ value: inout Word) throws(Failure)
    where Word.RawValue == String {
        var present: Word? = value
        try word(key, &present)
        guard let present else { return try missing(key) }
        value = present
    }

    /// A word of a list that a newer version may extend; an unknown one is read as `nil`.
    package mutating func openWord<Word: RawRepresentable>(_ key: String, _ value: inout Word?) throws(Failure)
    where Word.RawValue == String {
        var name = value?.rawValue
        try text(key, &name, limit: FieldLimits.word)
        value = name.flatMap(Word.init(rawValue:))
    }
}

/// The greatest lengths of texts in messages, in characters, and the ranges of their numbers.
package enum FieldLimits {
    package static let word = 32
    package static let name = 64
    package static let text = 160
    package static let alarmNumbers: ClosedRange<Int64> = 0...2_000_000_000
}

extension SensorIdentity: FieldCodable {
    package static var unread: SensorIdentity { SensorIdentity(address: "", name: "", kind: .other) }

    package mutating func code<Fields: FieldCoder>(_ fields: inout Fields) throws(Fields.Failure) {
        var address: String? = address.isEmpty ? nil : address
        try fields.text("address", &address, limit: 17)
        if address?.isEmpty != false { try fields.missing("address") }
        self.address = address ?? ""
        try fields.text("name", &name, limit: FieldLimits.name)
        var kind: SensorKind? = kind
        try fields.openWord("kind", &kind)
        self.kind = kind ?? .other
    }
}

// The fields of an alarm in every line and message, but for its sensor.
extension AlarmReport: FieldCodable {
    package static var unread: AlarmReport { AlarmReport(id: 0, kind: .low, priority: .low) }

    package mutating func code<Fields: FieldCoder>(_ fields: inout Fields) throws(Fields.Failure) {
        var state = state
        try code(&fields, state: &state)
        self.state = state
    }

    /// The fields with a state of another list, as the alarm log has it.
    package mutating func code<Fields: FieldCoder, State: RawRepresentable>(
        _ fields: inout Fields, state: inout State
    ) throws(Fields.Failure) where State.RawValue == String {
        try fields.integer("id", &id, in: FieldLimits.alarmNumbers)
        try fields.text("kind", &kindName, limit: FieldLimits.name)
        try fields.word("class", &alarmClass)
        try fields.word("priority", &priority)
        try fields.word("state", &state)
        try fields.openWord("vital", &vital)
        try fields.openWord("site", &site)
        try fields.value("value", &value)
        try fields.value("peak", &peak)
        try fields.value("limit", &limit)
        var since: Int64? = sinceWallMilliseconds
        try fields.time("since", &since)
        sinceWallMilliseconds = since ?? 0
        try fields.text("text", &text, limit: FieldLimits.text)
        try fields.flag("latched", &isLatched)
        // The state says so, too, unless it is suspended or over.
        let isSaid = state.rawValue == AlarmState.acknowledged.rawValue
        var isAcknowledged = isAcknowledged && !isSaid
        try fields.flag("acknowledged", &isAcknowledged)
        self.isAcknowledged = isAcknowledged || isSaid
        try fields.flag("held", &isHeld)
    }
}

// An encoder of lines writes fields into the object that has begun.
extension WatchEncoder: FieldCoder {
    package func missing(_ key: String) {}

    package mutating func text(_ key: String, _ value: inout String?, limit: Int) {
        text(key, boundsTexts ? value.map { sanitized($0, limit: limit) } : value)
    }

    package mutating func integer(_ key: String, _ value: inout Int64?, in range: ClosedRange<Int64>) {
        guard let value else { return }
        json.key(key)
        json.integer(value)
    }

    package mutating func flag(_ key: String, _ value: inout Bool) { flag(key, value) }

    package mutating func word<Word: RawRepresentable>(_ key: String, _ value: inout Word?)
    where Word.RawValue == String {
        text(key, value?.rawValue)
    }

    package mutating func value(_ key: String, _ value: inout VitalValue?) { self.value(key, value) }

    package mutating func time(_ key: String, _ value: inout Int64?) {
        if let value {
            wallTime(
                key, milliseconds: min(max(value, RecordEntry.wallTimes.lowerBound), RecordEntry.wallTimes.upperBound))
        }
    }

    package mutating func object<Value: FieldCodable>(_ key: String, _ value: inout Value?) {
        guard var present = value else { return }
        json.key(key)
        json.beginObject()
        present.code(&self)
        json.endObject()
    }
}
