import Base
import CommandLineInterface
import Configuration
import Engine
import Formats
import Nights
import Recording
import Vitals

/// `bedside night`: prints what an oximeter measured in a night.
enum NightCommand {
    /// Prints one night, or a line for each night of a period.
    ///
    /// - Throws: ``CommandError`` for invalid options or unreadable data.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let choice = try Choice(arguments)
        let settings = try Settings.toStart(arguments)
        let isSimulated = RecordedStore.isSimulated(arguments)
        let records = try RecordChoice(arguments)
        guard
            let history = try RecordedStore.open(
                of: settings.patient.name, isSimulated: isSimulated, file: arguments.value(of: .store)),
            let record = try records.select(in: history)
        else { return .success }
        let nights: [PatientNight]
        do {
            nights = try choice.nights(of: history, in: record.range)
        } catch {
            throw RecordedStore.failure(error)
        }
        if nights.isEmpty {
            complain(choice.noneText)
            return .success
        }
        if arguments.has(.json) {
            var encoder = WatchEncoder(isSimulated: isSimulated, patient: settings.patient.name)
            for night in nights { encoder.write(night, withFalls: !choice.isList) }
            return printText(encoder.takeLines { String(decoding: $0, as: UTF8.self) })
        }
        let lines = NightLines { LocalHour.offset(at: $0) }
        let heading = [isSimulated ? "SIMULATED SENSORS" : nil, settings.patient.name?.text].compactMap { $0 }
            .joined(separator: ", ")
        guard choice.isList else { return printText(nights.map { lines.night($0, heading: heading) }.joined()) }
        return printText((heading.isEmpty ? "" : heading + "\n\n") + lines.table(nights))
    }

    /// The wanted nights.
    private enum Choice {
        /// The last one that is long enough.
        case last
        /// The one that contains a time.
        case containing(Int64)
        /// All that are long enough and have a part in a period.
        case list(Range<Int64>)

        init(_ arguments: CommandLineArguments) throws(CommandError) {
            let isList = arguments.value(of: .from) != nil || arguments.value(of: .to) != nil
            if let midnight = try arguments[.nightDate] {
                if isList { throw arguments.mistake("--date is one night; --from and --to list several") }
                self = .containing(midnight)
            } else if isList {
                let now = Moment.now().wallMilliseconds
                self = .list(try HistoryRequest(arguments, start: .min, end: now + 1, now: now).range)
            } else {
                self = .last
            }
        }

        var isList: Bool {
            if case .list = self { true } else { false }
        }

        var noneText: String {
            switch self {
            case .last: "No oximeter has recorded a night yet; --date shows a shorter measurement."
            case .containing: "No oximeter recorded anything in that night; --from 30d lists the nights that there are."
            case .list: "No nights match."
            }
        }

        func nights(of history: StoredHistory, in record: Range<Int64>) throws(StoreError) -> [PatientNight] {
            let calendar = LocalDay(beginsAt: 12) { LocalHour.offset(at: $0) }
            var found: [PatientNight] = []
            switch self {
            case .containing(let wall):
                try history.forEachPatientNight(of: [calendar.containing(wall)], in: record) {
                    found.append($0)
                    return true
                }
            case .list(let range):
                let windows = calendar.all(of: try history.nightTimes(in: record)).filter { $0.overlaps(range) }
                try history.forEachPatientNight(of: windows, in: record) {
                    // A table needs no samples.
                    if $0.isLongEnough { found.append($0.withoutSamples) }
                    return true
                }
            case .last:
                let evening = Moment.now().wallMilliseconds - PatientNight.begin
                for window in calendar.all(of: try history.nightTimes(in: record)).reversed()
                where found.isEmpty && window.lowerBound <= evening {
                    try history.forEachPatientNight(of: [window], in: record) {
                        if $0.isLongEnough { found.append($0) }
                        return true
                    }
                }
            }
            return found
        }
    }
}
