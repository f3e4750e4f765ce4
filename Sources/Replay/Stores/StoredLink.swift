import SaturatingArithmetic
import Vitals

/// A sensor that readings come from.
struct StoredLink {
    /// How long a sensor may say nothing before that means something, at most; in nanoseconds.
    static let longestPatience: Int64 = 120_000_000_000
    private static let shortestPatience: Int64 = 15_000_000_000

    var sensor: SensorIdentity
    private var last: Moment?
    private var interval: Int64?

    init(sensor: SensorIdentity) {
        self.sensor = sensor
    }

    mutating func told(_ sensor: SensorIdentity, at moment: Moment) {
        self.sensor = sensor
        if let last, moment > last { interval = moment.since(last).nanoseconds }
        last = moment
    }

    /// How long it may say nothing before that means something: several times of its pace.
    var timeout: Int64 {
        guard let interval else { return Self.longestPatience }
        return min(max(Self.shortestPatience, interval.multipliedSaturated(by: 10)), Self.longestPatience)
    }
}
