/// The declaration of a device: its services, and how it is recognised when it advertises.
///
/// ```swift
/// struct Strap: DeviceDeclaration {
///     static let discovery = DiscoveryCriteria(services: [HeartRate.uuid])
///     let heartRate = HeartRate()
///     let battery = Battery()
/// }
/// ```
///
/// The declaration is a plain value; ``Device`` connects it to a peripheral. Only its stored properties are inspected, so
/// a computed service would be overlooked.
public protocol DeviceDeclaration: Sendable {
    /// How such a device is recognised.
    static var discovery: DiscoveryCriteria { get }

    /// The variants of the device, the one to prefer first; none by default.
    static var variants: [DeviceVariant] { get }

    init()
}

extension DeviceDeclaration {
    /// No variants.
    public static var variants: [DeviceVariant] { [] }
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
    /// The type of the service.
    static var uuid: BluetoothUUID { get }
}

/// A characteristic of a service, with the type of its values.
public struct Declared<Value: Sendable>: Sendable {
    /// Its type.
    public let uuid: BluetoothUUID
    /// What happens with it when the device is connected.
    public let options: Set<DeclaredOption>

    /// Declares a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: Its type.
    ///   - options: What to do with it after connecting, and whether it is required.
    public init(_ uuid: BluetoothUUID, _ options: DeclaredOption...) {
        self.init(uuid, options: Set(options))
    }

    /// Declares a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: Its type.
    ///   - options: What to do with it after connecting, and whether it is required.
    public init(_ uuid: BluetoothUUID, options: Set<DeclaredOption>) {
        self.uuid = uuid
        self.options = options
    }
}

/// What happens with a declared characteristic when its device is connected.
public enum DeclaredOption: Hashable, Sendable {
    /// It is subscribed to.
    case notifies
    /// It is read once.
    case isRead
    /// It is not required; a device without it can be connected, too.
    case isOptional
}

/// A declared characteristic, without the type of its values.
protocol AnyDeclared {
    var uuid: BluetoothUUID { get }
    var options: Set<DeclaredOption> { get }
}

extension Declared: AnyDeclared {}

/// A characteristic of a declaration, found by reflection on its stored properties.
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

/// Identifies a characteristic of a device, the same on every link.
struct CharacteristicKey: Hashable, Sendable {
    let service: BluetoothUUID
    let uuid: BluetoothUUID
}
