/// The labels that every output of a session must show (simulated, replay, patient), and the local time.
///
/// An output is made with it and replaces it as a whole, so that no label can be forgotten.
public struct SessionContext: Hashable, Sendable {
    /// Whether the data are simulated; may be unknown.
    public var provenance: Provenance
    /// Whether a recording is played.
    public var isReplay: Bool
    /// The patient; `nil` for the unnamed patient.
    public var patient: PatientName?
    /// The local time's offset from UTC in seconds, positive to the east.
    public var timeZoneOffset: Int

    public init(provenance: Provenance, isReplay: Bool = false, patient: PatientName?, timeZoneOffset: Int) {
        (self.provenance, self.isReplay) = (provenance, isReplay)
        (self.patient, self.timeZoneOffset) = (patient, timeZoneOffset)
    }

    /// Whether the data are known to be simulated.
    public var isSimulated: Bool { provenance == .simulated }
}
