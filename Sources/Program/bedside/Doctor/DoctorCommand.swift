import CommandLineInterface
import Doctor
import EventLoops
import Formats
import Glibc

/// `bedside doctor`: checks Bedside's requirements, and prints remedies.
@ScreenActor
enum DoctorCommand {
    /// Prints the report and returns the exit status of its worst verdict.
    ///
    /// - Throws: ``CommandError`` for invalid options.
    static func run(_ arguments: CommandLineArguments) async throws(CommandError) -> ExitStatus {
        // Signals are not handled here; there is nothing to restore.
        SignalWatch.unblock([SIGINT, SIGTERM, SIGHUP, SIGTSTP])
        var screen = Facts()
        ScreenExamination.run(&screen)
        let hasColors: Bool
        do throws(UsageError) {
            hasColors = try StandardOutput.showsColors(
                arguments, ifAble: screen.terminal.map { $0.isKnown && $0.colors >= 8 } ?? false)
        } catch {
            throw CommandError(error)
        }
        let facts = await examine(screen, arguments)
        let report = Report(facts)
        let printed =
            arguments.has(.json)
            ? printText(DoctorJSON.text(report, facts))
            : printText(text(report, facts, hasColors))
        guard printed == .success else { return printed }
        switch report.verdict {
        case .skipped, .ok: return .success
        case .advice: return .advice
        case .trouble: return .trouble
        }
    }

    /// Adds all other facts to those about screen and locale.
    static func examine(_ screen: Facts, _ arguments: CommandLineArguments) async -> Facts {
        var facts = screen
        FileExamination.run(&facts, arguments)
        SoundExamination.run(&facts, arguments)
        var bluetooth = BluetoothExamination()
        facts.bluetooth = await bluetooth.run()
        facts.signals.notifications = await bluetooth.notifications()
        facts.broker = await WardExamination.run(arguments)
        return facts
    }

    private static func text(_ report: Report, _ facts: Facts, _ hasColors: Bool) -> String {
        report.text(
            Report.Style(
                hasSymbols: facts.locale.glyphs != "ascii", hasColors: hasColors, width: StandardOutput.width))
    }
}
