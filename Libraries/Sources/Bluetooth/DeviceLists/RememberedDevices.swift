import BluetoothValues

/// The devices that a program remembers, in an order that the person chooses: added, renamed, moved and forgotten.
///
/// It knows no clock and no radio: the program says what it has seen, and when. Names are a person's, or come from a
/// stranger's radio; either way no control character, no invisible character and no second line is kept.
///
/// ```swift
/// var devices = RememberedDevices()
/// try devices.remember(address, named: "Grandma's cuff", kind: "BloodPressureSensor", at: now)
/// devices.noteConnected(address, at: later)
/// try devices.rename(address, to: "The old cuff")
/// devices.forget(address)
/// ```
public struct RememberedDevices: Hashable, Sendable {
    /// The greatest number of devices.
    public static let greatestCount = 64

    /// The devices, in the person's order; no address is there twice.
    public private(set) var devices: [RememberedDevice] = []

    /// Creates an empty list.
    public init() {}

    /// The device at an address; `nil` for one that is not remembered.
    public subscript(address: BluetoothAddress) -> RememberedDevice? {
        devices.first { $0.address == address }
    }

    /// The devices of a kind, in the person's order.
    public func devices(ofKind kind: String) -> [RememberedDevice] {
        devices.filter { $0.kind == kind }
    }

    // MARK: What a person does

    /// Remembers a device, as the last one.
    ///
    /// One that is remembered already keeps its place and all that was noted, and gets the new name, kind and variant.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - name: What the person calls it, or its own name; a text of more than 64 Unicode scalars ends with an ellipsis.
    ///   - kind: What it is to the program, by which the program finds its declaration again.
    ///   - variant: Which variant of its kind it is.
    ///   - moment: The present time, in milliseconds since 1970 (UTC).
    /// - Throws: ``RememberingError``: `noName`, `noKind`, `full`; then nothing has changed.
    public mutating func remember(
        _ address: BluetoothAddress, named name: String, kind: String, variant: String? = nil, at moment: Int64
    ) throws(RememberingError) {
        let name = try Self.kept(name, otherwise: .noName)
        let kind = try Self.kept(kind, otherwise: .noKind)
        let variant = variant.flatMap { try? Self.kept($0, otherwise: .noName) }
        if let index = index(of: address) {
            (devices[index].name, devices[index].kind, devices[index].variant) = (name, kind, variant)
            return
        }
        guard devices.count < Self.greatestCount else { throw .full(limit: Self.greatestCount) }
        devices.append(RememberedDevice(address: address, name: name, kind: kind, variant: variant, added: moment))
    }

    /// Gives a device another name.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - name: What the person calls it now; a text of more than 64 Unicode scalars ends with an ellipsis.
    /// - Throws: ``RememberingError``: `unknown`, `noName`; then nothing has changed.
    public mutating func rename(_ address: BluetoothAddress, to name: String) throws(RememberingError) {
        guard let index = index(of: address) else { throw .unknown(address) }
        devices[index].name = try Self.kept(name, otherwise: .noName)
    }

    /// Forgets a device.
    ///
    /// - Returns: What was remembered of it; `nil` when it was not remembered.
    @discardableResult
    public mutating func forget(_ address: BluetoothAddress) -> RememberedDevice? {
        index(of: address).map { devices.remove(at: $0) }
    }

    /// Puts a device at another place of the person's order.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - place: Its place afterwards, from 0; one beyond the ends is the end.
    /// - Returns: Whether it is remembered.
    @discardableResult
    public mutating func move(_ address: BluetoothAddress, to place: Int) -> Bool {
        guard let index = index(of: address) else { return false }
        let device = devices.remove(at: index)
        devices.insert(device, at: min(max(0, place), devices.count))
        return true
    }

    /// Says whether the program may connect a device by itself; not after a person has disconnected it by hand.
    ///
    /// - Returns: Whether it is remembered.
    @discardableResult
    public mutating func setConnectsAutomatically(_ isAllowed: Bool, _ address: BluetoothAddress) -> Bool {
        change(address) { $0.connectsAutomatically = isAllowed }
    }

    // MARK: What the program has seen

