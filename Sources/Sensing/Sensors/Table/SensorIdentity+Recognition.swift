import Base
import VitalDecoders
import Vitals

extension SensorIdentity {
    /// Recognises a peripheral.
    ///
    /// - Parameters:
    ///   - address: The Bluetooth address.
    ///   - name: The name as sent, `nil` or empty when there is none; it is sanitized here.
    ///   - alias: The user's name for it, which is shown instead.
    ///   - services: The services that it advertises or, once connected, has.
    init(recognising address: String, name: String?, alias: String? = nil, services: [BluetoothUUID]) {
        let kind = SupportedSensors.kind(services: services, name: name)
        let shown = [alias, name].compactMap { $0 }.first { !Self.isBlank($0) }
        self.init(
            address: address, name: shown ?? SupportedSensors.substituteName(for: kind, address: address), kind: kind)
    }

    /// Whether a name would be an empty row on the screen: only blanks and invisible characters.
    private static func isBlank(_ name: String) -> Bool {
        sanitized(name).allSatisfy { $0.isWhitespace || $0 == "\u{FFFD}" }
    }
}
