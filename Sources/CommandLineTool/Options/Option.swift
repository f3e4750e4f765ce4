/// An option of the command line: declared once, used by the parser, the help text and the manual page.
public struct Option: Hashable, Sendable {
    /// The name after the two dashes.
    public let name: String
    /// The one-letter form, if there is one.
    public let letter: Character?
    /// Whether a value follows.
    public let value: Value
    /// What it does, in one or more sentences, for help and manual.
    public let explanation: String

    /// Whether an option takes a value; the text is what the help calls it.
    public enum Value: Hashable, Sendable {
        /// It takes none.
        case none
        /// The value follows, or is joined by an equals sign.
        case required(String)
        /// The value can only be joined by an equals sign.
        case optional(String)
    }

    init(_ name: String, letter: Character? = nil, value: Value = .none, _ explanation: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.explanation = explanation
    }

    /// The option as a person types it, such as `--connect NAME` or `--simulate[=SCENARIO]`.
    public var usage: String {
        switch value {
        case .none: "--\(name)"
        case .required(let value): "--\(name) \(value)"
        case .optional(let value): "--\(name)[=\(value)]"
        }
    }
}

extension Option {
    /// `--simulate`.
    public static let simulate = Option(
        "simulate", value: .optional("SCENARIO"),
        """
        Use simulated sensors instead of the radio, labelled SIMULATED on every screen. SCENARIO is a file, or one of \
        the built-in ward-evening (the default) and steady.
        """)
    /// `--connect`.
    public static let connect = Option(
        "connect", letter: "c", value: .required("NAME"),
        """
        Connect to the sensor with this name or address as soon as it is heard, and again whenever it is lost; all \
        takes every vital-sign sensor that is found, except those that you have disconnected. May be given several \
        times. A sensor that is named is remembered, and connected at the next start without being named.
        """)
    /// `--bed`.
    public static let bed = Option("bed", value: .required("LABEL"), "Show LABEL beside the title, such as \"Bed 12\".")
    /// `--rssi-floor`.
    public static let strengthFloor = Option(
        "rssi-floor", value: .required("DBM"),
        """
        Do not list sensors with a weaker signal than DBM, such as -80, unless you have connected or named them; off \
        (the default) lists all. The key w steps through such floors.
        """)
    /// `--fahrenheit`.
    public static let fahrenheit = Option("fahrenheit", "Show temperatures in degrees Fahrenheit.")
    /// `--glyphs`.
    public static let glyphs = Option(
        "glyphs", value: .required("SET"),
        """
        Draw with SET: braille, blocks or ascii. By default the finest one that the locale and the terminal can show.
        """)
    /// `--color`.
    public static let color = Option(
        "color", value: .required("WHEN"),
        "Use colour: auto (the default; none where NO_COLOR is set), always or never.")
    /// `--explain`.
    public static let explain = Option(
        "explain", "Lay the octets out field by field, for people: offset, octets, name, meaning.")
    /// `--list`.
    public static let list = Option("list", "List the characteristics that can be decoded.")
    /// `--e2e-crc`.
    public static let endToEndCRC = Option(
        "e2e-crc", value: .required("ANSWER"),
        """
        Whether records of a continuous glucose monitor carry a checksum: yes or no. Without it a record that is two \
        octets longer than its fields is taken to carry one.
        """)
    /// `--json`.
    public static let json = Option("json", "Print one JSON object a line.")
    /// `--for`.
    public static let duration = Option(
        "for", value: .required("TIME"), "End after TIME, such as 30s, 10m or 8h.")
    /// `--count`.
    public static let count = Option("count", value: .required("N"), "End after N readings.")
    /// `--help`.
    public static let help = Option("help", letter: "h", "Print this help and exit.")
    /// `--version`.
    public static let version = Option("version", letter: "V", "Print the version and exit.")
    /// `--man`.
    public static let manual = Option("man", "Print the manual page in roff and exit.")
}
