import VitalDecoders

/// The measurements that devices have sent and a person has not yet confirmed or discarded.
///
/// A scale does not know who stands on it, and a meter sends its whole memory again and again. So what arrives waits
/// here, once, until somebody decides. What was decided about is remembered, whether confirmed or discarded, so that it
/// is not offered again when the device sends it again. The list knows no clock, and evaluates no measurement.
///
/// ```swift
/// var measurements = PendingMeasurements()
/// measurements.offer(.weight(measurement), from: scale, at: now)
/// if let confirmed = measurements.confirm(measurements.waiting[0].id) { record(confirmed) }
/// ```
///
/// A measurement is recognised by all that its device sends: the number of the record or the device's time, and the
/// values (``HealthMeasurement/isDistinguishable``). One that cannot be recognised is offered each time it comes.
public struct PendingMeasurements: Hashable, Sendable {
    /// The greatest number of measurements that wait.
    public static let greatestCount = 256
    /// The greatest number of decisions that are remembered; the oldest is forgotten for a new one.
    ///
    /// A glucose meter may have several hundred records.
    public static let greatestDecisionCount = 2048

    /// What waits, in the order of arrival.
    public private(set) var waiting: [PendingMeasurement] = []
    /// What was decided about and can be recognised, in the order of the decisions.
    private var decided: [DecidedMeasurement] = []
    /// The number of the next measurement.
    private var nextID = 1

    /// Creates an empty list.
    public init() {}

    /// The measurement with a number; `nil` when none waits under it.
    public subscript(id: Int) -> PendingMeasurement? {
        waiting.first { $0.id == id }
    }

    /// What a person has decided about a measurement; `nil` for nothing that is remembered.
    ///
    /// - Parameters:
    ///   - measurement: What the device sends.
    ///   - device: The device.
    public func decision(on measurement: HealthMeasurement, from device: BluetoothAddress) -> MeasurementDecision? {
        guard let identity = MeasurementIdentity(measurement, from: device) else { return nil }
        return decided.first { $0.identity == identity }?.decision
    }

    // MARK: What arrives

    /// Lets a measurement wait, unless the device has sent it before.
    ///
    /// - Parameters:
    ///   - measurement: What the device has sent.
    ///   - device: The device.
    ///   - moment: When it arrived, in milliseconds since 1970 (UTC).
    /// - Returns: What has become of it; only with `added` has the list changed.
    @discardableResult
    public mutating func offer(
        _ measurement: HealthMeasurement, from device: BluetoothAddress, at moment: Int64
    ) -> MeasurementOffer {
        guard measurement.hasResult else { return .withoutResult }
        if let identity = MeasurementIdentity(measurement, from: device) {
            if let known = waiting.first(where: { $0.identity == identity }) { return .waiting(id: known.id) }
            if let known = decided.first(where: { $0.identity == identity }) { return .decided(known.decision) }
        }
        // The last number is kept free, so that the next one is always a number.
        guard waiting.count < Self.greatestCount, nextID < .max else { return .full }
        defer { nextID += 1 }
        waiting.append(PendingMeasurement(id: nextID, measurement: measurement, device: device, arrival: moment))
        return .added(id: nextID)
    }

    /// Adds the circumstances of a glucose measurement that waits, which a meter sends after it.
    ///
    /// - Parameters:
    ///   - context: What the meter has sent; it names the number of the record.
    ///   - device: The meter.
    /// - Returns: Whether a record with that number waits; the newest one has got the context.
    @discardableResult
    public mutating func add(_ context: GlucoseMeasurementContext, from device: BluetoothAddress) -> Bool {
        let index = waiting.lastIndex {
            guard $0.device == device, case .glucose(let glucose) = $0.measurement else { return false }
            return glucose.sequenceNumber == context.sequenceNumber
        }
        guard let index else { return false }
        waiting[index].context = context
        return true
    }

    // MARK: What a person decides

    /// Confirms a measurement; it no longer waits, and is the caller's to record.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The measurement; `nil` when none waits under the number, and nothing has changed.
    public mutating func confirm(_ id: Int) -> PendingMeasurement? {
        decide(id, .confirmed)
    }

    /// Discards a measurement; it no longer waits, and is not offered again where it can be recognised.
    ///
    /// - Parameter id: Its number.
    /// - Returns: The measurement; `nil` when none waits under the number, and nothing has changed.
    @discardableResult
    public mutating func discard(_ id: Int) -> PendingMeasurement? {
        decide(id, .discarded)
    }

    /// Forgets all of a device: what waits, and what was decided about.
    ///
    /// When the device sends its memory again, everything in it is offered again.
    public mutating func forget(_ device: BluetoothAddress) {
        waiting.removeAll { $0.device == device }
        decided.removeAll { $0.identity.device == device }
    }

    private mutating func decide(_ id: Int, _ decision: MeasurementDecision) -> PendingMeasurement? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        let measurement = waiting.remove(at: index)
        if let identity = measurement.identity {
            decided.append(DecidedMeasurement(identity: identity, decision: decision))
            if decided.count > Self.greatestDecisionCount { decided.removeFirst() }
        }
        return measurement
    }
}

extension PendingMeasurements: StoredList {
    /// `measurements to confirm`.
    public static let formatName = "measurements to confirm"
    /// The version of the form.
    public static let formatVersion = 1

    private enum CodingKeys: String, CodingKey { case waiting, decided, nextID }

    /// Reads the list, and checks it.
    ///
    /// - Throws: ``StoredListFormatError`` for what cannot be, `DecodingError` for what is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        waiting = try members.decode([PendingMeasurement].self, forKey: .waiting)
        decided = try members.decode([DecidedMeasurement].self, forKey: .decided)
        nextID = try members.decode(Int.self, forKey: .nextID)
        guard waiting.count <= Self.greatestCount, decided.count <= Self.greatestDecisionCount else {
            throw StoredListFormatError.damaged("it has too many measurements")
        }
        guard zip(waiting, waiting.dropFirst()).allSatisfy({ $0.id < $1.id }), waiting.first?.id ?? 1 >= 1,
            waiting.last?.id ?? 0 < nextID
        else { throw StoredListFormatError.damaged("the numbers of its measurements are wrong") }
        let identities = waiting.compactMap(\.identity) + decided.map(\.identity)
        guard Set(identities).count == identities.count else {
            throw StoredListFormatError.damaged("a measurement is there twice")
        }
        guard waiting.allSatisfy(\.measurement.hasResult) else {
            throw StoredListFormatError.damaged("a measurement has no result")
        }
    }

    /// Writes the list as an object with what waits and what was decided about.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(waiting, forKey: .waiting)
        try members.encode(decided, forKey: .decided)
        try members.encode(nextID, forKey: .nextID)
    }
}
