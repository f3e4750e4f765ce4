import VitalDecoders
import Vitals

/// The declaration of a supported sensor: how it is recognised and named, and what is read from it.
struct SensorDeclaration: Sendable {
    /// The kind, as other modules see it.
    var kind: SensorKind
    /// The name of a sensor that sends none.
    var word: String
    /// The signs by which a peripheral is recognised; one of them is enough.
    var signs: [Sign]
    /// The subscribed characteristics, notified or indicated.
    var subscribed: [ReadCharacteristic] = []
    /// The characteristics that are read once, after subscribing.
    var readOnce: [ReadCharacteristic] = []
    /// The driver of its conversation; `nil` for a sensor that is only subscribed to.
    var driver: (any SensorDriver.Type)?

    /// Whether a policy for all sensors may connect it; otherwise the user must choose it.
    var isConnectedUnasked = true

    /// Whether Bedside makes readings of its data.
    var isRead: Bool { driver != nil || !subscribed.isEmpty }

    /// A sign by which a peripheral is recognised.
    enum Sign: Hashable, Sendable {
        /// It offers a service.
        case service(BluetoothUUID)
        /// It has exactly this name.
        case name(String)
        /// It offers a service, and its name begins with this.
        case serviceAndName(BluetoothUUID, prefix: String)
        /// Its name begins with this text; case is ignored.
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
