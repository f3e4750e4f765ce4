extension SettingTable {
    static let ward: [Setting] = [
        Setting(
            "ward", "broker", \.ward.broker,
            .checkedText(
                "a broker such as \"mqtts://ward.example:8883\", without user and password, or an empty text",
                limit: 300, where: isBrokerAddress),
            "The MQTT broker to which this bed is published; empty for none. mqtts:// is encrypted."),
        Setting(
            "ward", "mqtt_version", \.ward.version, .word(Settings.Ward.Version.self),
            """
            The version of MQTT that the broker speaks. With 3.1.1 it cannot say that its access list forbids something, and \
            it may deliver late what should have expired.
            """),
        Setting(
            "ward", "site", \.ward.site, .checkedText(levelNoun, limit: 36, where: isLevel),
            "The ward, or the home, in the topics: bedside/v1/<site>/<bed>."),
        Setting(
            "ward", "bed", \.ward.bed,
            .checkedText("\(levelNoun), or an empty text", limit: 36) { $0.isEmpty || isLevel($0) },
            "The bed in the topics; needed with a broker, and different for each bed of a site."),
        Setting(
            "ward", "patient", \.ward.sendsPatient, .yesOrNo(),
            "Whether the patient's identifier is published beside the bed's name; notes never are."),
        Setting(
            "ward", "history", \.ward.sendsHistory, .yesOrNo(),
            "Whether recorded readings are published for bedside collect, those of an outage included."),
        Setting(
            "ward", "ca_file", \.ward.authorities, .text("the path of a file, or an empty text", limit: 1000),
            "The certificates of the authorities that the broker's certificate may come from; empty for the system's."),
        Setting(
            "ward", "certificate", \.ward.certificate, .text("the path of a file, or an empty text", limit: 1000),
            "This computer's certificate for the broker; empty for none."),
        Setting(
            "ward", "key", \.ward.key, .text("the path of a file, or an empty text", limit: 1000),
            "The private key of the certificate; refused when others can read it."),
        Setting(
            "ward", "login", \.ward.login, .text("a path, the name of a credential, or an empty text", limit: 1000),
            """
            A file with the user on its first line and the password on its second, refused when others can read it; \
            without / it is the name of a credential of systemd; empty for none.
            """),
        Setting(
            "ward", "remote_acknowledge", \.ward.remoteAcknowledge, .word(Settings.Ward.RemoteAcknowledge.self),
            """
            Which alarms can be acknowledged from a ward's screen: off for none, medium-and-low for those that are not \
            of high priority, or all. Each one is shown and logged at the bed, with who and from where.
            """),
        Setting(
            "ward", "home_assistant", \.ward.announcesToHomeAssistant, .yesOrNo(),
            "Whether this bed is announced to Home Assistant on the same broker; removed from it when that is switched off."
        ),
    ].map(\.fromNextStart)

    private static let levelNoun =
        "1 to 36 of the letters a to z, digits, - and _, beginning with a letter or a digit"

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Whether a text can be a level of a topic.
    static func isLevel(_ text: String) -> Bool {
        guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= 36 else { return false }
        return text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// Whether a text has the form of a broker's address; the client parses it.
    static func isBrokerAddress(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let rest = text.hasPrefix("mqtts://") ? text.dropFirst(8) : text.hasPrefix("mqtt://") ? text.dropFirst(7) : ""
        return !rest.isEmpty && rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }
    }
}

extension Settings {
    /// Where this bed is published.
    public struct Ward: Hashable, Sendable {
        /// The broker's address; empty for none.
        public var broker = ""
        /// The version of MQTT.
        public var version = Version.five
        /// The site in the topics.
        public var site = "home"
        /// The bed in the topics.
        public var bed = ""
        /// Whether the patient's identifier is published.
        public var sendsPatient = false
        /// Whether recorded readings are published for a collector.
        public var sendsHistory = true
        /// The file of the authorities; empty for the system's.
        public var authorities = ""
        /// The file of the certificate; empty for none.
        public var certificate = ""
        /// The file of the key; empty for none.
        public var key = ""
        /// The file, or the credential, with user and password; empty for none.
        public var login = ""
        /// Which alarms can be acknowledged remotely.
        public var remoteAcknowledge = RemoteAcknowledge.off
        /// Whether the bed is announced to Home Assistant.
        public var announcesToHomeAssistant = false

        /// The files that a connection reads.
        public var files: [String] {
            [authorities, certificate, key, login].filter { $0.contains("/") }
        }

        /// A version of MQTT.
        public enum Version: String, CaseIterable, Hashable, Sendable {
            case five = "5"
            case threeOneOne = "3.1.1"
        }

        /// Which alarms can be acknowledged remotely.
        public enum RemoteAcknowledge: String, CaseIterable, Hashable, Sendable {
            case off
            case mediumAndLow = "medium-and-low"
            case all
        }

        public init() {}
    }
}
