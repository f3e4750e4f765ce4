import Vitals

/// The state of a bed's link; the raw value is the word in `bedside ward --json`.
public enum BedLink: String, CaseIterable, Hashable, Sendable {
    /// The broker is lost, so nothing is known.
    case noBroker = "no_broker"
    /// The bed was announced or heard; its full picture was requested and has not arrived.
    case waiting
    /// The bed sends, but does not answer: the age of its messages is unknown.
    case noAnswer = "no_answer"
    /// The bed sends, and the age of its messages is known.
    case live
    /// Nothing has arrived for three heartbeats, or the broker has lost the bed.
    case noLink = "no_link"
    /// The monitor at the bed was closed by its user.
    case closed
    /// A second session began while the first may still exist: possibly a restart.
    case handover
    /// Two monitors publish for this bed.
    case twoMonitors = "two_monitors"
    /// It is simulated or a replay, and such beds are not shown.
    case simulatedRefused = "simulated_refused"
    /// The bed sends, but the ward follows as many others as it can: it is one of ``WardState/unplaced``.
    case noPlace = "no_place"

    /// Whether values may be shown as present ones.
    public var isLive: Bool { self == .live }

    /// Whether old values may be shown, dimmed and dated; with two monitors it is unknown whose they are.
    public var showsOldValues: Bool {
        switch self {
        case .live, .noLink, .noBroker, .closed, .noAnswer: true
        case .waiting, .handover, .twoMonitors, .simulatedRefused, .noPlace: false
        }
    }
}

/// A vital of a bed as a screen may show it.
public enum ShownVital: Hashable, Sendable {
    case none
    /// A present value and its age in milliseconds.
    case present(VitalValue, Reading.Quality, age: Int64)
    /// A value that is overdue.
    case stale(VitalValue, age: Int64)
    /// A value too old to be shown as a present number.
    case lost(VitalValue, age: Int64)
    /// No measurement, with the reason.
    case absent(AbsenceReason)
    /// The last value before the link was lost, with its time by the ward's clock.
    case old(VitalValue, measured: Moment)

    /// Whether it is a present number.
    public var isPresent: Bool { if case .present = self { true } else { false } }
}
