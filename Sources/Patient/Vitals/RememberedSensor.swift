import Base

/// What Bedside remembers about a sensor across starts, because the user connected, named or assigned it.
public struct RememberedSensor: Codable, Hashable, Sendable {
    /// The Bluetooth address in upper-case hexadecimal with colons; only this identifies the sensor.
    public var address: String
    /// The sensor's own name, sanitized and bounded.
    public var name: String
    public var kind: SensorKind
    /// The user's name for it, never blank; `nil` without one.
    public private(set) var label: String?
    /// Whether the user wants it connected.
    ///
    /// `false` holds until the user connects it again; `nil` without a decision.
    public var isWanted: Bool?
    /// The vitals for which the user prefers this sensor over others.
    public var assignedVitals: Set<Vital>

    /// The greatest number of characters (Unicode scalars) of a label.
    public static let labelLimit = 32

    /// Creates an entry; name and label are sanitized with ``sanitized(_:limit:)``.
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

    /// Changes the label; blank text removes it.
    public mutating func setLabel(_ text: String?) {
        let blanked = (text ?? "").unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
        var kept = Substring(sanitized(String(String.UnicodeScalarView(blanked)), limit: Self.labelLimit))
        while kept.first?.isWhitespace == true { kept.removeFirst() }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        label = kept.isEmpty ? nil : String(kept)
    }

    /// The identity, named by the label if there is one.
    public var identity: SensorIdentity {
        SensorIdentity(address: address, name: label ?? name, kind: kind)
    }
}
