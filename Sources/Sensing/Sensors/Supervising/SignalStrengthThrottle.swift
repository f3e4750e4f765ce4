import Vitals

/// Passes on at most one new signal strength of a peripheral per second, and always the newest one in the end.
///
/// Only signal strengths are reduced: users do not need more, and a hundred peripherals advertise many times a second.
/// Measurements never pass through here.
struct SignalStrengthThrottle: Sendable {
    /// The decision about a new signal strength.
    enum Decision: Hashable, Sendable {
        /// Report it now.
        case report
        /// Hold it, and report the newest at a moment.
        case reportAt(Moment)
        /// A moment for reporting the newest is set already.
        case keep
    }

    /// The shortest time between two reports.
    static let interval = Duration.seconds(1)

    /// After this time an unchanged signal strength is reported again.
    static let reassurance = Duration.seconds(5)

    private var lastReported: Moment?
    private var isDue = false

    /// Decides about a new signal strength.
    mutating func decide(at moment: Moment) -> Decision {
        if isDue { return .keep }
        if let lastReported, moment.since(lastReported) < Self.interval {
            isDue = true
            return .reportAt(lastReported.advanced(by: Self.interval))
        }
        lastReported = moment
        return .report
    }

    /// Whether the last report is so old that the peripheral may seem to be gone.
    func isOld(at moment: Moment) -> Bool {
        lastReported.map { moment.since($0) >= Self.reassurance } ?? true
    }

    /// Records that the newest was reported, for any reason.
    mutating func reported(at moment: Moment) {
        lastReported = moment
        isDue = false
    }
}
