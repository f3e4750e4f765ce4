import VitalDecoders
import Vitals

extension SensorIdentity {
    /// Recognises a peripheral.
    ///
    /// - Parameters:
    ///   - address: The Bluetooth address.
    ///   - name: The name as sent, `nil` or empty when there is none; it is made harmless here.
    ///   - services: The services that it advertises or, once connected, has.
    init(recognising address: String, name: String?, services: [BluetoothUUID]) {
        let kind = SupportedSensors.kind(services: services, name: name)
        // A name of blanks and invisible characters would be an empty row on the screen.
        let isBlank = harmlessText(name ?? "").allSatisfy { $0.isWhitespace || $0 == "\u{FFFD}" }
        let shown = isBlank ? nil : name
        self.init(
            address: address, name: shown ?? SupportedSensors.substituteName(for: kind, address: address), kind: kind)
    }
}
