import Base
import Formats
import HTTP
import Vitals

/// A part of a request: what a server accepts or refuses as a whole.
public struct SendingDocument: Hashable, Sendable {
    /// Where it goes, such as `entries`; empty for a server with one place.
    ///
    /// Documents of one place share a request.
    public var place: String
    /// Its content in the form of the server, one or several objects.
    public var parts: [[UInt8]]
    /// The sensors that it names.
    public var sensors: [SensorIdentity]
    /// What it is, without values and names, for a log: "heart rate of 2026-01-02T03:04:05.678Z".
    public var title: String
    /// What distinguishes it from all others of the store, where the server does not recognise what comes twice.
    public var identifier: String?

    public init(
        place: String = "", parts: [[UInt8]], sensors: [SensorIdentity] = [], title: String, identifier: String? = nil
    ) {
        (self.place, self.parts, self.sensors) = (place, parts, sensors)
        (self.title, self.identifier) = (title, identifier)
    }
}

/// What an answer means.
public enum SendingVerdict: Hashable, Sendable {
    /// The server has stored everything.
    case accepted
    /// The server refuses the content, for this reason.
    case refused(String)
    /// The server rejects the secret.
    case unauthorized
    /// The server did not do its work, for this reason; the same may be sent again, and not before some seconds.
    case failed(String, retryAfter: Int64? = nil)
}

/// A request to a server of any kind.
public enum SendingRequest: Hashable, Sendable {
    case http(HTTPRequest)
    /// A message of HL7 Version 2, without its frame.
    case message([UInt8])
}

/// A server's answer to such a request.
public enum SendingAnswer: Hashable, Sendable {
    case http(HTTPResponse)
    /// An acknowledgement of HL7 Version 2, without its frame.
    case message([UInt8])
}

/// The form in which a kind of server gets the record.
public protocol SendingForm {
    /// The address, for a log.
    var address: String { get }

    /// What the cursor belongs to: the server and the patient there.
    var target: String { get }

    /// Whether what it gets is about one patient, so that another patient of the store must not be sent there.
    var isOfOnePatient: Bool { get }

    /// The most documents in a request.
    var documentLimit: Int { get }

    /// Takes over what must be known of the store: the entries that others correct.
    mutating func prepare(_ entries: EntrySurvey)

    /// The documents of items; none for what the server has no place for.
    mutating func documents(of items: [SendingItem]) -> [SendingDocument]

    /// The request that exchanges the secret for another one that does not last; `nil` where it is used as it is.
    func login(with secret: String) -> HTTPRequest?

    /// The secret in the answer to such a request.
    func secret(in response: HTTPResponse) -> String?

    /// A request.
    ///
    /// - Parameters:
    ///   - documents: Its documents, all of one place.
    ///   - secret: The secret; `nil` where the server wants none.
    mutating func request(with documents: ArraySlice<SendingDocument>, secret: String?) -> SendingRequest

    /// What the answer to a request means.
    func verdict(onAnswer answer: SendingAnswer, to documents: ArraySlice<SendingDocument>) -> SendingVerdict
}

extension SendingForm {
    public mutating func prepare(_ entries: EntrySurvey) {}

    public func login(with secret: String) -> HTTPRequest? { nil }

    public func secret(in response: HTTPResponse) -> String? { nil }
}

/// The form of a server of HTTP.
protocol HTTPForm: SendingForm {
    /// The documents of an item; none for what the server has no place for.
    mutating func documents(for item: SendingItem) -> [SendingDocument]

    mutating func request(for documents: ArraySlice<SendingDocument>, secret: String?) -> HTTPRequest

    func verdict(on response: HTTPResponse, to documents: ArraySlice<SendingDocument>) -> SendingVerdict
}

extension HTTPForm {
    public mutating func documents(of items: [SendingItem]) -> [SendingDocument] {
        items.flatMap { documents(for: $0) }
    }

    public mutating func request(with documents: ArraySlice<SendingDocument>, secret: String?) -> SendingRequest {
        .http(request(for: documents, secret: secret))
    }

    public func verdict(
        onAnswer answer: SendingAnswer, to documents: ArraySlice<SendingDocument>
    ) -> SendingVerdict {
        guard case .http(let response) = answer else { return .failed("the answer is none of HTTP") }
        return verdict(on: response, to: documents)
    }

    /// What a status code means that is none of success.
    func verdict(onStatus response: HTTPResponse, reason: String) -> SendingVerdict {
        // A server's words are shown in a terminal and in a log.
        let reason = sanitized(reason, limit: 200)
        let text = reason.isEmpty ? "status \(response.status)" : "status \(response.status): \(reason)"
        return switch response.status {
        case 401, 403: .unauthorized
        // Everything would be refused there; the address may be wrong.
        case 404, 405, 410: .failed("\(text); look at the address", retryAfter: response.retryAfter)
        case 400...499 where ![408, 425, 429].contains(response.status): .refused(text)
        default: .failed(text, retryAfter: response.retryAfter)
        }
    }
}
