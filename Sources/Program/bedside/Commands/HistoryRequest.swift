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
    init(_ arguments: CommandLineArguments, start: Int64, end: Int64, now: Int64) throws(UsageError) {
        let from = try Self.time(.from, arguments, now) ?? start
        let to = try Self.time(.to, arguments, now, as: .end) ?? end
        guard from < to else { throw UsageError("--from is not before --to", subcommand: arguments.subcommand) }
        range = from..<to
        if let text = arguments.value(of: .vitals) {
            (vitals, entries) = try Self.vitals(text, arguments.subcommand)
        }
    }

    /// The time in an option, in milliseconds since 1970 (UTC); `nil` when it was not given.
    static func time(
        _ option: Option, _ arguments: CommandLineArguments, _ now: Int64, as role: PointInTime.Role = .start
    ) throws(UsageError) -> Int64? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let time = PointInTime.wallMilliseconds(text, now: now, as: role) else {
            throw UsageError(
                "--\(option.name) takes \(PointInTime.forms), not '\(sanitized(text))'",
                subcommand: arguments.subcommand)
        }
        return time
    }

    /// The vitals and the kinds of manual entries in a list.
    private static func vitals(
        _ text: String, _ subcommand: Subcommand
    ) throws(UsageError) -> (Set<Vital>, Set<RecordEntry.Kind>) {
        var (vitals, entries): (Set<Vital>, Set<RecordEntry.Kind>) = ([], [])
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let (vital, kind) = (Vital(rawValue: word.lowercased()), RecordEntry.Kind(rawValue: word.lowercased()))
            if vital == nil, kind == nil {
                let typed = RecordEntry.Kind.allCases.filter { $0.vital == nil }.map(\.rawValue)
                let known = Vital.allCases.map(\.rawValue) + typed
                let sentence = "'\(sanitized(String(word)))' is not a vital; there are \(known.joined(separator: ", "))"
                throw UsageError(sentence + UsageError.hint(String(word), known), subcommand: subcommand)
            }
            if let vital { vitals.insert(vital) }
            if let kind { entries.insert(kind) }
        }
        return (vitals, entries)
    }
}
