import Base
import CommandLineInterface
import Configuration
import Engine
import EventLoops
import Formats
import Monitoring
import Recording
import Sensors
import Vitals

/// `bedside history`: prints wear periods and summaries.
enum HistoryCommand {
    private static let usualLength: Int64 = 24 * 3_600_000

    /// Prints the selected data.
    ///
    /// - Throws: ``CommandError`` for invalid options or unreadable data.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let now = Moment.now().wallMilliseconds
        let request = try HistoryRequest(arguments, start: now - usualLength, end: now + 1, now: now)
        let isByWearPeriod = try arguments[.summaryPart] == .wearing
        let settings = try Settings.toStart(arguments)
        let limits = PastLimits(settings.monitorSettings)
        let isSimulated = RecordedStore.isSimulated(arguments)
        let choice = try RecordChoice(arguments)
        guard
            let history = try RecordedStore.open(
                of: settings.patient.name, isSimulated: isSimulated, file: arguments.value(of: .store))
        else {
            return .success
        }
        guard let record = try choice.select(in: history) else { return .success }
        // For a closed record, the default end is that of the record.
        var asked = request.range
        if let end = record.until, arguments.value(of: .from) == nil, arguments.value(of: .to) == nil {
            asked = end - usualLength..<end
        }
        let range = asked.clamped(to: record.range)
        var found = Found(patient: settings.patient.name)
        do {
            found.wearings = try history.wearings(in: range)
            found.gaps = try history.gaps(in: range)
            found.entries = try history.recordEntries(in: asked, kinds: request.entries, patient: record.number)
            if isByWearPeriod {
                found.summaries = try history.summariesByWearPeriod(
                    in: range, vitals: request.vitals, isOutside: limits.isOutside)
            } else {
                try history.forEachHour(
                    in: range, vitals: request.vitals, hour: LocalHour.containing, isOutside: limits.isOutside
                ) { found.summaries += $0 }
            }
        } catch {
            throw RecordedStore.failure(error)
        }
        if found.isEmpty {
            complain("No recordings match.")
            return .success
        }
        return printText(arguments.has(.json) ? found.lines(isSimulated: isSimulated) : found.tables(isSimulated))
    }

    /// By what values are summed up.
    enum Part: String, CaseIterable {
        case hour, wearing
    }

    /// All results; summaries are few.
    private struct Found {
        let patient: PatientName?
        var wearings: [RecordedWearPeriod] = []
        var gaps: [RecordedGap] = []
        var entries: [RecordedEntry] = []
        var summaries: [ReadingSummary] = []

        var isEmpty: Bool { wearings.isEmpty && entries.isEmpty && summaries.isEmpty }

        func lines(isSimulated: Bool) -> String {
            var encoder = WatchEncoder(isSimulated: isSimulated, patient: patient)
            for wearing in wearings { encoder.write(wearing) }
            for gap in gaps { encoder.write(gap) }
            for entry in entries { encoder.write(entry) }
            for summary in summaries { encoder.write(summary) }
            return encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        }

        func tables(_ isSimulated: Bool) -> String {
            var text = HistoryText { LocalHour.offset(at: $0) }
            let tables = [
                text.table(wearings), text.table(gaps), text.table(entries), text.table(summaries),
            ].filter { !$0.isEmpty }
            let heading = [isSimulated ? "SIMULATED SENSORS" : nil, patient?.text].compactMap { $0 }
            return (heading.isEmpty ? "" : heading.joined(separator: ", ") + "\n\n") + tables.joined(separator: "\n")
        }
    }
}

/// Hours of local time.
enum LocalHour {
    private static let length: Int64 = 3_600_000

    /// The local time's offset from UTC at a wall time, in seconds to the east.
    static func offset(at wall: Int64) -> Int {
        Moment(monotonicNanoseconds: 0, wallMilliseconds: wall).localTimeOffset
    }

