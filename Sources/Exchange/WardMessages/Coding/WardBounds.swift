import Vitals

/// The permitted numbers and texts in a message; a message from a broker may contain anything.
enum WardBounds {
    /// The greatest length of a payload in bytes, by its kind.
    static let birthBytes = 96 * 1024
    static let historyBytes = 384 * 1024
    static let smallBytes = 4 * 1024

    /// The greatest numbers of elements.
    static let mostAlarms = 64
    /// More than any version knows, so that a message of a newer one is read.
    static let mostVitals = 64
    static let mostSensors = 64
    static let mostEpisodes = 256
    /// The limit of RR intervals in a notification: those of the longest one.
    static let mostIntervals = 256

    /// The greatest lengths of texts, in characters.
    static let textLimit = 160
    static let nameLimit = 64

    static let alarmNumbers = 0...2_000_000_000
    /// Counters, which JSON readers with doubles can represent, too.
    static let counts: ClosedRange<Int64> = 0...(1 << 53)
    /// Milliseconds of a clock that counts from the start of a computer: three centuries.
    static let bootMilliseconds: ClosedRange<Int64> = 0...9_500_000_000_000
    static let wallMilliseconds = RecordEntry.wallTimes
    /// Ages in milliseconds: a century.
    static let ages: ClosedRange<Int64> = 0...3_200_000_000_000
    /// Numbers of patients in a store.
    static let patientNumbers: ClosedRange<Int64> = 1...1_000_000
    /// Numbers of persons on a device.
    static let users = Int64(EntryFacts.users.lowerBound)...Int64(EntryFacts.users.upperBound)
    /// How long a request may wait, in milliseconds.
    static let waits: ClosedRange<Int64> = 0...60_000
    /// Values in hundredths of a unit.
    static let hundredths = -10_000_000...10_000_000
}
