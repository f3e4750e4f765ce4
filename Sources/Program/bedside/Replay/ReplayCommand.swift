import CommandLineInterface
import Configuration
import EventLoops
import Glibc
import Engine
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
            guard let player = try player(arguments, request, patient) else {
                complain("No recordings match.")
                return nil
            }
            return ReplayFeed(player, isSimulated: arguments.has(.simulatedStore), on: ScreenActor.loop)
        } catch {
            throw CommandError("\(error).", status: error.kind == .unreadable ? .noInput : .malformedData)
        }
    }

    private static func player(
        _ arguments: CommandLineArguments, _ request: ReplayRequest, _ patient: PatientName?
    ) throws(ReplayError) -> ReplayPlayer? {
        guard let path = arguments.operands.first else {
            let path: String
            do {
                path = try StorePath.current(of: patient, isSimulated: arguments.has(.simulatedStore))
            } catch {
                throw ReplayError(.unreadable, "There is no folder to look for the store in: \(error)")
            }
            return try request.player(StoreReplay(path), isRecord: true)
        }
        switch try RecordingFormat(ofFile: path) {
        case .capture: return try request.player(CaptureReplay(path, handles: request.handles), isRecord: false)
        case .store: return try request.player(StoreReplay(path), isRecord: false)
        }
    }
}
