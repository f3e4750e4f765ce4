import COpenSSL
import Glibc
import UserFiles

/// When certificates expire, in seconds since 1970 (UTC).
public enum CertificateEnd {
    /// Expiry of the certificate in a file; of several, the first to expire.
    ///
    /// - Parameter path: A file in PEM.
    /// - Throws: ``MQTTError`` when it contains no certificate.
    public static func ofFile(_ path: String) throws(MQTTError) -> Int64 {
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(path)
        } catch {
            throw MQTTError(.file, "\(path) cannot be read (\(error))")
        }
        guard let bytes else { throw MQTTError(.file, "\(path) does not exist") }
        var functions = try functions()
        let end = copenssl_end_of_pem(&functions, bytes, Int32(bytes.count))
        guard end != .min else { throw MQTTError(.certificate, "\(path) has no certificate in PEM") }
        return end
    }

    /// Expiry of the broker's certificate; blocks while resolving and connecting.
    ///
    /// Opens a separate connection that trusts every certificate, so that an expired one can be read, too. Sends nothing
    /// but the beginning of a handshake.
    ///
    /// - Parameters:
    ///   - broker: Where it listens.
    ///   - seconds: How long each step may take.
    /// - Throws: ``MQTTError`` when the broker shows no certificate.
    public static func ofBroker(_ broker: BrokerAddress, within seconds: Int) throws(MQTTError) -> Int64 {
        var functions = try functions()
        let descriptor = try connect(broker, within: seconds)
        defer { close(descriptor) }
        let end = copenssl_end_of_peer(&functions, descriptor, broker.host)
        guard end != .min else { throw MQTTError(.certificate, "the broker shows no certificate") }
        return end
    }

    private static func functions() throws(MQTTError) -> copenssl_functions {
        var functions = copenssl_functions()
        guard copenssl_load(&functions) == 0 else {
            throw MQTTError(.noLibrary, "OpenSSL is not installed; run: sudo apt install libmosquitto1")
        }
        return functions
    }

    private static func connect(_ broker: BrokerAddress, within seconds: Int) throws(MQTTError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(broker.host, "\(broker.port)", &hints, &list) == 0 else {
            throw MQTTError(.unreachable, "the name \(broker.host) is unknown")
        }
        defer { freeaddrinfo(list) }
        var number = ECONNREFUSED
        var next = list
        while let address = next?.pointee {
            next = address.ai_next
            let descriptor = socket(
                address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), address.ai_protocol)
            guard descriptor >= 0 else { continue }
            // The time limit of writing also holds for connecting.
            var limit = timeval(tv_sec: seconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
            number = errno == EINPROGRESS ? ETIMEDOUT : errno
            close(descriptor)
        }
        throw MQTTError(.unreachable, String(cString: strerror(number)))
    }
}