    /// The hour of local time that contains a wall time.
    static func containing(_ wall: Int64) -> Range<Int64> {
        let shift = Int64(offset(at: wall)) * 1000
        let into = (wall.addingSaturated(shift) % length + length) % length
        let start = wall.subtractingSaturated(into)
        return start..<start.addingSaturated(length)
    }
}

/// The configured limits, for past values.
struct PastLimits {
    private let settings: MonitorSettings

    init(_ settings: MonitorSettings) {
        self.settings = settings
    }

    /// Whether a value was outside the limits of the time of day; `nil` when the vital has none.
    func isOutside(_ vital: Vital, _ value: VitalValue, _ wall: Int64) -> Bool? {
        // Only a schedule depends on the local time, which costs a look-up.
        let local =
            settings.schedule.isEmpty ? wall : wall.addingSaturated(Int64(LocalHour.offset(at: wall)) * 1000)
        guard let own = settings.limits(atLocal: local)[vital] else { return nil }
        let low = own.low.value ?? own.severeLow.value
        let high = own.high.value ?? own.severeHigh.value
        if low == nil, high == nil { return nil }
        return low.map { value < $0 } ?? false || high.map { value > $0 } ?? false
    }
}

/// The selection of `--from`, `--to` and `--vitals`.
struct HistoryRequest {
    /// The period, in milliseconds since 1970 (UTC).
    var range: Range<Int64>
    /// The vitals; `nil` for all.
    var vitals: Set<Vital>?
    /// The kinds of manual entries; `nil` for all.
    var entries: Set<RecordEntry.Kind>?

    /// Parses the options.
    ///
    /// - Parameters:
    ///   - start: The start without `--from`.
    ///   - end: The end without `--to`.
    ///   - now: The present wall time, for lengths of time back from now.
    init(_ arguments: CommandLineArguments, start: Int64, end: Int64, now: Int64) throws(CommandError) {
        let from = try Self.time(.from, arguments, now) ?? start
        let to = try Self.time(.to, arguments, now, as: .end) ?? end
        guard from < to else { throw arguments.mistake("--from is not before --to") }
        range = from..<to
        let quantities = try arguments[.vitals]
        (vitals, entries) = (quantities?.vitals, quantities?.entries)
    }

    /// The time in an option, in milliseconds since 1970 (UTC); `nil` when it was not given.
    static func time(
        _ option: Option, _ arguments: CommandLineArguments, _ now: Int64, as role: PointInTime.Role = .start
    ) throws(CommandError) -> Int64? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let time = PointInTime.wallMilliseconds(text, now: now, as: role) else {
            throw arguments.mistake("--\(option.name) takes \(PointInTime.forms), not '\(sanitized(text))'")
        }
        return time
    }

    /// The vitals and the kinds of manual entries that a list names.
    struct Quantities {
        private(set) var vitals: Set<Vital> = []
        private(set) var entries: Set<RecordEntry.Kind> = []

        /// Reads a list; `nil` where a word names neither.
        init?(_ text: String) {
            for word in Self.words(of: text) {
                let (vital, kind) = (Vital(rawValue: word), RecordEntry.Kind(rawValue: word))
                if vital == nil, kind == nil { return nil }
                if let vital { vitals.insert(vital) }
                if let kind { entries.insert(kind) }
            }
        }

        /// What is wrong with a list that cannot be read.
        static func problem(_ text: String) -> String {
            let typed = RecordEntry.Kind.allCases.filter { $0.vital == nil }.map(\.rawValue)
            let known = Vital.allCases.map(\.rawValue) + typed
            let word = text.split(separator: ",", omittingEmptySubsequences: false).first { Self(String($0)) == nil }
            let unknown = word.map(String.init) ?? text
            return "'\(sanitized(unknown))' is not a vital; there are \(known.joined(separator: ", "))"
                + UsageError.hint(unknown, known)
        }

        private static func words(of text: String) -> [String] {
            text.split(separator: ",", omittingEmptySubsequences: false).map { $0.lowercased() }
        }
    }
}
