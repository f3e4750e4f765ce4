/// What Bedside remembers of a sensor from one start to the next, because the user has said something about it.
public struct RememberedSensor: Codable, Hashable, Sendable {
    /// The Bluetooth address in upper-case hexadecimal with colons; the only part that identifies.
    public var address: String
    /// What the sensor calls itself: free of control characters and bounded in length.
    public var name: String
    /// What it is.
    public var kind: SensorKind
    /// What the user calls it, never blank; `nil` when they gave it no name.
    public private(set) var label: String?
    /// Whether the user wants it connected.
    ///
    /// `false` is just as much their word, and holds until they ask again; `nil` when they have only named it.
    public var isWanted: Bool?
    /// The vitals that the user wants taken from it whenever it measures them, though others measure them, too.
    public var assignedVitals: Set<Vital>

    /// The greatest number of characters (Unicode scalars) of a label.
    public static let labelLimit = 32

    /// Makes an entry; name and label are made harmless with ``sanitized(_:limit:)``.
    public init(
        address: String, name: String, kind: SensorKind, label: String? = nil, isWanted: Bool?,
        assignedVitals: Set<Vital> = []
    ) {
        self.address = address
        self.name = sanitized(name)
        self.kind = kind
        self.isWanted = isWanted
        self.assignedVitals = assignedVitals
        setLabel(label)
    }

    /// Changes what the user calls it; a blank text takes the label away.
    public mutating func setLabel(_ text: String?) {
        let blanked = (text ?? "").unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
        var kept = Substring(sanitized(String(String.UnicodeScalarView(blanked)), limit: Self.labelLimit))
        while kept.first?.isWhitespace == true { kept.removeFirst() }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        label = kept.isEmpty ? nil : String(kept)
    }

    /// The sensor as screens and lines name it: by its label, if it has one.
    public var identity: SensorIdentity {
        SensorIdentity(address: address, name: label ?? name, kind: kind)
    }
}
