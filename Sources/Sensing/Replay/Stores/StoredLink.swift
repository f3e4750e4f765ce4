import Base
import Vitals

/// A sensor with readings.
struct StoredLink {
    /// The greatest timeout, in nanoseconds.
    static let longestTimeout: Int64 = 120_000_000_000
    private static let shortestPatience: Int64 = 15_000_000_000

    var sensor: SensorIdentity
    private var last: Moment?
    private var interval: Int64?

    init(sensor: SensorIdentity) {
        self.sensor = sensor
    }

    mutating func record(_ sensor: SensorIdentity, at moment: Moment) {
        self.sensor = sensor
        if let last, moment > last { interval = moment.since(last).nanoseconds }
        last = moment
    }

    /// The length of silence that counts as a fault: several times its interval.
    var timeout: Int64 {
        guard let interval else { return Self.longestTimeout }
        return min(max(Self.shortestPatience, interval.multipliedSaturated(by: 10)), Self.longestTimeout)
    }
}
