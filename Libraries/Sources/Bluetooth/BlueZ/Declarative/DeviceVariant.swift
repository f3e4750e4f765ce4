/// A variant of a declared device: what is used in the same way, and is another thing for the person who holds it.
///
/// One declaration of a cuff serves those for the arm and those for the wrist; a maker's models differ by their names or
/// by a number in what they advertise:
///
/// ```swift
/// static let variants = [
///     DeviceVariant("wrist", DiscoveryCriteria(appearance: .wristBloodPressureMonitor)),
///     DeviceVariant("arm", DiscoveryCriteria(appearance: .armBloodPressureMonitor)),
/// ]
/// ```
public struct DeviceVariant: Hashable, Sendable {
    /// Its name, which differs from those of the device's other variants; a program may store it.
    public let name: String
    /// How it is recognised, among devices that already meet the criteria of the declaration.
    public let criteria: DiscoveryCriteria

    /// Declares a variant.
    ///
    /// - Parameters:
    ///   - name: Its name, which differs from those of the device's other variants.
    ///   - criteria: How it is recognised, beyond the criteria of the declaration.
    public init(_ name: String, _ criteria: DiscoveryCriteria) {
        self.name = name
        self.criteria = criteria
    }
}

extension DeviceDeclaration {
    /// Which variant a peripheral is: the first that it meets the criteria of.
    ///
    /// - Parameter peripheral: What is known of it; of most devices the appearance only after a connection.
    /// - Returns: `nil` for one that is no such device, or none of its variants.
    public static func variant(of peripheral: Peripheral) -> DeviceVariant? {
        guard discovery.matches(peripheral) else { return nil }
        return variants.first { $0.criteria.matches(peripheral) }
    }
}

extension Device {
    /// Which of its declaration's variants the device is, by what is known of it now; `nil` for none.
    public var variant: DeviceVariant? {
        get async { await peripheral.flatMap { Declaration.variant(of: $0) } }
    }

    /// What the device looks like, by its own account; `nil` while it is not known.
    public var appearance: BluetoothAppearance? {
        get async { await peripheral?.appearance }
    }
}
