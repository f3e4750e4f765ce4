import Vitals

/// One vital of the patient: its condition by the sensor chosen for it, and its trend.
public struct VitalState: Codable, Hashable, Sendable {
    /// Which vital.
    public let vital: Vital
    /// What is known about it now.
    public private(set) var condition: VitalCondition = .neverSeen
    /// What the condition amounts to.
    private(set) var standing = Standing(.neverSeen)
    /// The sensor that it is taken from: the first that delivers, kept while it delivers.
    public internal(set) var source: SensorIdentity?
    /// The ordinal of that sensor.
    var sourceOrdinal: Int?
    /// The interval at which that sensor usually sends it.
    public internal(set) var interval: Duration
    /// The values over time, from whichever sensor was the source then.
    public internal(set) var trend = Trend()
    /// How many values have come from its sources in this run of the program; it goes on with each.
    public internal(set) var valueCount = 0

    init(vital: Vital, interval: Duration) {
        self.vital = vital
        self.interval = interval
    }

    /// Takes over what the source says.
    mutating func handle(from sensor: borrowing SensorState, place: Int) {
        let source = sensor.vitals.span
        condition = source[place].condition
        standing = source[place].standing
        interval = source[place].interval
    }

    /// Why there is no measurement and what to do, or `nil` when no banner is due.
    public var banner: Banner? {
        condition.absence.map { Banner(absence: $0, vitals: [vital]) }
    }
}
