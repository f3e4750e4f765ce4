import Vitals

/// A blood pressure with its age: a spot value, which no other one renews at an interval.
public struct WardPressure: Hashable, Sendable {
    /// The entry of the record; of its moments only the wall clock means anything elsewhere.
    public private(set) var entry: RecordEntry
    /// The pressure.
    public private(set) var pressure: BloodPressure
    /// How old it was when the message was sent, by the bed's clock that never jumps, in milliseconds.
    public var ageMilliseconds: Int64

    /// Describes an entry; `nil` for one that is not a blood pressure.
    ///
    /// - Parameters:
    ///   - entry: The entry, without words that must not leave the bed.
    ///   - ageMilliseconds: How old it is.
    public init?(_ entry: RecordEntry, ageMilliseconds: Int64) {
        guard case .bloodPressure(let pressure) = entry.content else { return nil }
        (self.entry, self.pressure, self.ageMilliseconds) = (entry, pressure, ageMilliseconds)
    }
}
