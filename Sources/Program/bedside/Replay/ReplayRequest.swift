import CommandLineInterface
import Configuration
import EventLoops
import Replay
import Base
import VitalDecoders
import Vitals

/// The options of `bedside replay`.
struct ReplayRequest {
    /// The speed.
    var speed: ReplaySpeed
    /// The characteristics of handles that a capture does not name.
    var handles: [UInt16: BluetoothUUID] = [:]
    private var from, to: Int64?
    private var length: Int64?

    /// The default length of a replay of the patient's record, in milliseconds.
    private static let usualLength: Int64 = 24 * 3_600_000

    /// Parses the options.
    ///
    /// - Parameter usualSpeed: The speed without `--speed`.
    init(_ arguments: CommandLineArguments, usualSpeed: ReplaySpeed) throws(CommandError) {
        let far: Int64 = .max / 4
        let now = Timestamp.now().wallMilliseconds
        let range = try HistoryRequest(arguments, start: -far, end: far, now: now).range
        from = range.lowerBound == -far ? nil : range.lowerBound
        to = range.upperBound == far ? nil : range.upperBound - 1
        speed = try arguments[.speed] ?? usualSpeed
        length = try arguments[.replayDuration].map { $0.nanoseconds / 1_000_000 }
        do throws(UsageError) {
            for handle in try arguments.values(.handle) { handles[handle.number] = handle.characteristic }
        } catch {
            throw CommandError(error)
        }
    }

    /// A handle with its characteristic, such as `0x0010=2A37`.
    struct Handle {
        let number: UInt16
        let characteristic: BluetoothUUID

        init?(_ text: String) {
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let characteristic = BluetoothUUID(String(parts[1])) else { return nil }
            let isHexadecimal = parts[0].hasPrefix("0x") || parts[0].hasPrefix("0X")
            guard let number = isHexadecimal ? UInt16(parts[0].dropFirst(2), radix: 16) : UInt16(parts[0]) else {
                return nil
            }
            (self.number, self.characteristic) = (number, characteristic)
        }
    }

    /// A player of the selected part of a recording; `nil` when that is empty.
    ///
    /// - Parameter isRecord: Whether it is the patient's own record, whose last day is played by default.
    func player(_ source: some ReplaySource, isRecord: Bool) throws(ReplayError) -> ReplayPlayer? {
        var start = from
        if isRecord, from == nil, let range = source.range {
            start = range.upperBound.subtractingSaturated(Self.usualLength)
        }
        var end = to
        if let length, let first = start ?? source.range?.lowerBound {
            let begin = max(first, source.range?.lowerBound ?? first)
            end = min(end ?? .max, begin.addingSaturated(length))
        }
        return try ReplayPlayer(source, from: start, to: end, speed: speed, nanoseconds: Timestamp.monotonicNow())
    }
}
