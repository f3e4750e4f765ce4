import Formats
import HTTP
import JSON
import Monitoring
import Vitals

/// A Nightscout site, which gets glucose: values of sensors, finger-pricks and notes.
///
/// Source: <https://github.com/nightscout/cgm-remote-monitor>. What has the same time and type is stored once. A raw
/// estimate is no value of a sensor there, and a value beyond the sensor's range has no number.
public struct NightscoutForm: HTTPForm {
    /// The version of the site's interface.
    public enum Version: Hashable, Sendable {
        /// The secret is the site's, or an access token.
        case one
        /// The secret is an access token, which is exchanged for one that lasts some hours.
        case three
    }

    public let address: String
    private let version: Version
    /// The values of each sensor that show the direction of its next one, by its address: when, and how much.
    private var recent: [String: [(wall: Int64, value: VitalValue)]] = [:]

    public init(_ address: ServerAddress, _ version: Version) {
        (self.address, self.version) = (address.description, version)
    }

    public var target: String { "nightscout \(address)" }

    public var isOfOnePatient: Bool { true }

    public var documentLimit: Int { version == .one ? 100 : 1 }

    /// The name of this program in what it sends.
    private static let program = "bedside"
    private static let entries = "entries"
    private static let treatments = "treatments"

    // MARK: Documents

    mutating func documents(for item: SendingItem) -> [SendingDocument] {
        switch item {
        case .reading(let recorded):
            let reading = recorded.reading
            guard reading.vital == .glucose, case .measured(let value, let quality) = reading.outcome,
                !quality.isEstimate, quality != .malfunction
            else { return [] }
            let change = change(to: value, at: item.wallMilliseconds, of: reading.sensor)
            return [
                entry("sgv", value, at: item.wallMilliseconds, from: reading.sensor, title: item.logTitle) { json in
                    json.member("direction", change?.arrow.direction ?? "NONE")
                    guard let delta = change?.delta else { return }
                    json.key("delta")
                    json.hundredths(delta.hundredths)
                }
            ]
        case .entry(let recorded): return documents(for: recorded.entry, title: item.logTitle)
        case .alarm: return []
        }
    }

    /// The direction and the change to a value, which is remembered; `nil` without an earlier one that shows it.
    private mutating func change(
        to value: VitalValue, at wall: Int64, of sensor: SensorIdentity
    ) -> (arrow: GlucoseCourse.Arrow, delta: VitalValue)? {
        func seconds(since earlier: Int64) -> Int { Int(clamping: (wall - earlier) / 1000) }
        let known = recent[sensor.address, default: []]
            .filter { seconds(since: $0.wall) <= GlucoseCourse.distances.upperBound }
        recent[sensor.address] = known + [(wall, value)]
        return known.filter { seconds(since: $0.wall) >= GlucoseCourse.distances.lowerBound }.max { $0.wall < $1.wall }
            .flatMap { GlucoseCourse.change(from: $0.value, to: value, seconds: seconds(since: $0.wall)) }
    }

    private func documents(for entry: RecordEntry, title: String) -> [SendingDocument] {
        // A site cannot mark a measurement as unconfirmed: one is sent when somebody confirms it, and never if it is discarded.
        guard entry.facts.isTimeKnown, entry.facts.confirmation != .awaited else { return [] }
        let time = entry.taken.wallMilliseconds
        if let retractedAt = entry.retractedAt { return takenBack(entry, retractedAt.wallMilliseconds, title) }
        switch entry.content {
        case .vital(.glucose, let value, let site):
            let isFinger = site == .finger || entry.source != .typed
            return [
                self.entry("mbg", value, at: time, from: entry.sensor, title: title),
                treatment("BG Check", at: time, title: title) { json in
                    json.key("glucose")
                    json.integer(value.rounded)
                    json.member("glucoseType", isFinger ? "Finger" : "Manual")
                    json.member("units", "mg/dl")
                    if let remark = entry.facts.remark { json.member("notes", remark) }
                },
            ]
        case .note(let text):
            return [treatment("Note", at: time, title: title) { $0.member("notes", text) }]
        default: return []
        }
    }

