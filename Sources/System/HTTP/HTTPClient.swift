import CCurl
import Synchronization

/// Sends requests to servers, one at a time, and waits for each answer: for a process or a thread that may wait.
///
/// The certificate of a server is always checked; a redirection is not followed, because it would take a secret to
/// another server.
public final class HTTPClient {
    /// The largest answer that is read, in bytes.
    static let answerLimit = 16 << 20

    private let functions: ccurl_functions
    private let handle: UnsafeMutableRawPointer
    private let program: String
    private let authorities: String?

    /// Loads libcurl.
    ///
    /// - Parameters:
    ///   - program: The name that the server gets, such as `bedside/1.0`.
    ///   - authorities: The file of the authorities that the server's certificate may come from; `nil` for the system's.
    /// - Throws: ``HTTPError``, where it is not installed.
    public init(program: String, authorities: String?) throws(HTTPError) {
        functions = try CurlLibrary.functions().table
        guard let handle = functions.easy_init() else {
            throw HTTPError(.unreachable, "there is no memory for a connection")
        }
        (self.handle, self.program, self.authorities) = (handle, program, authorities)
    }

    deinit { functions.easy_cleanup(handle) }

    /// Sends a request; the connection stays open for the next one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: How long everything may take.
    /// - Throws: ``HTTPError`` without an answer.
    public func send(_ request: HTTPRequest, within limit: Duration = .seconds(60)) throws(HTTPError) -> HTTPResponse {
        withUnsafePointer(to: functions) { functions in
            functions.pointee.easy_reset(handle)
            set(functions, request, limit)
        }
        var fields: OpaquePointer?
        for field in request.fields { fields = functions.slist_append(fields, "\(field.name): \(field.value)") }
        // Without waiting for the server's permission to send more than a kilobyte.
        fields = functions.slist_append(fields, "Expect:")
        defer { functions.slist_free_all(fields) }
        let answer = Answer()
        let code = withUnsafePointer(to: functions) { functions in
            _ = ccurl_set_pointer(functions, handle, CCURLOPT_HTTPHEADER, UnsafeRawPointer(fields))
            _ = ccurl_set_pointer(
                functions, handle, CCURLOPT_WRITEDATA, Unmanaged.passUnretained(answer).toOpaque())
            return request.body.withUnsafeBytes { body in
                if !request.body.isEmpty {
                    _ = ccurl_set_large(functions, handle, CCURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
                    _ = ccurl_set_pointer(functions, handle, CCURLOPT_POSTFIELDS, body.baseAddress)
                }
                return functions.pointee.easy_perform(handle)
            }
        }
        guard code == 0 else { throw CurlLibrary.error(code, functions) }
        return withUnsafePointer(to: functions) { functions in
            let seconds = ccurl_retry_after(functions, handle)
            return HTTPResponse(
                status: ccurl_status(functions, handle), body: answer.bytes, retryAfter: seconds > 0 ? seconds : nil)
        }
    }

    private func set(_ functions: UnsafePointer<ccurl_functions>, _ request: HTTPRequest, _ limit: Duration) {
        let milliseconds = Int(limit.components.seconds) * 1000
        _ = ccurl_set_text(functions, handle, CCURLOPT_PROTOCOLS_STR, "http,https")
        _ = ccurl_set_text(functions, handle, CCURLOPT_URL, request.url)
        _ = ccurl_set_text(functions, handle, CCURLOPT_CUSTOMREQUEST, request.method)
        _ = ccurl_set_text(functions, handle, CCURLOPT_USERAGENT, program)
        _ = ccurl_set_number(functions, handle, CCURLOPT_NOSIGNAL, 1)
        _ = ccurl_set_number(functions, handle, CCURLOPT_TIMEOUT_MS, milliseconds)
        _ = ccurl_set_number(functions, handle, CCURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 15_000))
        if let authorities { _ = ccurl_set_text(functions, handle, CCURLOPT_CAINFO, authorities) }
        _ = ccurl_set_writer(functions, handle) { bytes, size, count, answer in
            guard let bytes, let answer else { return 0 }
            return Unmanaged<Answer>.fromOpaque(answer).takeUnretainedValue().append(bytes, size * count)
        }
    }

    /// The body of an answer while it comes.
    private final class Answer {
        var bytes: [UInt8] = []

        /// Appends bytes; returns their number, or less to end the connection.
        func append(_ start: UnsafePointer<CChar>, _ count: Int) -> Int {
            guard bytes.count + count <= HTTPClient.answerLimit else { return 0 }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
            return count
        }
    }
}

/// libcurl, loaded once.
enum CurlLibrary {
    /// The library's functions; the pointers never change once they are loaded.
    struct Functions: @unchecked Sendable {
        let table: ccurl_functions
    }

    private static let loaded = Mutex<Functions?>(nil)

    static func functions() throws(HTTPError) -> Functions {
        let functions = loaded.withLock { loaded in
            if loaded == nil {
                // Tried again each time, because it may be installed meanwhile.
                var table = ccurl_functions()
                if ccurl_load(&table) == 0 { loaded = Functions(table: table) }
            }
            return loaded
        }
        guard let functions else {
            throw HTTPError(.noLibrary, "libcurl is not installed; run: sudo apt install libcurl4")
        }
        return functions
    }

    /// The error of a code.
    static func error(_ code: UInt32, _ functions: ccurl_functions) -> HTTPError {
        let reason = functions.easy_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return switch code {
        case CCURLE_COULDNT_RESOLVE_HOST: HTTPError(.unreachable, "its name is not known")
        case CCURLE_COULDNT_CONNECT: HTTPError(.unreachable, "it cannot be reached")
        case CCURLE_OPERATION_TIMEDOUT: HTTPError(.timeout, "it does not answer in time")
        case CCURLE_WRITE_ERROR: HTTPError(.unreachable, "its answer is too large")
        case CCURLE_PEER_FAILED_VERIFICATION: HTTPError(.certificate, "its certificate is not trusted")
        case CCURLE_SSL_CONNECT_ERROR: HTTPError(.certificate, "there is no encrypted connection")
        case CCURLE_SSL_CACERT_BADFILE: HTTPError(.certificate, "the file of the authorities cannot be used")
        default: HTTPError(.unreachable, reason.prefix(1).lowercased() + reason.dropFirst())
        }
    }
}
