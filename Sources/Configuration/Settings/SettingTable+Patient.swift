import Vitals

extension SettingTable {
    static let patient: [Setting] = [
        Setting(
            "patient", "name", \.patient.name, .patientName(), option: "patient",
            """
            What the patient is called here, such as "bed-12"; each has a store, limits, and remembered sensors of their \
            own, and a monitor of their own at the same time. Empty for the one patient of a computer that has no other.
            """
        ).fromNextStart
    ]
}

extension Settings {
    /// Who is monitored.
    public struct Patient: Hashable, Sendable {
        /// What the patient is called here; `nil` for the one that has no name.
        public var name: PatientName?

        /// Makes the usual choice: the one that has no name.
        public init() {}
    }
}

extension SettingCodec {
    /// The name of a patient, or an empty text for none.
    static func patientName() -> SettingCodec<PatientName?> {
        let expectation = "a name: \(PatientName.rule)"
        return SettingCodec<PatientName?>(
            expectation,
            read: { value throws(SettingError) in
                guard case .text(let text) = value else { throw SettingError(expected: expectation, value) }
                if text.isEmpty { return nil }
                guard let name = PatientName(text) else { throw SettingError(expected: expectation, value) }
                return name
            },
            write: { .text($0?.text ?? "") })
    }
}
