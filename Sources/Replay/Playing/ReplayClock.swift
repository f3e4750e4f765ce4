import SaturatingArithmetic
import Vitals

/// Maps the computer's time to that of a recording, at a speed, with pauses.
struct ReplayClock: Sendable {
    /// The speed; changing it does not make time jump.
    private(set) var speed: ReplaySpeed
    /// Whether time stands still.
    private(set) var isPaused = false
    /// The moment of the recording from which on the present speed has held, and when that was for the computer.
    private var anchor: Moment
    private var anchorNanoseconds: Int64

    /// Makes a clock that shows a moment.
    ///
    /// - Parameter nanoseconds: The present monotonic time of the computer.
    init(at moment: Moment, nanoseconds: Int64, speed: ReplaySpeed) {
        anchor = moment
        anchorNanoseconds = nanoseconds
        self.speed = speed
    }

    /// Whether time goes with the computer's; otherwise it goes with what is played, or stands still.
    private var rate: Double? {
        if case .times(let rate) = speed, !isPaused { rate } else { nil }
    }

    /// The moment that the clock shows.
    func moment(at nanoseconds: Int64) -> Moment {
        guard let rate else { return anchor }
        let elapsed = Double(max(0, nanoseconds.subtractingSaturated(anchorNanoseconds))) * rate
        return anchor.advanced(by: .nanoseconds(Int64(saturating: elapsed)))
    }

    /// When the clock will show a moment, in nanoseconds of the computer's monotonic time; `nil` when it stands still.
    func time(of moment: Moment) -> Int64? {
        guard let rate else { return nil }
        let ahead = Double(moment.monotonicNanoseconds.subtractingSaturated(anchor.monotonicNanoseconds)) / rate
        guard ahead < 9e18 / 4 else { return nil }
        // Rounded up: never before the moment is there.
        return anchorNanoseconds.addingSaturated(max(0, Int64(saturating: ahead.rounded(.up))))
    }

    /// Sets the clock.
    mutating func set(to moment: Moment, nanoseconds: Int64) {
        anchor = moment
        anchorNanoseconds = nanoseconds
    }

    /// Goes on with another moment where it would have come to one.
    mutating func jump(from: Moment, to: Moment) {
        anchor = Moment(
            monotonicNanoseconds: anchor.monotonicNanoseconds.addingSaturated(to.since(from).nanoseconds),
            wallMilliseconds: anchor.wallMilliseconds.addingSaturated(
                to.wallMilliseconds.subtractingSaturated(from.wallMilliseconds)))
    }

    /// Plays at another speed from a moment on.
    mutating func play(at speed: ReplaySpeed, from moment: Moment, nanoseconds: Int64) {
        set(to: moment, nanoseconds: nanoseconds)
        self.speed = speed
    }

    /// Stops time at a moment, or lets it go on from there.
    mutating func pause(_ isPaused: Bool, at moment: Moment, nanoseconds: Int64) {
        set(to: moment, nanoseconds: nanoseconds)
        self.isPaused = isPaused
    }
}
