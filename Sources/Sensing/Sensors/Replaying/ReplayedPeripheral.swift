import KnownSensors
import VitalDecoders
import Vitals

/// A peripheral in a recording, whose values are decoded like those of a live link.
public struct ReplayedPeripheral: Sendable {
    private let address: String
    private var name: String?
    private var services: [BluetoothUUID] = []
    private var maker: ReadingDecoder
    private var signalStrength: Int?
    private var lastReported: Moment?
    private var batteryPercent: Int?

    /// Creates a peripheral known only by its address, or by a recording's identifier.
    public init(address: String) {
        self.address = address
        maker = ReadingDecoder(identity: SensorIdentity(recognising: address, name: nil, services: []))
    }

    /// Creates a peripheral that the recording names.
    public init(_ identity: SensorIdentity) {
        address = identity.address
        name = identity.name
        maker = ReadingDecoder(identity: identity)
    }

    /// Its identity as reported so far.
    public var identity: SensorIdentity { maker.identity }

    /// Whether Bedside makes readings of its values.
    public var isRead: Bool { SupportedSensors.isRead(identity.kind) }

    /// The same peripheral before its first value, but with its name and its services.
    public var beforeFirstValue: ReplayedPeripheral {
        var peripheral = ReplayedPeripheral(address: address)
        peripheral.learn(name: name, services: services)
        return peripheral
    }

    /// Takes over the recording's identity for it from now on.
    public mutating func isKnown(as identity: SensorIdentity) {
        maker.identity = identity
    }

    /// Records its name and its services.
    public mutating func learn(name: String? = nil, services: [BluetoothUUID]) {
        let isNewName = name != nil && name != self.name
        if isNewName { self.name = name }
        let news = services.filter { !self.services.contains($0) }.prefix(
            max(0, Self.serviceLimit - self.services.count))
        self.services += news
        if isNewName || !news.isEmpty {
            maker.identity = SensorIdentity(recognising: address, name: self.name, services: self.services)
        }
    }

    private static let serviceLimit = 64

    /// Handles an advertisement.
    ///
    /// - Parameters:
    ///   - strength: The signal strength in dBm; `nil` when it is unknown.
    ///   - isNews: Whether more than the signal strength has changed.
    ///   - moment: When that was.
    /// - Returns: The event; `nil` for another signal strength within a second.
    public mutating func heard(strength: Int?, isNews: Bool, at moment: Moment) -> MonitorEvent.Kind? {
        let hasChanged = strength != nil && strength != signalStrength
        if let strength { signalStrength = strength }
        if !isNews, let lastReported {
            let age = moment.since(lastReported)
            guard age >= SignalStrengthThrottle.reassurance || hasChanged && age >= SignalStrengthThrottle.interval
            else { return nil }
        }
        lastReported = moment
        return .nearby(identity, signalStrength: signalStrength, services: services.map(\.description))
    }

    /// Handles a new link.
    ///
    /// - Parameters:
    ///   - characteristics: Its known characteristics.
    ///   - moment: When that was.
    public mutating func connected(having characteristics: [BluetoothUUID], at moment: Moment) {
        batteryPercent = nil
        if characteristics.contains(ReadCharacteristic.coreBodyTemperature.uuid) {
            maker.expectCoreValues(from: moment)
        }
    }

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - octets: The value, of any length.
    ///   - characteristic: The characteristic; unsupported ones are ignored.
    ///   - isNotified: Whether it was notified or indicated, instead of read.
    ///   - moment: When it arrived.
    ///   - report: Called with each reading, battery level or warning about malformed octets.
    public mutating func interpret(
        _ octets: [UInt8], of characteristic: BluetoothUUID, isNotified: Bool, at moment: Moment,
        report: (MonitorEvent.Kind) -> Void
    ) {
        if characteristic == Self.deviceName {
            let text = String(decoding: octets, as: UTF8.self)
            if !text.isEmpty { learn(name: text, services: []) }
            return
        }
        guard let known = ReadCharacteristic(uuid: characteristic) else { return }
        let isExpected =
            isNotified ? SupportedSensors.subscribed.contains(known) : SupportedSensors.readOnce.contains(known)
        guard isExpected || known == .batteryLevel else { return }
        if isNotified, !isRead { recognise(by: known) }
        maker.interpret(octets, of: known, at: moment) { kind in
            if case .battery(_, let percent) = kind {
                if percent == batteryPercent { return }
                batteryPercent = percent
            }
            report(kind)
        }
    }

    private static let deviceName = BluetoothUUID(0x2A00)

    /// Infers its kind from its values, if its services are unknown.
    private mutating func recognise(by characteristic: ReadCharacteristic) {
        let kinds = SupportedSensors.all.filter { $0.subscribed.contains(characteristic) }
        // The kind that mainly sends this; a CORE sends the thermometer's values, too.
        guard let kind = kinds.first(where: { $0.subscribed.first == characteristic }) ?? kinds.last else { return }
        for case .service(let service) in kind.signs.prefix(1) { learn(services: [service]) }
    }
}
