import Base
import CommandLineInterface
import Configuration
import Dashboard
import Entries
import EventLoops
import Formats
import Engine
import Monitoring
import Recording
import Sensors
import UserFiles
import VitalDecoders
import Vitals
import Wording

/// `bedside enter`: enters a value into the patient's record.
enum EnterCommand {
    /// How far back changes of the clock must be known, in seconds.
    private static let reach: Int64 = 16 * 86_400

    /// Enters the value.
    ///
    /// - Throws: ``CommandError`` for a refused value, or a monitor or store that does not accept it.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let kind = try kind(arguments)
        let settings = try Settings.toStart(arguments)
        let now = Moment.now()
        let entry = try entry(kind, arguments, DisplayUnits(settings).temperature, now)
        let (finder, path) = try settings.record(isSimulated: arguments.has(.simulatedStore))
        let answer: MonitorFinder.Answer?
        do throws(NoMonitorError) {
            answer = try finder.carryOut(.enter(entry))
        } catch {
            throw CommandError("Not entered: \(error.text). \(error.remedy).", status: .unavailable)
        }
        switch answer {
        case .done: return printText("Entered: \(entry.text)\n")
        case .refused(let sentence): throw CommandError("Not entered. \(sentence)", status: .unavailable)
        case nil: break
        }
        do {
            try EntryWriter.write([entry], to: path, programVersion: Product.version)
        } catch {
            throw RecordedStore.failure(error, to: "Not entered")
        }
        return printText("Entered, while nobody monitors: \(entry.text)\n")
    }

    private static func kind(_ arguments: CommandLineArguments) throws(CommandError) -> RecordEntry.Kind {
        let names = EntryNames.all
        guard let word = arguments.operands.first?.lowercased().exchanging("-", for: "_") else {
            let sentence = "what is entered? There are \(names.joined(separator: ", "))"
            throw CommandError(UsageError(sentence, subcommand: .enter).description, status: .usage)
        }
        guard let kind = EntryNames.find(word) else {
            let sentence = "'\(sanitized(word))' cannot be entered; there are \(names.joined(separator: ", "))"
            throw CommandError(
                UsageError(sentence + UsageError.hint(word, names), subcommand: .enter).description, status: .usage)
        }
        return kind
    }

    private static func entry(
        _ kind: RecordEntry.Kind, _ arguments: CommandLineArguments, _ unit: TemperatureUnit, _ now: Moment
    ) throws(CommandError) -> RecordEntry {
        var words = Array(arguments.operands.dropFirst())
        // The time of a note precedes its words.
        if kind == .note, let place = words.firstIndex(where: { $0.hasPrefix("at=") }) {
            words.insert(String(words.remove(at: place).dropFirst(3)), at: 0)
        }
        let present = now.wallMilliseconds / 1000
        do throws(ManualReader.EntryError) {
            let outcome = try ManualReader.read(
                words.joined(separator: " "), as: kind, unit: unit, now: now,
                timeZone: LocalTimeZone.ofSystem(from: present - reach, to: present))
            switch outcome {
            case .entry(let entry): return entry
            case .question(_, let entry) where arguments.has(.yes): return entry
            case .question(let question, _):
                throw ManualReader.EntryError(
                    "\(question) If so, enter it with its unit, or as it is with --yes.")
            case .withdrawn:
                throw ManualReader.EntryError("A count is withdrawn on the screen, where it was entered.")
            }
        } catch {
            throw CommandError(error.description, status: .malformedData)
        }
    }
}
