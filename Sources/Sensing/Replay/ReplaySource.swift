import Base
import Vitals

/// A source of recorded events, in their order.
///
/// It is read incrementally, so a month needs no more memory than a minute.
public protocol ReplaySource {
    /// The recorded period as wall times, in milliseconds since 1970 (UTC); `nil` for an empty recording.
    var range: ClosedRange<Int64>? { get }

    /// Sentences for the user about parts of the recording that cannot be played.
    var warnings: [String] { get }

    /// Continues with the events from a wall time on, in milliseconds since 1970 (UTC).
    ///
    /// Earlier events are not delivered, except the connections that exist then.
    mutating func seek(to wallMilliseconds: Int64)

    /// Reads the next event.
    ///
    /// It reads a bounded part of the recording, so that the caller can handle keys and signals in between.
    ///
    /// - Throws: ``ReplayError`` when no more can be read.
    mutating func next() throws(ReplayError) -> ReplayStep

    /// The waves beside the events; `nil` where none can be played.
    func waves() -> ReplayWaves?

    /// The epoch of the newest event, in which ``ReplayWaves`` finds its waves; `nil` without one.
    var waveEpoch: Int64? { get }
}

extension ReplaySource {
    public func waves() -> ReplayWaves? { nil }

    public var waveEpoch: Int64? { nil }
}

/// The result of one step of reading.
public enum ReplayStep: Hashable, Sendable {
    case event(MonitorEvent)
    /// No event yet; there may be more to read.
    case searching
    /// The recording has ended.
    case end
}

/// Why a recording, or its rest, cannot be played.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// The file is missing or cannot be read.
        case unreadable
        /// The file is no recording, or is damaged.
        case malformed
        /// The program was asked to end while reading.
        case interrupted
    }

    /// What went wrong.
    public var kind: Kind
    /// The sentence without its full stop.
    public var description: String

    /// Creates an error from a sentence without its full stop.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// The format of a recording, by its content.
public enum RecordingFormat: Hashable, Sendable {
    /// A capture of Bluetooth traffic.
    case capture
    /// An SQLite file, such as a store of Bedside.
    case store

    private static let storeSignature = Array("SQLite format 3\0".utf8)

    /// Determines the format by the first bytes of a file.
    ///
    /// - Throws: ``ReplayError``.
    public init(ofFile path: String) throws(ReplayError) {
        let bytes = try CaptureFile(path).read(at: 0, count: Self.storeSignature.count)
        if bytes == Self.storeSignature {
            self = .store
        } else if CaptureReplay.isCapture(bytes) {
            self = .capture
        } else {
            throw ReplayError(
                .malformed,
                bytes.isEmpty
                    ? "\(path) is empty"
                    : "\(path) is not a recording: neither a store of Bedside nor a btsnoop, pcap or pcapng capture")
        }
    }
}

/// Maps recorded times to a clock that never goes back, as subscribers expect.
///
/// Recorded times are not trusted: a bit may be flipped, a clock may have been set. So every step of the clock is
/// bounded, and all wall times can be displayed.
struct ReplayTimeline: Sendable {
    /// The newest moment; `nil` before the first.
    private(set) var newest: Moment?
    /// The start of the clock: far from zero, so that earlier times are positive.
    private static let start: Int64 = 1_000_000_000_000_000
    /// The end of the clock: far below the limit of 64 bits, so that delays can be added to it.
    private static let end: Int64 = .max / 2
    /// A smaller step back does not mean that the clock was set: packets may be slightly out of order.
    private static let jitter: Int64 = 1000
    /// The longest period without events that is played, in nanoseconds; a longer one is a gap.
    ///
    /// It is a day, the longest window of the trends.
    static let longestStep: Int64 = 86_400_000_000_000
    /// The greatest advance of the clock over a gap: longer than any trend.
    static let longestGap: Int64 = 7 * longestStep
    /// The wall times of the years 0 to 9999, in milliseconds since 1970 (UTC).
    static let wallTimes: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    init() {}

    /// The nearest wall time that can be displayed.
    static func shown(wall: Int64) -> Int64 {
        min(max(wall, wallTimes.lowerBound), wallTimes.upperBound)
    }

    /// The moment with this wall time, this many nanoseconds after the newest one.
    mutating func advance(nanoseconds: Int64, wall: Int64) -> Moment {
        let step = min(max(0, nanoseconds), Self.longestGap)
        let moment = Moment(
            monotonicNanoseconds: min((newest?.monotonicNanoseconds ?? Self.start).addingSaturated(step), Self.end),
            wallMilliseconds: Self.shown(wall: wall))
        newest = moment
        return moment
    }

    /// The moment of the next event, with this wall time, this many nanoseconds after the newest one.
    ///
    /// - Returns: The moment, and what precedes the event: a gap in the recording.
    mutating func step(nanoseconds: Int64, wall: Int64) -> (moment: Moment, gap: Gap?) {
        let before = newest
        let moment = advance(nanoseconds: nanoseconds, wall: wall)
        guard let before, nanoseconds > Self.longestStep else { return (moment, nil) }
        return (moment, Gap(from: before, to: moment, reason: .program))
    }

    /// The moment of a wall time in microseconds, if no other clock was recorded.
    ///
    /// - Returns: The moment, and what precedes the event: a gap, or that the clock was set back.
    mutating func moment(wallMicroseconds: Int64) -> (moment: Moment, gap: Gap?) {
        let wall = wallMicroseconds / 1000
        guard let newest else {
            lastMicroseconds = wallMicroseconds
            return (advance(nanoseconds: 0, wall: wall), nil)
        }
        let distance = wallMicroseconds.subtractingSaturated(lastMicroseconds)
        if distance < 0, wall > newest.wallMilliseconds - Self.jitter { return (newest, nil) }
        lastMicroseconds = wallMicroseconds
        if distance >= 0 { return step(nanoseconds: distance.multipliedSaturated(by: 1000), wall: wall) }
        let moment = advance(nanoseconds: 0, wall: wall)
        return (moment, Gap(from: newest, to: moment, reason: .clockSet))
    }

    private var lastMicroseconds: Int64 = 0
}
