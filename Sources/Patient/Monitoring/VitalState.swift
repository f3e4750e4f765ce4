import Vitals

/// One vital of the patient: its condition by the sensor chosen for it, and its trend.
public struct VitalState: Codable, Hashable, Sendable {
    public let vital: Vital
    public private(set) var condition: VitalCondition = .neverSeen
    /// The standing of the condition.
    private(set) var standing = Standing(.neverSeen)
    /// Its sensor: the first that delivers, kept while it delivers.
    public internal(set) var source: SensorIdentity?
    /// The ordinal of that sensor.
    var sourceOrdinal: Int?
    /// The interval at which that sensor usually sends it.
    public internal(set) var interval: Duration
    /// The values over time, each from the source of its time.
    public internal(set) var trend = Trend()
    /// The number of values from its sources in this run of the program.
    public internal(set) var valueCount = 0

    init(vital: Vital, interval: Duration) {
        self.vital = vital
        self.interval = interval
    }

    /// Takes over the source's condition.
    mutating func handle(from sensor: borrowing SensorState, place: Int) {
        let source = sensor.vitals.span
        condition = source[place].condition
        standing = source[place].standing
        interval = source[place].interval
    }

    /// The reason of a missing measurement and its remedy, or `nil` without one.
    public var banner: Banner? {
        condition.absence.map { Banner(absence: $0, vitals: [vital]) }
    }
}
