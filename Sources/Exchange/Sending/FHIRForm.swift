import Formats
import HTTP
import JSON
import Monitoring
import Vitals

/// A server of HL7 FHIR R4, which gets transactions.
///
/// Source: <https://hl7.org/fhir/R4/http.html#transaction>. Each resource is created unless the server has it.
public struct FHIRForm: HTTPForm {
    public let address: String
    private let patient: String?
    private let isSimulated: Bool
    private var transaction: FHIRTransaction

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - address: The base of the server's resources.
    ///   - patient: The reference of the patient there; `nil` for an unassigned bed.
    ///   - isSimulated: Whether the data are simulated, which each resource says.
    public init(_ address: ServerAddress, patient: String?, isSimulated: Bool) {
        (self.address, self.patient, self.isSimulated) = (address.description, patient, isSimulated)
        transaction = FHIRTransaction(isSimulated: isSimulated, patient: patient)
    }

    public mutating func prepare(_ entries: EntrySurvey) {
        transaction = FHIRTransaction(entries: entries, isSimulated: isSimulated, patient: patient)
    }

    public var target: String { "fhir \(address) \(patient ?? "-")" }

    public var isOfOnePatient: Bool { patient != nil }

    public var documentLimit: Int { 200 }

    mutating func documents(for item: SendingItem) -> [SendingDocument] {
        let parts: [[UInt8]]
        var sensors: [SensorIdentity] = []
        switch item {
        case .reading(let recorded):
            parts = [transaction.entry(for: recorded)]
            sensors = [recorded.reading.sensor]
        case .entry(let recorded): parts = transaction.entries(for: recorded)
        case .alarm(let entry, let number):
            parts = transaction.entry(for: entry, number: number).map { [$0] } ?? []
            if case .change(let change) = entry.content { sensors = change.sensor.map { [$0] } ?? [] }
        }
        return parts.isEmpty ? [] : [SendingDocument(parts: parts, sensors: sensors, title: item.logTitle)]
    }

    mutating func request(for documents: ArraySlice<SendingDocument>, secret: String?) -> HTTPRequest {
        var fields = [
            HTTPRequest.Field("Content-Type", "application/fhir+json"),
            HTTPRequest.Field("Accept", "application/fhir+json"),
        ]
        if let secret { fields.append(HTTPRequest.Field("Authorization", "Bearer \(secret)")) }
        return HTTPRequest(
            "POST", address, fields: fields,
            body: transaction.bundle(documents.flatMap(\.parts), sensors: Self.sensors(of: documents)))
    }

    /// The sensors of a request, each once.
    private static func sensors(of documents: ArraySlice<SendingDocument>) -> [SensorIdentity] {
        var addresses: Set<String> = []
        return documents.flatMap(\.sensors).filter { addresses.insert($0.address).inserted }
    }

    func verdict(
        on response: HTTPResponse, to documents: ArraySlice<SendingDocument>
    ) -> SendingVerdict {
        let answer = try? JSON5Parser.parse(response.body)
        guard (200...299).contains(response.status) else {
            return verdict(onStatus: response, reason: Self.diagnosis(answer))
        }
        // What else answers, such as a gateway's page, has stored nothing.
        let count = documents.reduce(Self.sensors(of: documents).count) { $0 + $1.parts.count }
        let entries = answer?["entry"]?.elements ?? []
        guard answer?["type"]?.text == "transaction-response", entries.count == count,
            entries.allSatisfy({ $0["response"]?["status"]?.text?.hasPrefix("2") == true })
        else { return .failed("the answer is not that of a FHIR server to a transaction") }
        return .accepted
    }

    /// What an OperationOutcome says.
    private static func diagnosis(_ answer: JSON5Value?) -> String {
        let issue = answer?["issue"]?.elements?.first
        return issue?["diagnostics"]?.text ?? issue?["details"]?["text"]?.text ?? issue?["code"]?.text ?? ""
    }
}
