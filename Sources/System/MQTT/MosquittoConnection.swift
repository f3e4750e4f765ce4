import CMosquitto
import Glibc
import Synchronization

/// One connection of libmosquitto to a broker; its owner drives it, and only one thread at a time may use it.
final class MosquittoConnection {
    /// An event within a call of the library.
    enum Event {
        /// The broker has answered: with its code of refusal, or 0.
        case answered(Int32)
        /// The connection has ended, with the library's code.
        case ended(Int32)
        case received(ReceivedMessage)
        /// The broker has acknowledged a message, with its code of refusal, or 0.
        case acknowledged(message: Int32, Int32)
        /// The broker has answered a subscription: granted or not.
        case subscribed(request: Int32, isGranted: Bool)
    }

    /// The seconds of silence after which both sides test the connection.
    private static let keepAlive: Int32 = 5
    /// The largest message that the broker may send, in bytes.
    ///
    /// Quirk mosquitto-large-messages: brokers need not respect it.
    private static let largestMessage: UInt32 = 1 << 20

    private let functions: cmosquitto_functions
    private let host: String
    private let isVersion5: Bool
    private var pointer: OpaquePointer?
    private var events: [Event] = []
    /// The library's last error message, which contains OpenSSL's reason.
    private var complaint = ""

    /// Opens a connection: blocks until the name is resolved and TCP is connected.
    ///
    /// - Throws: ``MQTTError``.
    init(_ options: MQTTOptions) throws(MQTTError) {
        let functions = try MosquittoLibrary.functions().table
        (self.functions, host, isVersion5) = (functions, options.broker.host, options.isVersion5)
        // Quirk mosquitto-sigpipe: the library ignores SIGPIPE for the whole process, as `Program` does.
        guard let pointer = functions.new(options.clientID, true, Unmanaged.passUnretained(self).toOpaque()) else {
            throw MQTTError(.unreachable, "there is no memory for a connection")
        }
        self.pointer = pointer
        setCallbacks(pointer)
        _ = functions.int_option(
            pointer, CMOSQ_OPT_PROTOCOL_VERSION, isVersion5 ? CMQTT_PROTOCOL_V5 : CMQTT_PROTOCOL_V311)
        _ = functions.int_option(pointer, CMOSQ_OPT_TCP_NODELAY, 1)
        if let login = options.login { _ = functions.username_pw_set(pointer, login.user, login.password) }
        if options.broker.isEncrypted { try encrypt(pointer, options.files) }
        if let will = options.will { try set(will, pointer) }
        try connect(pointer, options.broker)
    }

    deinit {
        if let pointer { functions.destroy(pointer) }
    }

    /// The descriptor; -1 when the connection has ended.
    var descriptor: Int32 { functions.socket(pointer) }

    /// Whether there is something to write when the descriptor is writable.
    var wantsWrite: Bool { functions.want_write(pointer) }

    /// The events since the last call.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    // MARK: Driving

    func read() -> MQTTError? {
        let code = functions.loop_read(pointer, 1)
        return code == 0 ? nil : error(code, errno)
    }

    func write() -> MQTTError? {
        let code = functions.loop_write(pointer, 1)
        return code == 0 ? nil : error(code, errno)
    }

    /// Pings a silent connection; call it about once a second.
    func maintain() -> MQTTError? {
        let code = functions.loop_misc(pointer)
        return code == 0 ? nil : error(code, errno)
    }

