import Vitals

/// What is known of a bed now; the raw value is the word in `bedside ward --json`.
public enum BedLink: String, CaseIterable, Hashable, Sendable {
    /// The broker is not there, so nothing is known.
    case noBroker = "no_broker"
    /// The bed was announced or heard, and its full picture has been asked for and has not come yet.
    case waiting
    /// Messages come, and the bed does not answer: their age is unknown.
    case noAnswer = "no_answer"
    /// It sends, and the age of what it sends is known.
    case live
    /// Nothing has come for three heartbeats, or the broker has lost it.
    case noLink = "no_link"
    /// The monitor at the bed was closed by its user.
    case closed
    /// A second session began while the first may still be there: perhaps a restart.
    case handover
    /// Two monitors publish for this bed.
    case twoMonitors = "two_monitors"
    /// It is simulated or a replay, and such beds were not asked for.
    case simulatedRefused = "simulated_refused"

    /// Whether values may be shown as present ones.
    public var isLive: Bool { self == .live }

    /// Whether old values may be shown, dimmed and dated; with two monitors nobody knows whose they are.
    public var showsOldValues: Bool {
        switch self {
        case .live, .noLink, .noBroker, .closed, .noAnswer: true
        case .waiting, .handover, .twoMonitors, .simulatedRefused: false
        }
    }
}

/// A vital of a bed as a screen may show it.
public enum ShownVital: Hashable, Sendable {
    /// Nothing is known.
    case none
    /// A present value, so many milliseconds old.
    case present(VitalValue, Reading.Quality, age: Int64)
    /// A value that should have been renewed by now.
    case stale(VitalValue, age: Int64)
    /// A value too old to be shown as a number of now.
    case lost(VitalValue, age: Int64)
    /// No measurement, and why.
    case absent(AbsenceReason)
    /// The last value before the link was lost; when it was measured, by the ward's clock.
    case old(VitalValue, measured: Moment)

    /// Whether it is a number of now.
    public var isPresent: Bool { if case .present = self { true } else { false } }
}
