import Vitals

/// The plausible times in a line; a line from another process may contain any number.
enum LinkBounds {
    /// A century, in milliseconds.
    private static let century: Int64 = 100 * 366 * 86_400_000
    private static let durations = Duration.milliseconds(-century)...Duration.milliseconds(century)
    // Some moments are calculated back from the present, to before the computer started.
    private static let nanoseconds = -century * 1_000_000...century * 1_000_000
    private static let milliseconds = -century...(3 * century)

    static func contains(_ moment: Moment) -> Bool {
        nanoseconds.contains(moment.monotonicNanoseconds) && milliseconds.contains(moment.wallMilliseconds)
    }

    /// Whether a value is a plausible time, or no time at all, so that calculations with it cannot overflow.
    static func contains(_ value: any Decodable) -> Bool {
        switch value {
        case let moment as Moment: contains(moment)
        case let duration as Duration: durations.contains(duration)
        default: true
        }
    }
}
