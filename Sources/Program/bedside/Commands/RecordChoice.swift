import CommandLineInterface
import Formats
import Recording
import Base
import Vitals

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
