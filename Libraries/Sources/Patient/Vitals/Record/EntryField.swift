import Base

/// A field of an entry's content, described once for the screen, files, messages, the store and their checks.
///
/// ``RecordEntry/Kind/fields`` lists those of each kind; all code that writes, reads or checks entries uses that list.
public struct EntryField: Sendable {
    /// The name in lines, messages and the store.
    public let name: String
    /// The form of its values.
    public let form: Form
    /// The unit in UCUM notation; `nil` where it has none.
    public let unit: String?
    /// What it does for the entry, beside being a part of it.
    public let role: Role
    /// Whether every entry of the kind has it.
    public let isRequired: Bool
    /// Whether it follows from the other fields, and so is written but never read.
    public let isDerived: Bool
    /// Its LOINC code, in files that say what a number is by a code.
    public let code: Code?
    /// What is asked for it, where the kind is a form with questions.
    public let question: String?
    /// What a person reads when its value is impossible, the end of a sentence.
    public let complaint: String
    /// The name of its value as a quantity in tables; `nil` for what is no quantity.
    public let quantity: @Sendable (RecordEntry.Content) -> String?
    /// Its value; `nil` where the content has none.
    public let value: @Sendable (RecordEntry.Content) -> Value?

    /// The form of values, with what is possible.
    public enum Form: Hashable, Sendable {
        /// Hundredths of the unit.
        case hundredths(ClosedRange<Int>)
        /// Thousandths of the unit.
        case thousandths(ClosedRange<Int>)
        /// A whole number of the unit.
        case whole(ClosedRange<Int>)
        /// One of these words.
        case word([String])
        /// Typed text, sanitized, with a limit of characters (Unicode scalars).
        case text(limit: Int)
        /// True or false.
        case flag
    }

    /// What a field does for the entry.
    public enum Role: Hashable, Sendable {
        /// A part of the entry.
        case part
        /// The number that represents the entry.
        case value
        /// The text that represents the entry.
        case words
        /// The unit of the dose.
        case unit
        /// The name of a person, which never leaves the bed.
        case person
    }

    /// A value in the parts of its form.
    public enum Value: Hashable, Sendable {
        case number(Int)
        case text(String)
        case flag(Bool)
    }

    /// A LOINC code (<https://loinc.org>).
    public struct Code: Hashable, Sendable {
        public let code: String
        public let display: String
        /// Other codes that are read as the same.
        public let others: [String]

        public init(_ code: String, _ display: String, or others: [String] = []) {
            (self.code, self.display, self.others) = (code, display, others)
        }
    }

    init(
        _ name: String, _ form: Form, unit: String? = nil, role: Role = .part, isRequired: Bool = false,
        isDerived: Bool = false, code: Code? = nil, question: String? = nil, complaint: String = "",
        quantity: String? = nil, of value: @escaping @Sendable (RecordEntry.Content) -> Value?
    ) {
        self.init(
            name, form, unit: unit, role: role, isRequired: isRequired, isDerived: isDerived, code: code,
            question: question, complaint: complaint, quantityOf: { _ in quantity }, of: value)
    }

    init(
        _ name: String, _ form: Form, unit: String? = nil, role: Role = .part, isRequired: Bool = false,
        isDerived: Bool = false, code: Code? = nil, question: String? = nil, complaint: String = "",
        quantityOf quantity: @escaping @Sendable (RecordEntry.Content) -> String?,
        of value: @escaping @Sendable (RecordEntry.Content) -> Value?
    ) {
        self.name = name
        self.form = form
        self.unit = unit
        self.role = role
        self.isRequired = isRequired
        self.isDerived = isDerived
        self.code = code
        self.question = question
        self.complaint = complaint
        self.quantity = quantity
        self.value = value
    }

    /// Whether a value is possible.
    public func allows(_ value: Value) -> Bool {
        switch (form, value) {
        case (.hundredths(let range), .number(let number)), (.thousandths(let range), .number(let number)),
            (.whole(let range), .number(let number)):
            range.contains(number)
        case (.word(let words), .text(let text)): words.contains(text)
        case (.text(let limit), .text(let text)):
            !(isRequired && text.isEmpty) && sanitized(text, limit: limit) == text
        case (.flag, .flag): true
        case (.hundredths, _), (.thousandths, _), (.whole, _), (.word, _), (.text, _), (.flag, _): false
        }
    }

    /// A number of its form in hundredths; `nil` for other forms, and for doses, which have more decimals.
    public func hundredths(_ content: RecordEntry.Content) -> VitalValue? {
        guard case .number(let number) = value(content) else { return nil }
        return switch form {
        case .hundredths: VitalValue(hundredths: number)
        case .whole: VitalValue(whole: number)
        case .thousandths, .word, .text, .flag: nil
        }
    }

    /// The values of fields by their names, from which a kind makes its content.
    public struct Values: Sendable {
        private var values: [String: Value] = [:]
        /// When it was measured, in milliseconds since 1970 (UTC).
        public let taken: Int64

        public init(taken: Int64) { self.taken = taken }

        /// The value of a field; `nil` where it is missing.
        public subscript(name: String) -> Value? {
            get { values[name] }
            set { values[name] = newValue }
        }

        func number(_ name: String) -> Int? { if case .number(let number) = values[name] { number } else { nil } }
        func text(_ name: String) -> String? { if case .text(let text) = values[name] { text } else { nil } }
        func flag(_ name: String) -> Bool? { if case .flag(let flag) = values[name] { flag } else { nil } }
    }
}

/// A number of an entry, as a column of a table.
public struct EntryQuantity: Hashable, Sendable {
    /// What was measured: `systolic_pressure`.
    public var name: String
    /// The unit in UCUM notation.
    public var unit: String
    /// The number in hundredths of the unit.
    public var value: VitalValue
}

extension RecordEntry {
    /// The unit of ratings and scores in UCUM notation.
    public static let scoreUnit = "{score}"

    /// The numbers of the entry, in the order of its fields; none for words.
    public var quantities: [EntryQuantity] {
        // Nothing was measured.
        if absence != nil { return [] }
        return content.fields.compactMap { field in
            guard let name = field.quantity(content), let value = field.hundredths(content) else { return nil }
            return EntryQuantity(name: name, unit: field.unit ?? Self.scoreUnit, value: value)
        }
    }
}

extension RecordEntry.Content {
    /// The fields of its kind.
    public var fields: [EntryField] {
        if case .vital(let vital, _, _) = self { return RecordEntry.Kind.fields(of: vital) }
        return kind?.fields ?? []
    }

    /// The vital that it is about; `nil` where it is not about one.
    public var vital: Vital? {
        if case .vital(let vital, _, _) = self { vital } else { kind?.vital }
    }

    /// The values of its fields, without those that follow from others.
    public func values(
        taken: Int64, where isIncluded: (EntryField) -> Bool = { _ in true }
    ) -> EntryField.Values {
        var values = EntryField.Values(taken: taken)
        for field in fields where !field.isDerived && isIncluded(field) { values[field.name] = field.value(self) }
        return values
    }

    /// Why it is no possible content of an entry, the end of a sentence; `nil` for a possible one.
    public var complaint: String? {
        if case .noMeasurement = self { return "only a sensor says that it has measured nothing" }
        guard let kind else { return RecordEntry.Kind.notEnterable }
        for field in kind.fields where !field.isDerived {
            guard let value = field.value(self) else {
                if field.isRequired { return field.complaint }
                continue
            }
            guard field.allows(value) else { return field.complaint }
        }
        return kind.traits.isPossible(self) ? nil : kind.traits.complaint
    }
}
