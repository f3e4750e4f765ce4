import BluetoothValues

/// A device that a program remembers under a person's name for it (``RememberedDevices``).
///
/// Moments are milliseconds since 1970-01-01T00:00:00Z, as `Timestamp.wallMilliseconds` of `EventLoops` gives them.
public struct RememberedDevice: Hashable, Sendable, Identifiable {
    /// Its address, by which it is recognised and connected.
    public internal(set) var address: BluetoothAddress
    /// What the person calls it: one line of 1 to 64 Unicode scalars, without control characters.
    public internal(set) var name: String
    /// What it is to the program, such as the name of its declaration; of the same form as the name.
    public internal(set) var kind: String
    /// Which variant of its kind it is, of the same form; `nil` for none.
    public internal(set) var variant: String?
    /// When it was remembered first.
    public internal(set) var added: Int64
    /// When it was heard last; `nil` for never since then.
    public internal(set) var lastSeen: Int64?
    /// When it was connected last; `nil` for never since then.
    public internal(set) var lastConnected: Int64?
    /// The charge of its battery in percent, 0 to 100, as it was known last; `nil` for never.
    public internal(set) var batteryPercent: Int?
    /// Whether the program may connect it by itself: not after a person has disconnected it by hand.
    public internal(set) var connectsAutomatically = true

    /// The greatest number of Unicode scalars of a name, a kind and a variant.
    public static let greatestNameLength = 64

    /// Its address.
    public var id: BluetoothAddress { address }

    init(address: BluetoothAddress, name: String, kind: String, variant: String?, added: Int64) {
        (self.address, self.name, self.kind) = (address, name, kind)
        (self.variant, self.added) = (variant, added)
    }
}

extension RememberedDevice: Codable {
    private enum CodingKeys: String, CodingKey {
        case address, name, kind, variant, added, lastSeen, lastConnected, batteryPercent, connectsAutomatically
    }

    /// Reads a device, and checks it.
    ///
    /// - Throws: ``StoredListFormatError`` for what cannot be, `DecodingError` for what is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? {
            guard let text = try members.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard !text.isEmpty, text.kept(limit: Self.greatestNameLength) == text else {
                throw StoredListFormatError.damaged("the \(key.rawValue) of a device is no text that is kept")
            }
            return text
        }
        guard let address = BluetoothAddress(try members.decode(String.self, forKey: .address)) else {
            throw StoredListFormatError.damaged("the address of a device is none")
        }
        guard let name = try text(.name), let kind = try text(.kind) else {
            throw StoredListFormatError.damaged("a device has no name or no kind")
        }
        self.init(
            address: address, name: name, kind: kind, variant: try text(.variant),
            added: try members.decode(Int64.self, forKey: .added))
        lastSeen = try members.decodeIfPresent(Int64.self, forKey: .lastSeen)
        lastConnected = try members.decodeIfPresent(Int64.self, forKey: .lastConnected)
        batteryPercent = try members.decodeIfPresent(Int.self, forKey: .batteryPercent)
        guard batteryPercent.map({ 0...100 ~= $0 }) != false else {
            throw StoredListFormatError.damaged("the battery of a device has no charge between 0 and 100 percent")
        }
        connectsAutomatically = try members.decode(Bool.self, forKey: .connectsAutomatically)
    }

    /// Writes the device as an object; what is `nil` is left out.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(address.description, forKey: .address)
        try members.encode(name, forKey: .name)
        try members.encode(kind, forKey: .kind)
        try members.encodeIfPresent(variant, forKey: .variant)
        try members.encode(added, forKey: .added)
        try members.encodeIfPresent(lastSeen, forKey: .lastSeen)
        try members.encodeIfPresent(lastConnected, forKey: .lastConnected)
        try members.encodeIfPresent(batteryPercent, forKey: .batteryPercent)
        try members.encode(connectsAutomatically, forKey: .connectsAutomatically)
    }
}
