import Base
import Formats
import CommandLineInterface
import EventLoops
import Monitoring
import Sensors
import Vitals

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
