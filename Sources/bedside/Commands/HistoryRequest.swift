import CommandLineTool
import EventLoop
import Sensors
import Vitals

/// What `--from`, `--to` and `--vitals` ask for.
struct HistoryRequest {
    /// The stretch of time, in milliseconds since 1970 (UTC).
    var range: Range<Int64>
    /// The vitals; `nil` for all.
    var vitals: Set<Vital>?

    /// Understands the options.
    ///
    /// - Parameters:
    ///   - start: Where it begins without `--from`.
    ///   - end: Where it ends without `--to`.
    ///   - now: The present wall time, from which lengths of time are counted back.
    init(_ arguments: CommandLineArguments, start: Int64, end: Int64, now: Int64) throws(UsageError) {
        let from = try Self.time(.from, arguments, now) ?? start
        let to = try Self.time(.to, arguments, now) ?? end
        guard from < to else { throw UsageError("--from is not before --to", subcommand: arguments.subcommand) }
        range = from..<to
        vitals = try arguments.value(of: .vitals).map { (text) throws(UsageError) in
            try Self.vitals(text, arguments.subcommand)
        }
    }

    private static func time(
        _ option: Option, _ arguments: CommandLineArguments, _ now: Int64
    ) throws(UsageError) -> Int64? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let time = PointInTime.wallMilliseconds(text, now: now) else {
            throw UsageError(
                "--\(option.name) takes a length of time such as 30m, or a date, not '\(harmlessText(text))'",
                subcommand: arguments.subcommand)
        }
        return time
    }

    private static func vitals(_ text: String, _ subcommand: Subcommand) throws(UsageError) -> Set<Vital> {
        var vitals: Set<Vital> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let vital = Vital(rawValue: word.lowercased()) else {
                let known = Vital.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(
                    "'\(harmlessText(String(word)))' is no vital; there are \(known)", subcommand: subcommand)
            }
            vitals.insert(vital)
        }
        return vitals
    }
}