    /// Sends a message.
    ///
    /// - Returns: Its number, by which it is acknowledged.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        var properties = list(message)
        defer { functions.property_free_all(&properties) }
        var number: Int32 = 0
        let code = functions.publish_v5(
            pointer, &number, message.topic, Int32(message.payload.count), message.payload, message.quality.rawValue,
            message.isRetained, properties)
        guard code == 0 else { throw error(code, errno) }
        return number
    }

    /// Subscribes to a topic; messages that the broker had stored are marked, also while subscribed.
    ///
    /// - Returns: The number of the request.
    func subscribe(_ topic: String) throws(MQTTError) -> Int32 {
        var number: Int32 = 0
        let atLeastOnce: Int32 = 1
        let options = isVersion5 ? CMQTT_SUB_OPT_RETAIN_AS_PUBLISHED : 0
        let code = functions.subscribe_v5(pointer, &number, topic, atLeastOnce, options, nil)
        guard code == 0 else { throw error(code, errno) }
        return number
    }

    /// Collects outgoing bytes, or sends them: several messages then make one TCP segment.
    func setCorked(_ isCorked: Bool) {
        var flag: Int32 = isCorked ? 1 : 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &flag, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes the connection, so that the broker does not publish the will.
    func disconnect() {
        _ = functions.disconnect_v5(pointer, 0, nil)
    }

    // MARK: Opening

    private func encrypt(_ pointer: OpaquePointer, _ files: MQTTOptions.TLSFiles) throws(MQTTError) {
        try files.check()
        // Quirk mosquitto-authorities: the library's own option for the system's authorities accepts no client
        // certificate.
        let folder = files.authorities == nil ? "/etc/ssl/certs" : nil
        // Without a callback OpenSSL would ask on the terminal for the pass phrase of a protected key.
        let code = functions.tls_set(pointer, files.authorities, folder, files.certificate, files.key) { _, _, _, _ in
            0
        }
        guard code == 0 else { throw error(code, errno) }
    }

    private func set(_ will: MQTTMessage, _ pointer: OpaquePointer) throws(MQTTError) {
        // The library keeps a pointer to the list.
        let code = functions.will_set_v5(
            pointer, will.topic, Int32(will.payload.count), will.payload, will.quality.rawValue, will.isRetained,
            list(will))
        guard code == 0 else { throw error(code, errno) }
    }

    private func connect(_ pointer: OpaquePointer, _ broker: BrokerAddress) throws(MQTTError) {
        var properties: OpaquePointer?
        defer { functions.property_free_all(&properties) }
        if isVersion5 {
            _ = functions.property_add_int32(&properties, CMQTT_PROP_SESSION_EXPIRY_INTERVAL, 0)
            _ = functions.property_add_int32(
                &properties, CMQTT_PROP_MAXIMUM_PACKET_SIZE, Self.largestMessage)
        }
        let code = functions.connect_bind_v5(
            pointer, broker.host, Int32(broker.port), Self.keepAlive, nil, properties)
        guard code == 0 else { throw error(code, errno) }
    }

    private func list(_ message: MQTTMessage) -> OpaquePointer? {
        guard isVersion5, let seconds = message.expirySeconds else { return nil }
        var properties: OpaquePointer?
        _ = functions.property_add_int32(&properties, CMQTT_PROP_MESSAGE_EXPIRY_INTERVAL, seconds)
        return properties
    }

    // MARK: Callbacks

    private func setCallbacks(_ pointer: OpaquePointer) {
        functions.connect_v5_callback_set(pointer) { _, data, code, _, _ in
            connection(data)?.events.append(.answered(code))
        }
        functions.disconnect_v5_callback_set(pointer) { _, data, code, _ in
            connection(data)?.events.append(.ended(code))
        }
        functions.publish_v5_callback_set(pointer) { _, data, number, code, _ in
            connection(data)?.events.append(.acknowledged(message: number, code))
        }
        functions.message_v5_callback_set(pointer) { _, data, message, _ in
            guard let message = cmosquitto_content(message)?.pointee, let topic = message.topic else { return }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            connection(data)?.events.append(
                .received(
                    ReceivedMessage(
                        topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)))
        }
        functions.subscribe_v5_callback_set(pointer) { _, data, number, count, granted, _ in
            let codes = UnsafeBufferPointer(start: granted, count: Int(count))
            let isGranted = codes.allSatisfy { $0 < 128 }
            connection(data)?.events.append(.subscribed(request: number, isGranted: isGranted))
        }
        functions.log_callback_set(pointer) { _, data, level, text in
            guard level == CMOSQ_LOG_ERR, let text else { return }
            connection(data)?.complaint = String(cString: text)
        }
    }

    // MARK: Errors

    /// The library's error code, or OpenSSL's message, as an error.
    private func error(_ code: Int32, _ number: Int32) -> MQTTError {
        if let error = MQTTError(complaint: complaint) { return error }
        switch code {
        case CMOSQ_ERR_EAI: return MQTTError(.unreachable, "the name \(host) is unknown")
        case CMOSQ_ERR_ERRNO:
            let isLost = number == EPROTO || number == 0
            return MQTTError(
                .unreachable, isLost ? "the broker ended the connection" : String(cString: strerror(number)))
        case CMOSQ_ERR_CONN_LOST: return MQTTError(.lost, "the broker ended the connection")
        case CMOSQ_ERR_KEEPALIVE: return MQTTError(.lost, "the broker has stopped answering")
        case CMOSQ_ERR_TLS: return MQTTError(.certificate, "the encrypted connection failed (\(complaint))")
        default: return MQTTError(.lost, text(functions.strerror(code)))
        }
    }

    /// The broker's refusal code as an error.
    func refusal(_ code: Int32) -> MQTTError {
        MQTTError(.refused, "the broker refuses the connection (\(text(functions.reason_string(code))))")
    }

    private func text(_ words: UnsafePointer<CChar>?) -> String {
        words.map { String(cString: $0) } ?? "for an unknown reason"
    }
}

extension MQTTError {
    /// The error for a message of OpenSSL or of the name resolution; `nil` for any other message.
    init?(complaint: String) {
        if strstr(complaint, "host name verification failed") != nil {
            self.init(.certificate, "the broker's certificate is for another name")
        } else if strstr(complaint, "OpenSSL Error") != nil {
            let reason = complaint.split(separator: ":").last.map(String.init) ?? complaint
            if strstr(reason, "alert") != nil {
                self.init(.certificate, "the broker refuses this computer's certificate (\(reason))")
            } else if strstr(reason, "certificate verify failed") != nil {
                self.init(.certificate, "the broker's certificate is not trusted, or has expired")
            } else {
                self.init(.certificate, "the encrypted connection failed (\(reason))")
            }
        } else {
            return nil
        }
    }
}

private func connection(_ data: UnsafeMutableRawPointer?) -> MosquittoConnection? {
    data.map { Unmanaged<MosquittoConnection>.fromOpaque($0).takeUnretainedValue() }
}

/// libmosquitto, loaded on first use.
enum MosquittoLibrary {
    /// The library's functions; the pointers never change once they are loaded.
    struct Functions: @unchecked Sendable {
        let table: cmosquitto_functions
    }

    private static let loaded = Mutex<Functions?>(nil)

    static func functions() throws(MQTTError) -> Functions {
        let functions = loaded.withLock { loaded in
            if loaded == nil {
                // Tried again each time, because it may be installed while the monitor runs.
                var table = cmosquitto_functions()
                if cmosquitto_load(&table) == 0 { loaded = Functions(table: table) }
            }
            return loaded
        }
        guard let functions else {
            throw MQTTError(.noLibrary, "libmosquitto is not installed; run: sudo apt install libmosquitto1")
        }
        return functions
    }
}
