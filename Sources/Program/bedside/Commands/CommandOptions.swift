import Base
import CommandLineInterface
import Formats
import Monitoring
import Replay
import VitalDecoders
import Vitals
import WardMessages

// The values of the options that more than the parser has to understand.

extension TypedOption where Value == Int {
    /// The days of a report.
    static var days: TypedOption { number(.days, in: 1...366) }
    /// How many readings `watch` prints.
    static var readingCount: TypedOption { count(.count, of: "readings") }
    /// How many entries `alarms` prints.
    static var entryCount: TypedOption { count(.newestEntries, of: "entries") }

    private static func number(_ option: CommandLineInterface.Option, in range: ClosedRange<Int>) -> TypedOption {
        TypedOption(option) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        } problem: { text in
            "--\(option.name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(sanitized(text))'"
        }
    }

    private static func count(_ option: CommandLineInterface.Option, of things: String) -> TypedOption {
        TypedOption(option) { text in
            Int(text).flatMap { $0 > 0 ? $0 : nil }
        } problem: { text in
            "'\(sanitized(text))' is not a number of \(things)"
        }
    }
}

extension TypedOption where Value == Int64 {
    /// The date of a night's morning, as the midnight with which it begins.
    static var nightDate: TypedOption {
        TypedOption(.nightDate) { text in
            let isDate = text.count == 10 && text.allSatisfy { $0.isNumber || $0 == "-" }
            return isDate ? PointInTime.wallMilliseconds(text, now: 0) : nil
        } problem: { text in
            "--date takes a date such as 2026-11-28, not '\(sanitized(text))'"
        }
    }
}

extension TypedOption where Value == Duration {
    /// How long a command runs.
    static var duration: TypedOption { duration(.duration) }
    /// How often lines of text are printed.
    static var interval: TypedOption { duration(.interval) }
    /// How much of a recording is played.
    static var replayDuration: TypedOption { duration(.replayDuration) }

    private static func duration(_ option: CommandLineInterface.Option) -> TypedOption {
        TypedOption(option) { text in
            DurationText.duration(text)
        } problem: { text in
            "'\(sanitized(text))' is not a length of time such as 30s, 10m or 8h"
        }
    }
}

extension TypedOption where Value == ExportFormat {
    /// The format of an export.
    static var exportFormat: TypedOption { TypedOption(.exportFormat, format: Value.allCases) }
}

extension TypedOption where Value == ImportFormat {
    /// The format of an imported file.
    static var importFormat: TypedOption { TypedOption(.importFormat, format: Value.allCases) }
}

extension TypedOption where Value == StatusFormat {
    /// The format of a status.
    static var statusFormat: TypedOption { TypedOption(.statusFormat, format: Value.allCases) }
}

extension TypedOption where Value == ReportCommand.Format {
    /// The format of a report.
    static var reportFormat: TypedOption { TypedOption(.reportFormat, format: Value.allCases) }
}

extension TypedOption where Value == HistoryCommand.Part {
    /// By what values are summed up.
    static var summaryPart: TypedOption { TypedOption(.summaryPart, oneOf: Value.allCases) }
}

extension TypedOption where Value == AlarmClass {
    /// The class of alarms.
    static var alarmClass: TypedOption { TypedOption(.alarmClass, oneOf: [.physiological, .technical]) }
}

extension TypedOption where Value == AlarmPriority {
    /// The least priority of alarms.
    static var priority: TypedOption { TypedOption(.priority, oneOf: [.high, .medium, .low]) }
}

extension TypedOption where Value == RecordChoice {
    /// Which patient's record.
    static var record: TypedOption {
        TypedOption(.record) { text in
            switch text {
            case "all": .all
            case "list": .list
            default: Int(text).flatMap { $0 > 0 ? .number($0) : nil }
            }
        } problem: { text in
            "--record takes a number, all or list, not '\(sanitized(text))'" + UsageError.hint(text, ["all", "list"])
        }
    }
}

extension TypedOption where Value == ReplaySpeed {
    /// How fast a recording is played.
    static var speed: TypedOption {
        TypedOption(.speed) { text in
            ReplaySpeed(text)
        } problem: { text in
            "--speed takes a number from 0.01 to 100000, or max, not '\(sanitized(text))'"
        }
    }
}

extension TypedOption where Value == ReplayRequest.Handle {
    /// The characteristic of a handle that a capture does not name.
    static var handle: TypedOption {
        TypedOption(.handle) { text in
            ReplayRequest.Handle(text)
        } problem: { text in
            "--handle takes a handle and its characteristic, such as 0x0010=2A37, not '\(sanitized(text))'"
        }
    }
}

extension TypedOption where Value == HistoryRequest.Quantities {
    /// The vitals and kinds of entries.
    static var vitals: TypedOption {
        TypedOption(.vitals) { text in
            HistoryRequest.Quantities(text)
        } problem: { text in
            HistoryRequest.Quantities.problem(text)
        }
    }
}

extension TypedOption where Value == WardToken {
    /// The site of a ward.
    static var site: TypedOption {
        TypedOption(.site) { text in
            WardToken(text)
        } problem: { _ in
            "--site takes \(WardToken.rule)"
        }
    }
}

extension CommandLineArguments {
    /// The value of the last occurrence of an option; `nil` where it was not given.
    ///
    /// - Throws: ``CommandError`` where it is refused.
    subscript<Value>(_ option: TypedOption<Value>) -> Value? {
        get throws(CommandError) {
            do throws(UsageError) {
                return try value(option)
            } catch {
                throw CommandError(error)
            }
        }
    }

    /// The error for an invalid command line.
    func mistake(_ problem: String) -> CommandError {
        CommandError(UsageError(problem, subcommand: subcommand))
    }
}
