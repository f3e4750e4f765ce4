import Base
import CommandLineInterface
import Configuration
import EventLoops
import Formats
import Glibc
import Engine
import Monitoring
import Recording
import Vitals

/// `bedside alarms`: prints the alarm log from the store, while a monitor may be writing it.
enum AlarmsCommand {
    /// Prints the selected data.
    ///
    /// - Throws: ``CommandError`` for an invalid patient name.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let request = try Request(arguments)
        let hasColors: Bool
        do throws(UsageError) {
            hasColors = try StandardOutput.showsColors(arguments)
        } catch {
            throw CommandError(error)
        }
        let choice = try RecordChoice(arguments)
        let patient = try Settings.patient(arguments)
        let path: String
        do {
            path =
                try arguments.value(of: .store)
                ?? StorePath.current(of: patient, isSimulated: arguments.has(.simulatedLog))
        } catch {
            complain("There is no folder to look for the alarm log in: \(error)")
            return .noInput
        }
        if let sentence = StoreFile.damagedStoresSentence(beside: path) { complain(sentence) }
        if access(path, F_OK) != 0, errno == ENOENT {
            complain("No alarm has been recorded yet: there is no \(path).")
            return .success
        }
        var printer = Printer(arguments, patient, hasColors: hasColors)
        var range = Int64.min..<Int64.max
        if let history = RecordedStore.openIfUsable(path) {
            guard let record = try choice.select(in: history) else { return .success }
            range = record.range
        }
        do {
            return try printer.print(request, in: range, from: path)
        } catch {
            if let status = printer.ending { return status }
            complain("The alarm log cannot be read: \(error).")
            return error.kind == .corrupt || error.kind == .otherVersion ? .malformedData : .noInput
        }
    }

    /// The requested entries.
    private struct Request {
        var filter = AlarmLogFilter()
        var since = Int64.min
        var count: Int64?

        init(_ arguments: CommandLineArguments) throws(CommandError) {
            if let from = try HistoryRequest.time(.from, arguments, Moment.now().wallMilliseconds) { since = from }
            filter.alarmClass = try arguments[.alarmClass]
            filter.leastPriority = try arguments[.priority]
            filter.isActionsOnly = arguments.has(.actions)
            if filter.isActionsOnly, filter.alarmClass != nil || filter.leastPriority != nil {
                throw arguments.mistake("--actions goes with neither --class nor --priority, which are about alarms")
            }
            count = try arguments[.entryCount].map { Int64($0) }
        }
    }

    /// Writes lines in large pieces, and stops when the output is closed.
    private struct Printer {
        private static let pieceSize = 32 * 1024

        /// The status of an early end.
        private(set) var ending: ExitStatus?
        private let isJSON: Bool
        private var json: WatchEncoder
        private var text: AlarmLogText
        private var bytes: [UInt8] = []

        init(_ arguments: CommandLineArguments, _ patient: PatientName?, hasColors: Bool) {
            isJSON = arguments.has(.json)
            json = WatchEncoder(
                isSimulated: arguments.has(.simulatedLog) || RecordedStore.isSimulated(arguments),
                patient: patient)
            text = AlarmLogText(isColored: hasColors, isSimulated: json.context.isSimulated) { $0.localTimeOffset }
        }

        mutating func print(
            _ request: Request, in range: Range<Int64>, from path: String
        ) throws(StoreError) -> ExitStatus {
            let since = max(request.since, range.lowerBound)
            func isMeant(_ entry: AlarmLogEntry) -> Bool {
                let wall = entry.moment.wallMilliseconds
                // Alarms that end at the moment of a change of patient are the former patient's.
                let isOfRecord =
                    wall == range.lowerBound && wall > .min
                    ? entry.isPatientChange
                    : wall < range.upperBound || wall == range.upperBound && !entry.isPatientChange
                return isOfRecord && request.filter.admits(entry)
            }
            var skipped: Int64 = 0
            if let count = request.count {
                // Counted first and then read again, so that memory use is constant.
                var matching: Int64 = 0
                try AlarmHistory.forEach(in: path, since: since) { entry in
                    if isMeant(entry) { matching += 1 }
                }
                skipped = matching - count
            }
            var (found, printer) = (false, self)
            defer { self = printer }
            try AlarmHistory.forEach(in: path, since: since) { (entry) throws(StoreError) in
                guard isMeant(entry) else { return }
                skipped -= 1
                if skipped >= 0 { return }
                found = true
                try printer.write(entry)
            }
            try printer.flush()
            if !found { complain("The alarm log has no such entries.") }
            return .success
        }

        private mutating func write(_ entry: AlarmLogEntry) throws(StoreError) {
            if isJSON {
                json.write(entry)
                json.takeLines { bytes += $0 }
            } else {
                bytes += text.line(entry).utf8
            }
            if bytes.count >= Self.pieceSize { try flush() }
        }

        private mutating func flush() throws(StoreError) {
            let failure = writeAll(bytes, to: STDOUT_FILENO)
            bytes.removeAll(keepingCapacity: true)
            if failure == 0 { return }
            ending = failure == EPIPE ? .success : .inputOutputError
            // Ends the reading of the store; the exit status carries the reason.
            throw StoreError(.other, "the output is closed")
        }
    }
}
