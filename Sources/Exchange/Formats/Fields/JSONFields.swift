import JSON
import VitalDecoders

extension JSONWriter {
    /// Writes the fields of a decoded value as an object.
    public mutating func fields(_ fields: [Field]) {
        beginObject()
        for field in fields {
            key(field.name)
            value(field.value)
        }
        endObject()
    }

    /// Writes the value of a field; an absent one is `null`.
    public mutating func value(_ value: FieldValue) {
        switch value {
        case .absent: null()
        case .bool(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .decimal(let number): decimal(number)
        case .text(let text): string(text)
        case .list(let values):
            beginArray()
            for element in values {
                self.value(element)
            }
            endArray()
        case .object(let members): fields(members)
        }
    }
}
