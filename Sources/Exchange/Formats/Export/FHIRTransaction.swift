import JSON
import Monitoring
import Vitals

/// Writes Bundles of the type transaction, HL7 FHIR R4, for a server.
///
/// Source: <https://hl7.org/fhir/R4/http.html#transaction>. A server creates each resource unless it has one with this
/// identifier, so the same Bundle may be sent again. A taken-back entry replaces the resource with its identifier.
public struct FHIRTransaction {
    private var encoder: FHIREncoder

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - entries: Those that others correct.
    ///   - isSimulated: Whether the data are simulated, which every resource says.
    ///   - patient: The reference of the patient, such as `Patient/123`; `nil` for an unassigned bed.
    public init(entries: EntrySurvey = EntrySurvey(), isSimulated: Bool, patient: String?) {
        encoder = FHIREncoder(
            sources: [], keys: entries.keys, isSimulated: isSimulated, patient: patient, isTransaction: true)
    }

    /// Whether a text is the reference of a patient, such as `Patient/123`.
    public static func isPatient(_ text: String) -> Bool { patientForm.groups(of: text) != nil }

    private static let patientForm = TextForm("(https?://[^[:space:]\"\\]+/)?Patient/[A-Za-z0-9.-]{1,64}")

    /// The entry of a Bundle for a reading.
    public mutating func entry(for recorded: RecordedReading) -> [UInt8] {
        encoder.removeAll()
        encoder.write(recorded)
        return Array(encoder.bytes.drop { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") })
    }

    /// The entries of a Bundle for an entry of the record: several for a blood count.
    public func entries(for recorded: RecordedEntry) -> [[UInt8]] { encoder.resources(of: recorded) }

    /// The entry of a Bundle for a change of an alarm; `nil` for an action.
    ///
    /// - Parameter number: The entry's number in the log.
    public func entry(for logged: AlarmLogEntry, number: Int64) -> [UInt8]? {
        guard case .change(let change) = logged.content else { return nil }
        return encoder.alarm(logged, change, number: number)
    }

    /// A Bundle.
    ///
    /// - Parameters:
    ///   - entries: Its entries, at least one.
    ///   - sensors: All sensors that they name.
    public mutating func bundle(_ entries: [[UInt8]], sensors: [SensorIdentity]) -> [UInt8] {
        var bytes = Array(#"{"resourceType":"Bundle","type":"transaction","entry":["#.utf8)
        encoder.removeAll()
        for (place, entry) in (sensors.map { encoder.device($0) } + entries).enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += entry
        }
        bytes += "]}".utf8
        return bytes
    }
}