    /// Notes that a device was heard.
    ///
    /// An advertisement comes up to fifty times a second: note it in the value, and write the value seldom.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - moment: When, in milliseconds since 1970 (UTC).
    /// - Returns: Whether it is remembered.
    @discardableResult
    public mutating func noteSeen(_ address: BluetoothAddress, at moment: Int64) -> Bool {
        change(address) { $0.lastSeen = moment }
    }

    /// Notes that a device was connected, and so was there.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - moment: When, in milliseconds since 1970 (UTC).
    /// - Returns: Whether it is remembered.
    @discardableResult
    public mutating func noteConnected(_ address: BluetoothAddress, at moment: Int64) -> Bool {
        change(address) { ($0.lastSeen, $0.lastConnected) = (moment, moment) }
    }

    /// Notes the charge of a device's battery.
    ///
    /// - Parameters:
    ///   - percent: 0 to 100; another number is not noted.
    ///   - address: The device.
    /// - Returns: Whether it was noted.
    @discardableResult
    public mutating func noteBattery(_ percent: Int, _ address: BluetoothAddress) -> Bool {
        0...100 ~= percent && change(address) { $0.batteryPercent = percent }
    }

    /// Notes which variant a device is, which is sometimes known only after its first connection.
    ///
    /// - Parameters:
    ///   - variant: Its name; an empty one is not noted.
    ///   - address: The device.
    /// - Returns: Whether it was noted.
    @discardableResult
    public mutating func noteVariant(_ variant: String, _ address: BluetoothAddress) -> Bool {
        guard let variant = try? Self.kept(variant, otherwise: .noName) else { return false }
        return change(address) { $0.variant = variant }
    }

    /// Notes that a device has another address: a private one is replaced by the permanent one when it is paired.
    ///
    /// - Parameters:
    ///   - old: The address that is remembered.
    ///   - new: Its address from now on.
    /// - Returns: Whether the old one was remembered and the new one was not.
    @discardableResult
    public mutating func noteAddress(_ new: BluetoothAddress, of old: BluetoothAddress) -> Bool {
        self[new] == nil && change(old) { $0.address = new }
    }

    // MARK: Steps

    private func index(of address: BluetoothAddress) -> Int? {
        devices.firstIndex { $0.address == address }
    }

    private mutating func change(_ address: BluetoothAddress, _ change: (inout RememberedDevice) -> Void) -> Bool {
        guard let index = index(of: address) else { return false }
        change(&devices[index])
        return true
    }

    private static func kept(_ text: String, otherwise error: RememberingError) throws(RememberingError) -> String {
        let kept = text.kept(limit: RememberedDevice.greatestNameLength)
        if kept.isEmpty { throw error }
        return kept
    }
}

extension RememberedDevices: StoredList {
    /// `remembered devices`.
    public static let formatName = "remembered devices"
    /// The version of the form.
    public static let formatVersion = 1

    private enum CodingKeys: String, CodingKey { case devices }

    /// Reads the list, and checks it.
    ///
    /// - Throws: ``StoredListFormatError`` for what cannot be, `DecodingError` for what is missing or of another type.
    public init(from decoder: any Decoder) throws {
        devices = try decoder.container(keyedBy: CodingKeys.self).decode([RememberedDevice].self, forKey: .devices)
        guard devices.count <= Self.greatestCount else {
            throw StoredListFormatError.damaged("it has more than \(Self.greatestCount) devices")
        }
        guard Set(devices.map(\.address)).count == devices.count else {
            throw StoredListFormatError.damaged("a device is there twice")
        }
    }

    /// Writes the list as an object with a list of devices.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(devices, forKey: .devices)
    }
}

/// Why a device was not remembered or renamed; the description is a sentence.
public enum RememberingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing is left of the name without spaces and invisible characters.
    case noName
    /// Nothing is left of the kind.
    case noKind
    /// As many devices as can be are remembered.
    case full(limit: Int)
    /// The device is not remembered.
    case unknown(BluetoothAddress)

    /// What is wrong, and what helps.
    public var description: String {
        switch self {
        case .noName: "The device needs a name of at least one visible character."
        case .noKind: "The device needs a kind of at least one visible character."
        case .full(let limit): "\(limit) devices are remembered already. Forget one first."
        case .unknown(let address): "The device \(address) is not remembered."
        }
    }
}
