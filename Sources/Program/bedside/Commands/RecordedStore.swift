import Base
import CommandLineInterface
import Engine
import Formats
import Glibc
import Recording
import Vitals

/// The store, for the commands that read it.
enum RecordedStore {
    /// Opens the store for reading.
    ///
    /// - Parameter file: Another file than the patient's own store.
    /// - Returns: `nil` where nothing has been recorded yet.
    /// - Throws: ``CommandError``.
    static func open(
        of patient: PatientName?, isSimulated: Bool, file: String? = nil
    ) throws(CommandError) -> StoredHistory? {
        let path: String
        do {
            path = try file ?? StorePath.current(of: patient, isSimulated: isSimulated)
        } catch {
            throw CommandError("There is no folder to look for the store in: \(error)", status: .noInput)
        }
        do {
            let history = try StoredHistory.open(path)
            if let sentence = StoreFile.damagedStoresSentence(beside: path) { complain(sentence) }
            if let history { return history }
        } catch {
            throw failure(error)
        }
        complain("Nothing has been recorded yet: there are no readings in \(path).")
        // After an evening with simulated sensors.
        if file == nil, !isSimulated, let simulated = try? StorePath.current(of: patient, isSimulated: true),
            access(simulated, F_OK) == 0
        {
            complain("There are simulated readings: add --\(Option.simulatedStore.name).")
        }
        return nil
    }

    /// Opens a store; `nil` for one that cannot be read, which is reported where its log is read.
    static func openIfUsable(_ path: String) -> StoredHistory? { try? StoredHistory.open(path) }

    /// Whether the data are simulated: requested by an option, or from a folder for such data.
    static func isSimulated(_ arguments: CommandLineArguments) -> Bool {
        let folders = (arguments.value(of: .store) ?? "").split(separator: "/").dropLast()
        return arguments.has(.simulatedStore) || folders.contains("simulated")
    }

    /// The error for a store that cannot be read.
    static func failure(_ failure: StoreError) -> CommandError {
        CommandError(
            "The store cannot be read: \(failure).", status: isMalformed(failure) ? .malformedData : .noInput)
    }

    /// The error for a store that cannot be written.
    ///
    /// - Parameter outcome: The consequence: `Not entered`.
    static func failure(_ failure: StoreError, to outcome: String) -> CommandError {
        CommandError("\(outcome): \(failure).", status: isMalformed(failure) ? .malformedData : .inputOutputError)
    }

    private static func isMalformed(_ failure: StoreError) -> Bool {
        failure.kind == .corrupt || failure.kind == .otherVersion
    }
}

/// The patient record selected by `--record`.
enum RecordChoice {
    /// The present one, an earlier one by its number, all, or their list.
    case present, number(Int), all, list

    /// Parses the option.
    init(_ arguments: CommandLineArguments) throws(CommandError) {
        self = try arguments[.record] ?? .present
    }

    /// The selected records.
    struct Selection {
        /// The number of the selected record; `nil` for all.
        var number: Int?
        /// The range of times that belongs to it.
        var range: Range<Int64>
        /// When the next record began; `nil` for the present one and for all.
        var until: Int64?
    }

    /// Finds the selected records in a store.
    ///
    /// - Returns: `nil` when their list was printed instead.
    /// - Throws: ``CommandError`` when there is no such record.
    func select(in history: StoredHistory) throws(CommandError) -> Selection? {
        let patients: [RecordedPatient]
        do {
            patients = try history.patients()
        } catch {
            throw RecordedStore.failure(error)
        }
        let chosen: RecordedPatient?
        switch self {
        case .all: return Selection(number: nil, range: .min..<(.max), until: nil)
        case .list:
            _ = printText(Self.list(patients))
            return nil
        case .present: chosen = patients.last
        case .number(let number):
            chosen = patients.first { $0.number == number }
            if chosen == nil {
                throw CommandError(
                    "There is no record \(number); --record list prints the \(patients.count) that there are.",
                    status: .noInput)
            }
        }
        guard let chosen else { return Selection(number: nil, range: .min..<(.max), until: nil) }
        return Selection(number: chosen.number, range: chosen.range, until: chosen.until)
    }

    private static func list(_ patients: [RecordedPatient]) -> String {
        patients.map { patient in
            let since = patient.since == .min ? "from the beginning" : "since \(clock(patient.since))"
            let until = patient.until.map { " until \(clock($0))" } ?? ", open"
            return "\(patient.number)  \(since)\(until)\n"
        }
        .joined()
    }

    private static func clock(_ wall: Int64) -> String {
        String(Moment(monotonicNanoseconds: 0, wallMilliseconds: wall).localClock.prefix(16))
    }
}
