/// What a device is: its services, declared once, and how it is recognised on the air.
///
/// ```swift
/// struct Strap: DeviceDeclaration {
///     static let discovery = DiscoveryCriteria(services: [HeartRate.uuid])
///     let heartRate = HeartRate()
///     let battery = Battery()
/// }
/// ```
///
/// The declaration is a plain value; ``Device`` brings it to life. Its stored properties are what is looked at when a
/// device is connected, so a service that is computed would be overlooked.
public protocol DeviceDeclaration: Sendable {
    /// How such a device is recognised.
    static var discovery: DiscoveryCriteria { get }

    init()
}

/// A service of a device, with its characteristics.
///
/// ```swift
/// struct HeartRate: ServiceDeclaration {
///     static let uuid = BluetoothUUID(0x180D)
///     let measurement = Declared<HeartRateMeasurement>(BluetoothUUID(0x2A37), .notifies)
///     let location = Declared<UInt8>(BluetoothUUID(0x2A38), .isRead, .isOptional)
/// }
/// ```
public protocol ServiceDeclaration: Sendable {
    /// What it is.
    static var uuid: BluetoothUUID { get }
}

/// A characteristic of a service, with the type of its values.
public struct Declared<Value: Sendable>: Sendable {
    /// What it is.
    public let uuid: BluetoothUUID
    /// What is done with it when the device is connected.
    public let options: Set<DeclaredOption>

    /// Declares a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: What it is.
    ///   - options: What to do with it after connecting, and whether it is required.
    public init(_ uuid: BluetoothUUID, _ options: DeclaredOption...) {
        self.init(uuid, options: Set(options))
    }

    /// Declares a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: What it is.
    ///   - options: What is done with it when the device is connected, and whether the device must have it.
    public init(_ uuid: BluetoothUUID, options: Set<DeclaredOption>) {
        self.uuid = uuid
        self.options = options
    }
}

/// What is done with a declared characteristic when its device is connected.
public enum DeclaredOption: Hashable, Sendable {
    /// It is subscribed to, so that its values come by themselves.
    case notifies
    /// It is read once.
    case isRead
    /// The device need not have it; one without it can be connected all the same.
    case isOptional
}

/// A declared characteristic, without the type of its values.
protocol AnyDeclared {
    var uuid: BluetoothUUID { get }
    var options: Set<DeclaredOption> { get }
}

extension Declared: AnyDeclared {}

/// A characteristic of a declaration, found by looking at its stored properties.
struct DeclaredEntry: Hashable, Sendable {
    let key: CharacteristicKey
    let options: Set<DeclaredOption>

    /// All characteristics of a declaration, in their order.
    static func all(of declaration: some DeviceDeclaration) -> [DeclaredEntry] {
        Mirror(reflecting: declaration).children.flatMap { child -> [DeclaredEntry] in
            guard let service = child.value as? any ServiceDeclaration else { return [] }
            return entries(of: service)
        }
    }

    private static func entries(of service: some ServiceDeclaration) -> [DeclaredEntry] {
        Mirror(reflecting: service).children.compactMap { child in
            guard let declared = child.value as? any AnyDeclared else { return nil }
            return DeclaredEntry(
                key: CharacteristicKey(service: type(of: service).uuid, uuid: declared.uuid),
                options: declared.options)
        }
    }
}

/// Which characteristic of a device something is about, on every link the same.
struct CharacteristicKey: Hashable, Sendable {
    let service: BluetoothUUID
    let uuid: BluetoothUUID
}
