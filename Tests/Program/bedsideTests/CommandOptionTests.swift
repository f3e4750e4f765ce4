import CommandLineInterface
import Formats
import Monitoring
import Replay
import Testing
import VitalDecoders
import Vitals

@testable import bedside

@Suite("The values of options")
struct CommandOptionTests {
    private func arguments(_ words: String) throws -> CommandLineArguments {
        try CommandLineArguments(parsing: words.split(separator: " ").map(String.init))
    }

    private func value<Value>(_ words: String, _ option: TypedOption<Value>) throws -> Value? {
        try arguments(words)[option]
    }

    /// The sentence about a value that is refused; `nil` where it is read.
    private func refusal<Value>(_ words: String, _ option: TypedOption<Value>) throws -> String? {
        let arguments = try arguments(words)
        do throws(CommandError) {
            _ = try arguments[option]
            return nil
        } catch {
            #expect(error.status == .usage)
            return error.sentence
        }
    }

    @Test("are read, the last one of several counts, and without one there is none")
    func values() throws {
        #expect(try value("report", .days) == nil)
        #expect(try value("report --days 1", .days) == 1)
        #expect(try value("report --days 0 --days 366", .days) == 366)
        #expect(try value("watch --count 12", .readingCount) == 12)
        #expect(try value("watch --for 90s", .duration) == .seconds(90))
        #expect(try value("export --format FHIR", .exportFormat) == .fhir)
        #expect(try value("import --format csv", .importFormat) == .csv)
        #expect(try value("history --by wearing", .summaryPart) == .wearing)
        #expect(try value("alarms --class technical", .alarmClass) == .technical)
        #expect(try value("alarms --priority medium", .priority) == .medium)
        #expect(try value("replay --speed max", .speed) == .unlimited)
        let quantities = try value("history --vitals SpO2,note,heart_rate", .vitals)
        #expect(quantities?.vitals == [.oxygenSaturation, .heartRate])
        #expect(quantities?.entries == [.note, .oxygenSaturation, .heartRate])
        let handles = try arguments("replay --handle 0x0010=2A37 --handle 17=2A5F").values(.handle)
        #expect(handles.map(\.number) == [16, 17])
        #expect(handles.map(\.characteristic) == ["2A37", "2A5F"])
    }

    @Test("that make no sense are refused, with what the option takes and where to read more")
    func refusals() throws {
        for days in ["0", "367", "-1", "1.5", "", "many"] {
            #expect(
                try refusal("report --days=\(days)", .days)
                    == "--days takes a number from 1 to 366, not '\(days)' (see bedside report --help)")
        }
        #expect(try refusal("watch --count 0", .readingCount)?.hasPrefix("'0' is not a number of readings") == true)
        #expect(try refusal("watch --for soon", .duration)?.contains("such as 30s, 10m or 8h") == true)
        #expect(
            try refusal("import --format cvs", .importFormat)
                == "'cvs' is not a format; there are csv, fhir, edf, ring-file; did you mean 'csv'? (see bedside import --help)"
        )
        #expect(
            try refusal("alarms --priority hihg", .priority)
                == "--priority takes high, medium or low, not 'hihg'; did you mean 'high'? (see bedside alarms --help)")
        #expect(
            try refusal("alarms --class Technical", .alarmClass)?.hasPrefix(
                "--class takes physiological or technical, not 'Technical'") == true)
        #expect(try refusal("history --vitals spo2,,x", .vitals)?.hasPrefix("'' is not a vital; there are ") == true)
        #expect(try refusal("history --record 0", .record)?.hasPrefix("--record takes a number, all or list") == true)
        #expect(try refusal("alarms --class \u{1B}[2J", .alarmClass)?.contains("\u{1B}") == false)
    }
}
