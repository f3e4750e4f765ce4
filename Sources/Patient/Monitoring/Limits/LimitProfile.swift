import Base
import Vitals

/// Limits for a part of the day, such as the night.
public struct LimitProfile: Codable, Hashable, Sendable {
    /// Its name: "night".
    public var name: String
    /// The minute of the local day at which it begins, 0 to 1439.
    public var start: Int
    /// The minute of the local day at which it ends, 0 to 1439; before `start` if it continues past midnight, equal to
    /// it if it lasts the whole day.
    public var end: Int
    public var limits: MonitorSettings.Limits

    /// Creates a profile; the name is sanitized.
    public init(name: String, start: Int, end: Int, limits: MonitorSettings.Limits) {
        self.name = sanitized(name, limit: 32)
        self.start = start
        self.end = end
        self.limits = limits
    }

    /// The number of minutes in a day.
    public static let minutesOfDay = 1440

    /// Whether it applies at a minute of the local day.
    public func contains(minute: Int) -> Bool {
        if start == end { return true }
        return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}

extension [LimitProfile] {
    /// The index of the first profile that applies at a minute of the local day; `nil` for the ordinary limits.
    public func selected(minute: Int) -> Int? {
        firstIndex { $0.contains(minute: minute) }
    }
}
