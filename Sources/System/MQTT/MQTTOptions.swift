/// The options of a connection.
public struct MQTTOptions: Hashable, Sendable {
    /// Where the broker listens.
    public var broker: BrokerAddress
    /// The client's name at the broker; the broker ends an earlier connection with the same name.
    public var clientID: String
    /// Whether the broker speaks MQTT 5; otherwise 3.1.1, without reason codes and message expiry.
    public var isVersion5 = true
    /// The files for an encrypted connection.
    public var files = TLSFiles()
    /// The user, if the broker asks for a password.
    public var login: Login?
    /// What the broker publishes when the connection is lost.
    public var will: MQTTMessage?

    /// The paths of files for an encrypted connection.
    public struct TLSFiles: Hashable, Sendable {
        /// The certificates of authorities; `nil` for those of the system.
        public var authorities: String?
        /// This client's certificate; `nil` for none.
        public var certificate: String?
        /// The private key of the certificate.
        public var key: String?

        public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
            (self.authorities, self.certificate, self.key) = (authorities, certificate, key)
        }
    }

    /// A user and a password.
    public struct Login: Hashable, Sendable {
        public var user: String
        public var password: String

        public init(user: String, password: String) {
            (self.user, self.password) = (user, password)
        }
    }

    public init(broker: BrokerAddress, clientID: String) {
        (self.broker, self.clientID) = (broker, clientID)
    }
}

/// Where a broker listens: `mqtts://ward.example:8883`.
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Its name or number.
    public var host: String
    public var port: UInt16
    /// Whether the connection is encrypted (`mqtts`).
    public var isEncrypted: Bool

    public init(host: String, port: UInt16, isEncrypted: Bool) {
        (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    }

    /// Reads an address; `nil` when it is none.
    ///
    /// A user or password in it is refused, because an address is shown and logged.
    public init?(_ text: String) {
        let isEncrypted = text.hasPrefix("mqtts://")
        guard isEncrypted || text.hasPrefix("mqtt://") else { return nil }
        var rest = text.dropFirst(isEncrypted ? 8 : 7)
        if rest.last == "/" { rest.removeLast() }
        var port: UInt16 = isEncrypted ? 8883 : 1883
        let isNumeric = rest.first == "["
        let host: Substring
        if isNumeric {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
        }
        if !rest.isEmpty {
            guard rest.first == ":", let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
            port = number
        }
        let allowed = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            case UInt8(ascii: ":"): isNumeric
            default: false
            }
        }
        guard allowed, !host.isEmpty, host.utf8.count <= 253 else { return nil }
        self.init(host: String(host), port: port, isEncrypted: isEncrypted)
    }

    public var description: String {
        let host = self.host.contains(":") ? "[\(self.host)]" : self.host
        return "\(isEncrypted ? "mqtts" : "mqtt")://\(host):\(port)"
    }

    /// Whether the broker is on this computer, so that nothing leaves it.
    public var isLocal: Bool { host == "localhost" || host == "127.0.0.1" || host == "::1" }
}

/// Why there is no connection to a broker: a phrase for the user.
public struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    public enum Kind: Hashable, Sendable {
        /// libmosquitto is not installed.
        case noLibrary
        /// A file for the connection is missing or cannot be used.
        case file
        /// The broker could not be reached, or did not answer.
        case unreachable
        /// One side does not trust the other's certificate.
        case certificate
        /// The broker rejects this client.
        case refused
        /// The connection was lost.
        case lost
    }

    public let kind: Kind
    /// The phrase: "the broker refuses the connection".
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }
}

public struct MQTTMessage: Hashable, Sendable {
    /// The delivery guarantee (MQTT quality of service).
    public enum Quality: Int32, Hashable, Sendable {
        /// It may be lost.
        case atMostOnce = 0
        /// It may come twice.
        case atLeastOnce = 1
    }

    public var topic: String
    public var payload: [UInt8]
    /// The delivery guarantee.
    public var quality: Quality
    /// Whether the broker keeps it for later subscribers.
    public var isRetained: Bool
    /// The seconds after which the broker no longer delivers it; `nil` for no limit.
    public var expirySeconds: UInt32?

    public init(
        _ topic: String, _ payload: [UInt8], _ quality: Quality = .atMostOnce, isRetained: Bool = false,
        expirySeconds: UInt32? = nil
    ) {
        (self.topic, self.payload, self.quality) = (topic, payload, quality)
        (self.isRetained, self.expirySeconds) = (isRetained, expirySeconds)
    }
}

public struct ReceivedMessage: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// Whether the broker had stored the message; MQTT 3.1.1 does not mark those that arrive while subscribed.
    public var isRetained: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
}
