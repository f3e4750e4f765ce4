import CCurl
import Glibc

/// Sends messages in the frames of MLLP, and waits for the answer to each: for a process or a thread that may wait.
///
/// Source: HL7 Version 2.x, Lower Layer Protocol. The connection is libcurl's, so a certificate is checked as for HTTP, and
/// stays open for the next message.
public final class MLLPClient {
    /// The largest answer that is read, in bytes.
    static let answerLimit = 1 << 20
    private static let start: UInt8 = 0x0B
    private static let end: UInt8 = 0x1C
    private static let carriageReturn: UInt8 = 0x0D

    private let functions: ccurl_functions
    private let address: MLLPAddress
    private let authorities: String?
    private var connection: UnsafeMutableRawPointer?

    /// Loads libcurl.
    ///
    /// - Parameters:
    ///   - address: Where the server listens.
    ///   - authorities: The file of the authorities that the server's certificate may come from; `nil` for the system's.
    /// - Throws: ``HTTPError``, where it is not installed.
    public init(_ address: MLLPAddress, authorities: String?) throws(HTTPError) {
        functions = try CurlLibrary.functions().table
        (self.address, self.authorities) = (address, authorities)
    }

    deinit { disconnect() }

    /// Sends a message.
    ///
    /// A server may have closed the connection meanwhile; then the message is sent once more over a new one.
    ///
    /// - Parameters:
    ///   - message: The message without a frame.
    ///   - limit: How long the answer may take.
    /// - Returns: The answer without its frame.
    /// - Throws: ``HTTPError`` without one.
    public func send(_ message: [UInt8], within limit: Duration = .seconds(60)) throws(HTTPError) -> [UInt8] {
        let end = ContinuousClock.now + limit
        if connection != nil {
            do throws(HTTPError) {
                return try exchange(message, until: end)
            } catch  where error.kind == .unreachable {
                disconnect()
            } catch {
                disconnect()
                throw error
            }
        }
        try connect(until: end)
        do throws(HTTPError) {
            return try exchange(message, until: end)
        } catch {
            disconnect()
            throw error
        }
    }

    private func disconnect() {
        if let connection { functions.easy_cleanup(connection) }
        connection = nil
    }

    private func connect(until end: ContinuousClock.Instant) throws(HTTPError) {
        guard let handle = functions.easy_init() else {
            throw HTTPError(.unreachable, "there is no memory for a connection")
        }
        let code = withUnsafePointer(to: functions) { functions in
            let milliseconds = min(max(1, Self.milliseconds(until: end)), 15_000)
            _ = ccurl_set_text(functions, handle, CCURLOPT_URL, address.url)
            _ = ccurl_set_text(functions, handle, CCURLOPT_PROXY, "")
            _ = ccurl_set_number(functions, handle, CCURLOPT_NOSIGNAL, 1)
            _ = ccurl_set_number(functions, handle, CCURLOPT_CONNECT_ONLY, 1)
            _ = ccurl_set_number(functions, handle, CCURLOPT_SSL_ENABLE_ALPN, 0)
            _ = ccurl_set_number(functions, handle, CCURLOPT_TIMEOUT_MS, milliseconds)
            if let authorities { _ = ccurl_set_text(functions, handle, CCURLOPT_CAINFO, authorities) }
            return functions.pointee.easy_perform(handle)
        }
        guard code == 0 else {
            functions.easy_cleanup(handle)
            throw CurlLibrary.error(code, functions)
        }
        connection = handle
    }

    private static func milliseconds(until end: ContinuousClock.Instant) -> Int {
        let left = (end - .now).components
        return Int(left.seconds) * 1000 + Int(left.attoseconds / 1_000_000_000_000_000)
    }

    private func exchange(_ message: [UInt8], until end: ContinuousClock.Instant) throws(HTTPError) -> [UInt8] {
        var rest = ([Self.start] + message + [Self.end, Self.carriageReturn])[...]
        while !rest.isEmpty {
            var count = 0
            let code = rest.withUnsafeBytes { functions.easy_send(connection, $0.baseAddress, $0.count, &count) }
            try wait(after: code, Int16(POLLOUT), until: end)
            rest = rest.dropFirst(count)
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            var count = 0
            let code = chunk.withUnsafeMutableBytes {
                functions.easy_recv(connection, $0.baseAddress, $0.count, &count)
            }
            if code == 0, count == 0 { throw HTTPError(.unreachable, "it breaks the connection") }
            try wait(after: code, Int16(POLLIN), until: end)
            answer += chunk.prefix(count)
            // The final carriage return is left out by some servers, and read with the next answer of others.
            if let last = answer.firstIndex(of: Self.end) {
                guard let first = answer[..<last].lastIndex(of: Self.start) else {
                    throw HTTPError(.unreachable, "its answer has no frame")
                }
                return Array(answer[(first + 1)..<last])
            }
            guard answer.count <= Self.answerLimit else { throw HTTPError(.unreachable, "its answer is too large") }
        }
    }

    /// Waits where nothing could be sent or received yet.
    private func wait(after code: UInt32, _ events: Int16, until end: ContinuousClock.Instant) throws(HTTPError) {
        if code == 0 { return }
        guard code == CCURLE_AGAIN else { throw HTTPError(.unreachable, "it breaks the connection") }
        let left = Self.milliseconds(until: end)
        let descriptor = withUnsafePointer(to: functions) { ccurl_descriptor($0, connection) }
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        guard left > 0, poll(&request, 1, Int32(clamping: left)) > 0 else {
            throw HTTPError(.timeout, "it does not answer in time")
        }
    }
}

/// The address of a server of MLLP: `mllp://engine.example:2575`, or `mllps://…` for an encrypted connection.
public struct MLLPAddress: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// Whether the connection is encrypted.
    public let isEncrypted: Bool
    /// The same address for libcurl.
    let url: String

    /// Reads an address, by default with port 2575; `nil` when it is none.
    public init?(_ text: String) {
        isEncrypted = text.hasPrefix("mllps://")
        guard isEncrypted || text.hasPrefix("mllp://") else { return nil }
        let rest = text.dropFirst(isEncrypted ? 8 : 7)
        // The host is checked as that of any server; it may be on another computer without encryption.
        guard !rest.contains("/"), ServerAddress("https://\(rest)") != nil else { return nil }
        let hasPort = rest.split(separator: "]", omittingEmptySubsequences: false).last?.contains(":") == true
        let place = hasPort ? String(rest) : "\(rest):2575"
        description = "\(isEncrypted ? "mllps" : "mllp")://\(place)"
        url = "\(isEncrypted ? "https" : "http")://\(place)"
    }
}
