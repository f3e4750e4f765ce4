import Base
import CommandLineInterface
import Configuration
import Dashboard
import Formats
import Glibc
import Engine
import Monitoring
import Nights
import Recording
import Sensors
import UserFiles
import VitalDecoders
import Vitals
import Wording

/// `bedside import`: adds the entries or the nights of a file to the patient's record.
enum ImportCommand {
    /// Entries that are older than this, in milliseconds, no longer affect a monitor and only go into the store.
    private static let judged = PatientRecord.longestReach.components.seconds * 1000

    /// Imports the entries.
    ///
    /// - Throws: ``CommandError`` for a file, a monitor or a store that cannot be used.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let format = try format(arguments)
        let settings = try Settings.toStart(arguments)
        let isSimulated = arguments.has(.simulatedStore)
        let bytes = try bytes(arguments)
        let now = Moment.now()
        let context = ImportContext(
            now: now, temperatureUnit: DisplayUnits(settings).temperature, isSimulated: isSimulated,
            subject: arguments.value(of: .subject))
        let file: ImportedFile
        do throws(ImportError) {
            file = try format.read(bytes, context)
        } catch {
            throw CommandError("Nothing is imported from \(name(arguments)): \(error).", status: .malformedData)
        }
        let (finder, path) = try place(settings.patient.name, isSimulated)
        let (entries, nights, courses) = try record(path, file)
        let plan = ImportPlan(
            file, into: entries, nights: nights, courses: courses, now: now,
            source: "\(name(arguments)) (\(format.rawValue))",
            acceptsRare: arguments.has(.yes))
        if !arguments.has(.dryRun) {
            try add(plan.additions.map(\.entry), plan.nights.map(\.night), to: path, finder, now)
        }
        let status = printText(plan.text(isDryRun: arguments.has(.dryRun)))
        return status == .success && (!plan.refusals.isEmpty || !plan.rare.isEmpty) ? .malformedData : status
    }

    /// Adds entries, recent ones through the running monitor, older ones directly to the store, and nights.
    private static func add(
        _ entries: [RecordEntry], _ nights: [StoredNight], to path: String, _ finder: MonitorFinder, _ now: Moment
    ) throws(CommandError) {
        let recent = entries.filter { entry in
            !entry.isRetracted && now.wallMilliseconds - entry.taken.wallMilliseconds < judged
        }
        let answer: MonitorFinder.Answer?
        do throws(NoMonitorError) {
            // Also asked without recent entries: the file may belong to another record.
            answer = try finder.carryOut(recent.map { .enter($0) })
        } catch {
            throw CommandError("Not imported: \(error.text). \(error.remedy).", status: .unavailable)
        }
        if case .refused(let sentence) = answer {
            throw CommandError(
                "Not imported, or not all of it: \(sentence) Import the file again; nothing is added twice.",
                status: .unavailable)
        }
        let rest = answer == nil ? entries : entries.filter { entry in !recent.contains { $0.id == entry.id } }
        do {
            try EntryWriter.write(rest, to: path, programVersion: Product.version)
            try NightWriter.write(nights, at: now, to: path, programVersion: Product.version)
        } catch {
            throw RecordedStore.failure(error, to: "Not imported")
        }
    }

    /// Where the record is, and who may be monitoring the patient.
    private static func place(
        _ patient: PatientName?, _ isSimulated: Bool
    ) throws(CommandError) -> (MonitorFinder, path: String) {
        do throws(UserFileError) {
            let finder = MonitorFinder(
                of: patient, in: try UserDirectories.current(), accepting: isSimulated ? .simulated : .any)
            return (finder, try StorePath.current(of: patient, isSimulated: isSimulated))
        } catch {
            throw CommandError(error.description, status: .noInput)
        }
    }

    /// All entries of the present patient's record, what identifies its nights at the time of those of a file, and what
    /// oximeters have recorded then.
    private static func record(
        _ path: String, _ file: ImportedFile
    ) throws(CommandError) -> ([RecordedEntry], nights: Set<String>, [NightCourse]) {
        do {
            guard let history = try StoredHistory.open(path) else { return ([], [], []) }
            let entries = try history.recordEntries(in: .min..<(.max), patient: try history.patients().last?.number)
            var nights: Set<String> = []
            let ranges = file.nights.map(\.night.range)
            if let start = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max() {
                try history.forEachNight(in: start..<max(start + 1, end)) { night in
                    nights.insert(night.contentKey)
                    return true
                }
            }
            var courses: [NightCourse] = []
            for range in ranges {
                try history.forEachPatientNight(of: [range]) { night in
                    courses += night.parts.map(\.course)
                    return true
                }
            }
            return (entries, nights, courses)
        } catch {
            throw RecordedStore.failure(error)
        }
    }

    private static func format(_ arguments: CommandLineArguments) throws(CommandError) -> ImportFormat {
        if let format = try arguments[.importFormat] {
            if arguments.has(.subject), format != .fhir {
                throw arguments.mistake("--subject goes with --format fhir only")
            }
            return format
        }
        let file = arguments.operands.first?.lowercased() ?? ""
        if file.hasSuffix(".csv") { return .csv }
        if file.hasSuffix(".edf") { return .edf }
        if file.hasSuffix(".dat") || file.hasSuffix(".vld") { return .ringFile }
        if file.hasSuffix(".json") || file.hasSuffix(".ndjson") { return .fhir }
        let names = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw arguments.mistake("in which format is it? --format takes \(names)")
    }

    /// The name of the file without its folders, which is stored.
    private static func name(_ arguments: CommandLineArguments) -> String {
        guard let path = path(arguments) else { return "standard input" }
        return sanitized(String(path.split(separator: "/").last ?? "/"), limit: 48)
    }

    private static func path(_ arguments: CommandLineArguments) -> String? {
        arguments.operands.first.flatMap { $0 == "-" ? nil : $0 }
    }

    private static func bytes(_ arguments: CommandLineArguments) throws(CommandError) -> [UInt8] {
        guard let path = path(arguments) else { return try standardInput() }
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(path, limit: ImportedFile.sizeLimit)
        } catch {
            throw CommandError(error.description, status: .noInput)
        }
        guard let bytes else {
            throw CommandError("There is no file \(sanitized(path, limit: 200)).", status: .noInput)
        }
        return bytes
    }

    private static func standardInput() throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= ImportedFile.sizeLimit {
            let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw CommandError(
                    "Standard input cannot be read: \(String(cString: strerror(errno))).", status: .noInput)
            }
            bytes += buffer.prefix(count)
        }
        // The reader refuses it because of its size.
        return bytes
    }
}
