import Base
import Vitals

/// Maps the computer's time to that of a recording, at a speed, with pauses.
struct ReplayClock: Sendable {
    /// The speed; changing it does not make time jump.
    private(set) var speed: ReplaySpeed
    /// Whether time stands still.
    private(set) var isPaused = false
    /// The moment of the recording at which the present speed began, and the computer's time then.
    private var anchor: Moment
    private var anchorNanoseconds: Int64

    /// Creates a clock that shows a moment.
    ///
    /// - Parameter nanoseconds: The present monotonic time of the computer.
    init(at moment: Moment, nanoseconds: Int64, speed: ReplaySpeed) {
        anchor = moment
        anchorNanoseconds = nanoseconds
        self.speed = speed
    }

    /// The rate relative to the computer's time; `nil` when time follows the played events, or is paused.
    private var rate: Double? {
        if case .times(let rate) = speed, !isPaused { rate } else { nil }
    }

    /// The moment that the clock shows.
    func moment(at nanoseconds: Int64) -> Moment {
        guard let rate else { return anchor }
        let elapsed = Double(max(0, nanoseconds.subtractingSaturated(anchorNanoseconds))) * rate
        return anchor.advanced(by: .nanoseconds(Int64(saturating: elapsed)))
    }

    /// When the clock will show a moment, in nanoseconds of the computer's monotonic time; `nil` while it is paused.
    func time(of moment: Moment) -> Int64? {
        guard let rate else { return nil }
        let ahead = Double(moment.monotonicNanoseconds.subtractingSaturated(anchor.monotonicNanoseconds)) / rate
        guard ahead < 9e18 / 4 else { return nil }
        // Rounded up, so that it is never before the moment.
        return anchorNanoseconds.addingSaturated(max(0, Int64(saturating: ahead.rounded(.up))))
    }

    /// Sets the clock.
    mutating func set(to moment: Moment, nanoseconds: Int64) {
        anchor = moment
        anchorNanoseconds = nanoseconds
    }

    /// Replaces an upcoming moment by another one.
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

    /// Pauses time at a moment, or resumes it from there.
    mutating func pause(_ isPaused: Bool, at moment: Moment, nanoseconds: Int64) {
        set(to: moment, nanoseconds: nanoseconds)
        self.isPaused = isPaused
    }
}

/// The speed of a replay.
public enum ReplaySpeed: Hashable, Sendable {
    /// A multiple of the original speed.
    case times(Double)
    /// As fast as it can be read.
    case unlimited

    /// The speeds that the keys step through.
    public static let steps: [ReplaySpeed] =
        [0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600].map { .times($0) } + [.unlimited]

    /// The slowest and the fastest numeric speed.
    public static let bounds = 0.01...100_000.0

    /// Parses a typed speed: `10`, `0.5`, `10x`, `max`; `nil` for any other text.
    public init?(_ text: String) {
        if text.lowercased() == "max" {
            self = .unlimited
            return
        }
        let digits = text.hasSuffix("x") || text.hasSuffix("×") ? String(text.dropLast()) : text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }),
            let number = Double(digits), Self.bounds.contains(number)
        else { return nil }
        self = .times(number)
    }

    /// The next faster of the ``steps``; itself if it is the last.
    public var faster: ReplaySpeed { Self.steps.first { $0.order > order } ?? self }

    /// The next slower of the ``steps``; itself if it is the first.
    public var slower: ReplaySpeed { Self.steps.last { $0.order < order } ?? self }

    private var order: Double {
        switch self {
        case .times(let number): number
        case .unlimited: .infinity
        }
    }

    /// The speed as text, such as `10` or `0.25`, without a sign; `max` for unlimited.
    public var text: String {
        switch self {
        case .unlimited: return "max"
        case .times(let number):
            let text = "\(number)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
    }
}
