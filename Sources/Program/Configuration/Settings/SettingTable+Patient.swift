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
    public struct Patient: Hashable, Sendable {
        /// The patient's identifier; `nil` for the patient without a name.
        public var name: PatientName?

        public init() {}
    }
}

extension SettingCodec {
    /// The name of a patient; empty for none.
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
