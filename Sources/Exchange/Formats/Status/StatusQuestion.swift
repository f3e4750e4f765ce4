import JSON

/// A request for status at a monitor's socket: one JSON object in a line.
public enum StatusQuestion: Hashable, Sendable {
    /// `{"ask":"status"}`: one answer.
    case once
    /// `{"ask":"status","follow":true}`: an answer now and at each change.
    case follow

    /// Parses a line; `nil` when it is another request.
    public init?(_ line: [UInt8]) {
        guard let value = try? JSON5Parser.parse(line), value["ask"]?.text == "status" else { return nil }
        self = value["follow"]?.boolean == true ? .follow : .once
    }

    /// The request with its line feed.
    public var line: [UInt8] {
        Array((self == .follow ? "{\"ask\":\"status\",\"follow\":true}\n" : "{\"ask\":\"status\"}\n").utf8)
    }

    /// The answer to a follow request when too many clients follow already.
    public static let noPlace = Array("{\"v\":1,\"error\":\"too many connections\"}\n".utf8)

    /// The answer to an invalid request.
    public static let refusal = Array(
        "{\"v\":1,\"error\":\"ask one JSON object in a line, such as {\\\"ask\\\":\\\"status\\\"}\"}\n".utf8)
}
