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
