import Base
import CommandLineInterface
import Configuration
import Engine
import EventLoops
import Glibc
import Recording
import Replay
import Sensors
import VitalDecoders
import Vitals

/// `bedside replay`: plays a recording on the screen, or in lines.
@ScreenActor
enum ReplayCommand {
    /// Plays the selected recording.
    ///
    /// - Throws: ``CommandError`` when it cannot start.
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        let printsLines = arguments.has(.json) || arguments.has(.lines) || isatty(STDOUT_FILENO) == 0
        // Reading a large or hostile file takes long, and signals are not handled meanwhile; there is nothing to
        // restore.
        SignalWatch.unblock(endingSignals)
        guard let feed = try open(arguments, isOnScreen: !printsLines) else { return .success }
        SignalWatch.block(endingSignals)
        if printsLines { return try await WatchCommand(arguments).run(feed, on: ScreenActor.loop) }
        return try await DashboardCommand.run(arguments, feed)
    }

    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP]

    /// Opens the recording; `nil` after a message when it is empty.
    private static func open(
        _ arguments: CommandLineArguments, isOnScreen: Bool
    ) throws(CommandError) -> ReplayFeed? {
        let request = try ReplayRequest(arguments, usualSpeed: isOnScreen ? .times(1) : .unlimited)
        let patient = try Settings.toStart(arguments).patient.name
        do throws(ReplayError) {
            let (found, isSimulated) = try player(arguments, request, patient)
            guard let player = found else {
                complain("No recordings match.")
                return nil
            }
            return ReplayFeed(
                player, isSimulated: isSimulated || arguments.has(.simulatedStore), on: ScreenActor.loop)
        } catch {
            throw CommandError("\(error).", status: error.kind == .unreadable ? .noInput : .malformedData)
        }
    }

    private static func player(
        _ arguments: CommandLineArguments, _ request: ReplayRequest, _ patient: PatientName?
    ) throws(ReplayError) -> (player: ReplayPlayer?, isSimulated: Bool) {
        guard let path = arguments.operands.first else {
            let path: String
            do {
                path = try StorePath.current(of: patient, isSimulated: arguments.has(.simulatedStore))
            } catch {
                throw ReplayError(.unreadable, "There is no folder to look for the store in: \(error)")
            }
            return (try request.player(StoreReplay(path), isRecord: true), false)
        }
        switch try RecordingFormat(ofFile: path) {
        case .capture:
            let capture = try CaptureReplay(path, handles: request.handles)
            return (try request.player(capture, isRecord: false), capture.isSimulated)
        case .store: return (try request.player(StoreReplay(path), isRecord: false), false)
        }
    }
}

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
