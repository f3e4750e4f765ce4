import VitalDecoders
import Vitals

/// What a supported sensor is: how it is recognised and called, and what is read from it.
struct SensorDeclaration: Sendable {
    /// The kind, as everybody else sees it.
    var kind: SensorKind
    /// What to call one that has no name of its own.
    var word: String
    /// What makes a peripheral this kind of sensor; one of them is enough.
    var signs: [Sign]
    /// What is subscribed to, by notification or indication.
    var subscribed: [ReadCharacteristic] = []
    /// What is read once, after subscribing.
    var readOnce: [ReadCharacteristic] = []
    /// What it is conversed with by; `nil` for one that is only subscribed to.
    var driver: (any SensorDriver.Type)?

    /// Whether a policy for all sensors may connect it; otherwise only who has chosen it by hand or by name.
    var isConnectedUnasked = true

    /// Whether readings are made of what it sends.
    var isRead: Bool { driver != nil || !subscribed.isEmpty }

    /// Something that a peripheral is recognised by.
    enum Sign: Hashable, Sendable {
        /// It offers a service.
        case service(BluetoothUUID)
        /// It has exactly this name.
        case name(String)
        /// It offers a service, and its name begins with this.
        case serviceAndName(BluetoothUUID, prefix: String)
        /// Its name begins with this, in capitals or not.
        case namePrefix(String)

        func isShown(services: [BluetoothUUID], name: String?) -> Bool {
            switch self {
            case .service(let service): services.contains(service)
            case .name(let exact): name == exact
            case .namePrefix(let prefix): name?.lowercased().hasPrefix(prefix.lowercased()) == true
            case .serviceAndName(let service, let prefix):
                services.contains(service) && name?.hasPrefix(prefix) == true
            }
        }
    }
}
