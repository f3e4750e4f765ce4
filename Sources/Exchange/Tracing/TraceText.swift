import Base
import Formats
import VitalDecoders
import Vitals
import Wording

/// The lines of a trace, for people.
public enum TraceText {
    /// The lines of a step, each with its end.
    ///
    /// - Parameters:
    ///   - moment: When it happened; written in UTC.
    ///   - isSimulated: Whether the sensors are simulated; each line says so.
    public static func lines(_ entry: TraceEntry, at moment: Moment, isSimulated: Bool = false) -> String {
        let time = timestamp(ofWallMilliseconds: moment.wallMilliseconds) + (isSimulated ? " SIMULATED" : "")
        let who = [entry.address, entry.name].filter { !$0.isEmpty }.map { sanitized($0) }.joined(separator: " ")
        return words(entry.kind).map { "\(time) \(who): \($0)\n" }.joined()
    }

    /// The name of a trace's files without their ending: the address and the time in UTC.
    public static func fileName(of address: String, at moment: Moment) -> String {
        let time = timestamp(ofWallMilliseconds: moment.wallMilliseconds).prefix(19).filter { $0 != ":" && $0 != "-" }
        let who = sanitized(address, limit: 20).map { $0.isHexDigit ? String($0) : "" }.joined()
        return "\(who)-\(time)Z"
    }

    /// The steps in words, one for each line.
    static func words(_ kind: TraceEntry.Kind) -> [String] {
        switch kind {
        case .advertised(let data, let strength, _):
            let heard = strength.map { "heard at \($0) dBm" } ?? "heard"
            let parts = AdvertisementText.items(data).map { "\($0.label) \($0.text)" }
            return [([heard] + parts).joined(separator: "; ")]
        case .connected: return ["connected"]
        case .disconnected: return ["disconnected"]
        case .discovered(let services): return services.isEmpty ? ["no services"] : services.flatMap(words)
        case .notified(let attribute, let octets): return ["\(text(attribute)) notified \(text(octets))"]
        case .asked(let operation): return [text(operation)]
        case .done(let operation, let octets):
            if case .read(let attribute) = operation { return ["\(text(attribute)) read: \(text(octets))"] }
            return ["\(text(operation)): done"]
        case .failed(let operation, let error):
            return ["\(text(operation)): FAILED, \(sanitized(error, limit: 200))"]
        }
    }

    private static func words(_ service: TraceEntry.Service) -> [String] {
        let name = AdvertisementText.named(service.uuid)
        return ["service \(handle(service.handle)) \(name)"]
            + service.characteristics.map { characteristic in
                let properties = characteristic.propertyNames.map { sanitized($0, limit: 30) }
                return "characteristic \(text(characteristic.attribute)): \(properties.joined(separator: ", "))"
            }
    }

    static func text(_ operation: TraceEntry.Operation) -> String {
        switch operation {
        case .connect: "connect"
        case .disconnect: "disconnect"
        case .pair: "pair"
        case .remove: "remove from bluetoothd's list"
        case .read(let attribute): "read \(text(attribute))"
        case .write(let attribute, let octets, let withResponse):
            "write \(text(attribute))\(withResponse ? "" : " without response"): \(text(octets))"
        case .subscribe(let attribute): "subscribe to \(text(attribute))"
        case .unsubscribe(let attribute): "end the subscription to \(text(attribute))"
        }
    }

    private static func text(_ attribute: TraceEntry.Attribute) -> String {
        "\(handle(attribute.handle)) \(AdvertisementText.named(attribute.uuid) { AssignedNames.characteristic($0) })"
    }

    private static func text(_ octets: TraceEntry.Octets) -> String {
        switch octets {
        case .shown([]): "no octets"
        case .shown(let octets): Hexadecimal.text(octets)
        case .secret(let count): "\(count) secret octets"
        }
    }

    private static func handle(_ handle: UInt16) -> String { "0x" + Hexadecimal.text(UInt64(handle), digits: 4) }
}
