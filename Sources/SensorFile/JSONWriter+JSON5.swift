import JSON

extension JSONWriter {
    /// Writes a parsed value; numbers that JSON lacks become `null`.
    mutating func value(_ value: JSON5Value) {
        switch value.content {
        case .null: null()
        case .boolean(let isTrue): bool(isTrue)
        case .number(let number):
            // Exact for every whole number that a double holds; others are written as Swift prints them, which is JSON.
            if let whole = Int64(exactly: number) { integer(whole) } else { self.number(number) }
        case .string(let text): string(text)
        case .array(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }
}
