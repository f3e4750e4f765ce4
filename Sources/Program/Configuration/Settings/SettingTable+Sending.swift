extension SettingTable {
    static let sending: [Setting] = [
        Setting(
            "send", "fhir", \.sending.fhir.address, .checkedText(serverNoun, limit: 1000, where: isServerAddress),
            """
            The base of a server of HL7 FHIR R4 that bedside send sends the record to; empty for none. An address on another \
            computer begins with https://.
            """),
        Setting(
            "send", "fhir_patient", \.sending.fhirPatient, .text("a reference, or an empty text", limit: 300),
            """
            The patient at that server, such as Patient/123; empty for an unassigned bed. When another patient is monitored \
            here, nothing more is sent until the reference is another one.
            """),
        secret("fhir_secret", \.sending.fhir.secret, "A file with the token for that server (OAuth 2.0, Bearer)"),
        command("fhir_secret_command", \.sending.fhir.secretCommand),
        Setting(
            "send", "nightscout", \.sending.nightscout.address,
            .checkedText(serverNoun, limit: 1000, where: isServerAddress),
            """
            A Nightscout site that bedside send sends glucose, finger-pricks and notes to; empty for none. When another \
            patient is monitored here, nothing more is sent until that is confirmed. Simulated values are never sent there.
            """),
        Setting(
            "send", "nightscout_version", \.sending.nightscoutVersion, .word(Settings.Sending.NightscoutVersion.self),
            "The version of the site's interface: 1 takes the site's secret or an access token, 3 an access token."),
        secret("nightscout_secret", \.sending.nightscout.secret, "A file with that secret"),
        command("nightscout_secret_command", \.sending.nightscout.secretCommand),
        Setting(
            "send", "hl7", \.sending.hl7, .checkedText(engineNoun, limit: 300, where: isEngineAddress),
            """
            An interface engine that bedside send sends observations to, in messages of HL7 Version 2.6 (IHE PCD-01) over \
            MLLP; empty for none. mllps:// is encrypted.
            """),
        Setting(
            "send", "hl7_alarms", \.sending.hl7Alarms, .checkedText(engineNoun, limit: 300, where: isEngineAddress),
            "The same for alarms (IHE PCD-04); it may be the same address."),
        Setting(
            "send", "hl7_patient", \.sending.hl7Patient,
            .checkedText(
                "an identifier without | and control characters, or an empty text", limit: 200, where: isField),
            """
            The patient's identifier in these messages (PID-3), such as 123^^^HOSPITAL^MR; empty for an unassigned bed. When \
            another patient is monitored here, nothing more is sent until it is another one.
            """),
        Setting(
            "send", "hl7_location", \.sending.hl7Location,
            .checkedText("a location without | and control characters, or an empty text", limit: 200, where: isField),
            "The patient's location in these messages (PV1-3), such as ICU^2^12; may be empty."),
        Setting(
            "send", "ca_file", \.sending.authorities, .text("the path of a file, or an empty text", limit: 1000),
            "The certificates of the authorities that the servers' certificates may come from; empty for the system's."),
    ].map(\.fromNextStart)

    private static func secret(
        _ key: String, _ path: any WritableKeyPath<Settings, String> & Sendable, _ beginning: String
    ) -> Setting {
        Setting(
            "send", key, path, .text("a path, the name of a credential, or an empty text", limit: 1000),
            """
            \(beginning), in one line, refused when others can read it; without / it is the name of a credential of systemd; \
            empty for none.
            """)
    }

    private static func command(
        _ key: String, _ path: any WritableKeyPath<Settings, String> & Sendable
    ) -> Setting {
        Setting(
            "send", key, path, .text("a command of the shell, or an empty text", limit: 1000),
            "A command that prints it, instead of the file; it is run again when the server rejects what it has printed."
        )
    }

    private static let serverNoun =
        "an address such as \"https://server.example/path\", without user and password, or an empty text"

    private static let engineNoun = "an address such as \"mllp://engine.example:2575\", or an empty text"

    /// Whether a text has the form of an interface engine's address; the client parses it.
    static func isEngineAddress(_ text: String) -> Bool {
        text.isEmpty || text.hasPrefix("mllp://") || text.hasPrefix("mllps://")
    }

    /// Whether a text can be a field of HL7 Version 2; its components are separated by ^.
    static func isField(_ text: String) -> Bool { !text.contains("|") }

    /// Whether a text has the form of a server's address; the client parses it.
    static func isServerAddress(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let rest = text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
        return !rest.isEmpty && rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }
    }
}

extension Settings {
    /// Where the record is sent.
    public struct Sending: Hashable, Sendable {
        public var fhir = Server()
        /// The reference of the patient at the FHIR server; empty for an unassigned bed.
        public var fhirPatient = ""
        public var nightscout = Server()
        /// The version of Nightscout's interface.
        public var nightscoutVersion = NightscoutVersion.one
        /// The interface engine for observations; empty for none.
        public var hl7 = ""
        /// The interface engine for alarms; empty for none.
        public var hl7Alarms = ""
        /// The patient's identifier for interface engines; empty for an unassigned bed.
        public var hl7Patient = ""
        /// The patient's location for interface engines.
        public var hl7Location = ""
        /// The file of the authorities; empty for the system's.
        public var authorities = ""

        /// A server.
        public struct Server: Hashable, Sendable {
            /// Its address; empty for none.
            public var address = ""
            /// The file, or the credential, with the secret; empty for none.
            public var secret = ""
            /// The command that prints the secret; empty for none.
            public var secretCommand = ""

            public init() {}
        }

        /// A version of Nightscout's interface.
        public enum NightscoutVersion: String, CaseIterable, Hashable, Sendable {
            case one = "1"
            case three = "3"
        }

        public init() {}
    }
}
