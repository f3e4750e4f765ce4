import Base
import CommandLineInterface
import Configuration
import Engine
import Formats
import Monitoring
import Recording
import UserFiles
import Vitals
import Wording

/// `bedside confirm`: lists, confirms or discards what sensors have handed over.
enum ConfirmCommand {
    /// A measurement that waits, with its number in the store.
    private typealias Waiting = (number: Int64, recorded: RecordedEntry)

    /// Lists what waits, or confirms or discards some of it.
    ///
    /// - Throws: ``CommandError`` for a number that does not wait, or a monitor or store that does not accept it.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let settings = try Settings.toStart(arguments)
        let (finder, path) = try settings.record(isSimulated: arguments.has(.simulatedStore))
        let waiting = try waiting(in: path)
        let labels = ManualLabels(DisplayUnits(settings))
        guard !arguments.operands.isEmpty else { return printText(list(waiting, labels)) }
        let chosen = try choose(arguments.operands, among: waiting)
        guard !chosen.isEmpty else { return printText(Self.nothing) }
        let isDiscarding = arguments.has(.discard)
        let isMonitored = try decide(chosen, isDiscarding: isDiscarding, finder, path)
        let word = isDiscarding ? "Discarded" : "Confirmed"
        let place = isMonitored ? "" : ", while nobody monitors"
        return printText(chosen.map { "\(word)\(place): \(labels.text(of: $0.recorded.entry))\n" }.joined())
    }

    private static let nothing = "No measurement waits to be confirmed.\n"

    private static func waiting(in path: String) throws(CommandError) -> [Waiting] {
        do {
            guard let history = try StoredHistory.open(path), let patient = try history.patients().last else {
                return []
            }
            return try history.unconfirmedEntries(of: patient.number)
        } catch {
            throw RecordedStore.failure(error)
        }
    }

    /// A line for each: its number, when it was measured, what, and by which sensor.
    private static func list(_ waiting: [Waiting], _ labels: ManualLabels) -> String {
        guard !waiting.isEmpty else { return nothing }
        return waiting.map { number, recorded in
            let entry = recorded.entry
            let time = entry.facts.isTimeKnown ? String(entry.taken.localClock.prefix(16)) : "time unknown"
            let remark = entry.facts.text.map { ", \($0)" } ?? ""
            return "\(number)  \(time)  \(labels.text(of: entry))\(remark), \(entry.sensor.shortName(limit: 20))\n"
        }
        .joined()
    }

    private static func choose(
        _ operands: [String], among waiting: [Waiting]
    ) throws(CommandError) -> [Waiting] {
        if operands == ["all"] { return waiting }
        var chosen: [Waiting] = []
        for operand in operands {
            guard let number = Int64(operand), let found = waiting.first(where: { $0.number == number }) else {
                throw CommandError(
                    "No measurement with the number \(sanitized(operand, limit: 20)) waits to be confirmed; "
                        + "bedside confirm lists those that do.",
                    status: .malformedData)
            }
            if !chosen.contains(where: { $0.number == number }) { chosen.append(found) }
        }
        return chosen
    }

    /// Confirms or discards measurements, by the running monitor or in the store.
    ///
    /// - Returns: Whether a monitor runs.
    private static func decide(
        _ chosen: [Waiting], isDiscarding: Bool, _ finder: MonitorFinder, _ path: String
    ) throws(CommandError) -> Bool {
        let entries = chosen.map(\.recorded.entry)
        let wishes: [PatientWish] =
            isDiscarding
            ? entries.map { .retract($0.id, reason: RecordEntry.discarded) } : [.confirm(entries.map(\.id))]
        let outcome = isDiscarding ? "Not discarded" : "Not confirmed"
        let answer: MonitorFinder.Answer?
        do throws(NoMonitorError) {
            answer = try finder.carryOut(wishes)
        } catch {
            throw CommandError("\(outcome): \(error.text). \(error.remedy).", status: .unavailable)
        }
        switch answer {
        case .done: return true
        case .refused(let sentence): throw CommandError("\(outcome). \(sentence)", status: .unavailable)
        case nil: break
        }
        let now = Moment.now()
        let decided = entries.map { entry in
            var entry = entry
            if isDiscarding {
                entry.retract(at: now, reason: RecordEntry.discarded)
            } else {
                entry.confirm(at: now)
            }
            return entry
        }
        let actions = decided.map {
            ActionRecord(moment: now, actor: .user, kind: isDiscarding ? .retracted($0) : .confirmed($0))
        }
        do {
            try EntryWriter.write(decided, actions, to: path, programVersion: Product.version)
        } catch {
            throw RecordedStore.failure(error, to: outcome)
        }
        return false
    }
}