    /// That an entry, which the site may have, was a mistake; the site's own entries stay.
    private func takenBack(_ entry: RecordEntry, _ time: Int64, _ title: String) -> [SendingDocument] {
        let name: String
        switch entry.content {
        case .vital(.glucose, let value, _): name = "blood glucose \(value.rounded) mg/dL"
        case .note: name = "note"
        default: return []
        }
        let taken = timestamp(ofWallMilliseconds: entry.taken.wallMilliseconds)
        let reason = entry.retractionReason.isEmpty ? "" : ": \(entry.retractionReason)"
        return [
            treatment("Note", at: time, title: title) {
                $0.member("notes", "Taken back: the \(name) of \(taken) was a mistake\(reason)")
            }
        ]
    }

    private func entry(
        _ type: String, _ value: VitalValue, at time: Int64, from sensor: SensorIdentity, title: String,
        _ members: (inout JSONWriter) -> Void = { _ in }
    ) -> SendingDocument {
        let name = sensor == .manual || sensor.name.isEmpty ? "" : " \(sensor.name)"
        return document(Self.entries, at: time, title: title) { json in
            json.member("type", type)
            json.key(type)
            json.integer(value.rounded)
            json.member("dateString", timestamp(ofWallMilliseconds: time))
            json.member("device", Self.program + name)
            members(&json)
        }
    }

    private func treatment(
        _ type: String, at time: Int64, title: String, _ members: (inout JSONWriter) -> Void
    ) -> SendingDocument {
        document(Self.treatments, at: time, title: title) { json in
            json.member("eventType", type)
            json.member("created_at", timestamp(ofWallMilliseconds: time))
            json.member("enteredBy", Self.program)
            members(&json)
        }
    }

    private func document(
        _ place: String, at time: Int64, title: String, _ members: (inout JSONWriter) -> Void
    ) -> SendingDocument {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.key("date")
        json.integer(time)
        json.key("utcOffset")
        json.integer(0)
        json.member("app", Self.program)
        json.endObject()
        return SendingDocument(place: place, parts: [json.bytes], title: title)
    }

    // MARK: Requests

    public func login(with secret: String) -> HTTPRequest? {
        version == .three ? HTTPRequest("GET", "\(address)/api/v2/authorization/request/\(secret)") : nil
    }

    public func secret(in response: HTTPResponse) -> String? {
        (try? JSON5Parser.parse(response.body))?["token"]?.text
    }

    func request(for documents: ArraySlice<SendingDocument>, secret: String?) -> HTTPRequest {
        let place = documents.first?.place ?? Self.entries
        var fields = [HTTPRequest.Field("Content-Type", "application/json")]
        var objects = Array(documents.flatMap(\.parts).joined(separator: [UInt8(ascii: ",")]))
        switch version {
        case .one:
            objects = [UInt8(ascii: "[")] + objects + [UInt8(ascii: "]")]
            if let secret {
                fields.append(
                    HTTPRequest.Field("api-secret", Self.isToken(secret) ? secret : SHA1.hexadecimal(secret)))
            }
            return HTTPRequest("POST", "\(address)/api/v1/\(place).json", fields: fields, body: objects)
        case .three:
            if let secret { fields.append(HTTPRequest.Field("Authorization", "Bearer \(secret)")) }
            return HTTPRequest("POST", "\(address)/api/v3/\(place)", fields: fields, body: objects)
        }
    }

    /// Whether a secret is an access token: a name, a hyphen and 16 hexadecimal digits.
    static func isToken(_ secret: String) -> Bool {
        let parts = secret.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].utf8.count == 16 else { return false }
        return parts[1].allSatisfy { "0123456789abcdef".contains($0) }
    }

    func verdict(
        on response: HTTPResponse, to documents: ArraySlice<SendingDocument>
    ) -> SendingVerdict {
        let answer = try? JSON5Parser.parse(response.body)
        guard (200...299).contains(response.status) else {
            return verdict(onStatus: response, reason: answer?["message"]?.text ?? "")
        }
        let isAnswer =
            version == .one
            ? answer?.elements?.count == documents.count : answer?["identifier"]?.text?.isEmpty == false
        return isAnswer ? .accepted : .failed("the answer is not that of a Nightscout site")
    }
}

extension GlucoseCourse.Arrow {
    /// Nightscout's word.
    fileprivate var direction: String {
        switch self {
        case .fallingVeryFast: "DoubleDown"
        case .fallingFast: "SingleDown"
        case .falling: "FortyFiveDown"
        case .steady: "Flat"
        case .rising: "FortyFiveUp"
        case .risingFast: "SingleUp"
        case .risingVeryFast: "DoubleUp"
        }
    }
}

extension VitalValue {
    /// The nearest whole number.
    fileprivate var rounded: Int { (hundredths + (hundredths < 0 ? -50 : 50)) / 100 }
}
