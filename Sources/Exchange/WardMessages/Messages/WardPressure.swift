import Vitals

/// A blood pressure with its age: a spot value, which is not renewed at an interval.
public struct WardPressure: Hashable, Sendable {
    /// The entry of the record; only the wall clock of its moments has a meaning elsewhere.
    public private(set) var entry: RecordEntry
    public private(set) var pressure: BloodPressure
    /// Its age when the message was sent, by the bed's monotonic clock, in milliseconds.
    public var ageMilliseconds: Int64

    /// Describes an entry; `nil` for any other than a blood pressure.
    ///
    /// - Parameters:
    ///   - entry: The entry, without words that must not leave the bed.
    ///   - ageMilliseconds: Its age.
    public init?(_ entry: RecordEntry, ageMilliseconds: Int64) {
        guard case .bloodPressure(let pressure) = entry.content else { return nil }
        (self.entry, self.pressure, self.ageMilliseconds) = (entry, pressure, ageMilliseconds)
    }
}
