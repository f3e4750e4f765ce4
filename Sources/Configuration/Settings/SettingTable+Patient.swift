import Vitals

extension SettingTable {
    static let patient: [Setting] = [
        Setting(
            "patient", "name", \.patient.name, .patientName(), option: "patient",
            """
            What the patient is called here, such as "bed-12"; each has a store, limits, and remembered sensors of their \
            own, and a monitor of their own at the same time. Empty for the one patient of a computer that has no other.
            """)
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

extension SettingForm {
    /// The name of a patient, or an empty text for none.
    static func patientName() -> SettingForm<PatientName?> {
        let expectation = "a name: \(PatientName.rule)"
        return SettingForm<PatientName?>(
            expectation,
            read: { value throws(SettingRefusal) in
                guard case .text(let text) = value else { throw SettingRefusal(expected: expectation, value) }
                if text.isEmpty { return nil }
                guard let name = PatientName(text) else { throw SettingRefusal(expected: expectation, value) }
                return name
            },
            write: { .text($0?.text ?? "") })
    }
}
