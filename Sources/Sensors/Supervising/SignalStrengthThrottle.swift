import Vitals

/// Lets at most one new signal strength of a peripheral through in a second, and always the newest one in the end.
///
/// Only signal strengths are thinned out: nobody acts on them faster than that, and a hundred peripherals advertise
/// many times a second. Measurements never pass through here.
struct SignalStrengthThrottle: Sendable {
    /// What to do with a new signal strength.
    enum Decision: Hashable, Sendable {
        /// Tell it now.
        case report
        /// Keep it, and tell the newest at a moment.
        case reportAt(Moment)
        /// A moment for telling the newest is fixed already.
        case keep
    }

    /// The shortest time between two that are told.
    static let interval = Duration.seconds(1)

    /// After how long an unchanged signal strength is told again.
    static let reassurance = Duration.seconds(5)

    private var lastReported: Moment?
    private var isDue = false

    /// Decides about a signal strength that has just come.
    mutating func decide(at moment: Moment) -> Decision {
        if isDue { return .keep }
        if let lastReported, moment.since(lastReported) < Self.interval {
            isDue = true
            return .reportAt(lastReported.advanced(by: Self.interval))
        }
        lastReported = moment
        return .report
    }

    /// Whether the last one was told so long ago that readers may think the peripheral gone.
    func isOld(at moment: Moment) -> Bool {
        lastReported.map { moment.since($0) >= Self.reassurance } ?? true
    }

    /// Notes that the newest was told, for whatever reason.
    mutating func told(at moment: Moment) {
        lastReported = moment
        isDue = false
    }
}
