import VitalDecoders

/// A measurement that waits for a person's decision (``PendingMeasurements``).
public struct PendingMeasurement: Hashable, Sendable, Identifiable {
    /// Its number in the list, from 1; never used again.
    public let id: Int
    /// What was measured.
    public let measurement: HealthMeasurement
    /// The device that sent it.
    public let device: BluetoothAddress
    /// When it arrived, in milliseconds since 1970 (UTC); the device's own time is in the measurement.
    public let arrival: Int64
    /// The circumstances of a glucose measurement, such as the meal, which a meter sends after it; `nil` for none.
    public internal(set) var context: GlucoseMeasurementContext?
    /// By what it is recognised when its device sends it again.
    let identity: MeasurementIdentity?

    init(id: Int, measurement: HealthMeasurement, device: BluetoothAddress, arrival: Int64) {
        (self.id, self.measurement, self.device, self.arrival) = (id, measurement, device, arrival)
        identity = MeasurementIdentity(measurement, from: device)
    }
}

/// What a person has decided about a measurement.
public enum MeasurementDecision: String, Hashable, Sendable, CaseIterable, Codable {
    /// It counts.
    case confirmed
    /// It does not count: a wrong person, a loose cuff, a control solution.
    case discarded
}

/// What has become of an offered measurement (``PendingMeasurements/offer(_:from:at:)``).
public enum MeasurementOffer: Hashable, Sendable {
    /// It waits under this number.
    case added(id: Int)
    /// The device has sent it before, and it waits under this number.
    case waiting(id: Int)
    /// The device has sent it before, and the person has decided.
    case decided(MeasurementDecision)
    /// The device reports that it could not measure.
    case withoutResult
    /// As many measurements as can be wait already; this one is not kept.
    case full
}

/// Tells a measurement from all others of all devices, as far as its device allows.
struct MeasurementIdentity: Hashable, Sendable {
    var device: BluetoothAddress
    var uuid: BluetoothUUID
    /// All that was sent: the time or number of the record alone would take two measurements for one where a device's
    /// clock stands still, or its numbers begin again.
    var octets: [UInt8]

    /// `nil` for a measurement that may be another one with equal octets.
    init?(_ measurement: HealthMeasurement, from device: BluetoothAddress) {
        guard measurement.isDistinguishable else { return nil }
        (self.device, uuid, octets) = (device, measurement.characteristic.uuid, measurement.octets)
    }
}

/// A measurement that was decided about, to be recognised when its device sends it again.
struct DecidedMeasurement: Hashable, Sendable {
    var identity: MeasurementIdentity
    var decision: MeasurementDecision
}

extension PendingMeasurement: Codable {
    private enum CodingKeys: String, CodingKey { case id, device, characteristic, octets, context, arrival }

    /// Reads a measurement, and checks it.
    ///
    /// - Throws: ``StoredListFormatError`` for what cannot be, `DecodingError` for what is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let sent = try SentMeasurement(from: decoder)
        self.init(
            id: try members.decode(Int.self, forKey: .id), measurement: try sent.measurement, device: sent.device,
            arrival: try members.decode(Int64.self, forKey: .arrival))
        guard let text = try members.decodeIfPresent(String.self, forKey: .context) else { return }
        guard let octets = try? Hexadecimal.octets(text.utf8),
            let context = try? GlucoseMeasurementContext(gatt: octets)
        else { throw StoredListFormatError.damaged("the context of a measurement cannot be decoded") }
        self.context = context
    }

    /// Writes the measurement as an object, with its octets in hexadecimal.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try SentMeasurement(device: device, measurement: measurement).encode(to: encoder)
        try members.encodeIfPresent(context.map { Hexadecimal.text($0.octets) }, forKey: .context)
        try members.encode(arrival, forKey: .arrival)
    }
}

extension DecidedMeasurement: Codable {
    private enum CodingKeys: String, CodingKey { case decision }

    init(from decoder: any Decoder) throws {
        let sent = try SentMeasurement(from: decoder)
        guard let identity = MeasurementIdentity(try sent.measurement, from: sent.device),
            let decision = MeasurementDecision(
                rawValue: try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .decision))
        else { throw StoredListFormatError.damaged("a decision cannot be one") }
        (self.identity, self.decision) = (identity, decision)
    }

    func encode(to encoder: any Encoder) throws {
        try SentMeasurement(device: identity.device, uuid: identity.uuid, octets: identity.octets).encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(decision.rawValue, forKey: .decision)
    }
}

/// What both kinds of entries write of a measurement.
private struct SentMeasurement: Codable {
    var device: BluetoothAddress
    var uuid: BluetoothUUID
    var octets: [UInt8]

    private enum CodingKeys: String, CodingKey { case device, characteristic, octets }

    init(device: BluetoothAddress, uuid: BluetoothUUID, octets: [UInt8]) {
        (self.device, self.uuid, self.octets) = (device, uuid, octets)
    }

    init(device: BluetoothAddress, measurement: HealthMeasurement) {
        self.init(device: device, uuid: measurement.characteristic.uuid, octets: measurement.octets)
    }

    /// The measurement, which was decoded once already.
    var measurement: HealthMeasurement {
        get throws { try HealthMeasurement(octets, from: uuid) }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let device = BluetoothAddress(try members.decode(String.self, forKey: .device)),
            let uuid = BluetoothUUID(try members.decode(String.self, forKey: .characteristic)),
            let octets = try? Hexadecimal.octets(try members.decode(String.self, forKey: .octets).utf8),
            // Written canonically, so that equal measurements have equal octets.
            let measurement = try? HealthMeasurement(octets, from: uuid), measurement.octets == octets
        else { throw StoredListFormatError.damaged("a measurement cannot be decoded") }
        self.init(device: device, uuid: uuid, octets: octets)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(device.description, forKey: .device)
        try members.encode(uuid.description, forKey: .characteristic)
        try members.encode(Hexadecimal.text(octets), forKey: .octets)
    }
}
