import AlarmSignals
import Dashboard
import Formats
import Monitoring
import Speech
import Status
import Testing
import TextGrid
import Vitals
import Waves
import WardMessages
import Wording

@testable import Engine

/// Simulated data must never look real: every output of a simulated session says so.
@Suite("The label of a simulated session")
struct SessionLabelTests {
    /// An output, as the texts that can be seen apart from each other.
    struct Output: CustomTestStringConvertible, Sendable {
        let name: String
        let texts: @Sendable (SessionContext) -> [String]

        var testDescription: String { name }
    }

    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private static func moment(_ second: Int64) -> Moment {
        Moment(monotonicNanoseconds: second * 1_000_000_000, wallMilliseconds: 1_772_373_000_000 + second * 1000)
    }

    private static let reading = Reading(
        sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 150), .good), moment: moment(1))

    /// A patient with an alarm, and the effects of the reading that raised it.
    private static let (event, effects, state) = {
        var state = MonitorState(start: moment(0))
        _ = state.apply(MonitorEvent(moment: moment(0), kind: .bus(.connected)))
        let event = MonitorEvent(moment: moment(1), kind: .reading(reading))
        let effects = state.apply(event)
        return (event, effects, state)
    }()

    private static let alarm = AlarmReport(
        id: 1, kind: .severeHigh, priority: .high, sensor: strap, vital: .heartRate, text: "HR 150 > 140")

    private static let logEntry = AlarmLogEntry(moment: moment(1), content: .change(.init(alarm, .active)))

    private static func lines(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map(String.init) }

    private static func watched(_ context: SessionContext, _ write: (inout WatchEncoder) -> Void) -> [String] {
        var encoder = WatchEncoder(context)
        write(&encoder)
        return encoder.takeLines { lines(String(decoding: $0, as: UTF8.self)) }
    }

    private static let live =
        [
            Output(name: "watch --json, and the user's command") { context in
                watched(context) { encoder in
                    encoder.write(event)
                    for effect in effects { encoder.write(effect) }
                    encoder.write(alarm, moment(1))
                }
            },
            Output(name: "watch") { context in
                var report = LineReport(interval: .seconds(1), context: context)
                report.handle(event, effects, state)
                return lines(report.takeLines())
            },
            Output(name: "record, in the journal and elsewhere") { context in
                var report = JournalReport(context)
                let lines = report.lines(event, effects, state) + [.init(level: .notice, text: "bedside ends")]
                return lines.flatMap { [report.text($0, at: nil), report.text($0, at: moment(1))] }
            },
            Output(name: "desktop notification") { context in
                [DesktopNotification(alarm, context)?.summary ?? ""]
            },
            Output(name: "speech") { context in
                let composer = SpeechComposer(language: .english, context: context)
                return [composer.values(of: state).text]
            },
        ]
        + [(80, 24), (40, 12), (20, 6), (200, 60)].map { columns, rows in
            Output(name: "screen of \(columns) columns and \(rows) rows") { context in
                var screen = ScreenState()
                screen.session.isSimulated = context.isSimulated
                let grid = draw(state: state, screen: screen, size: (columns, rows), now: moment(2))
                return [(0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")]
            }
        }
        + StatusFormat.allCases.map { format in
            Output(name: "status --format \(format.rawValue)") { context in
                let summary = StatusSummary(
                    state, patient: context.patient, provenance: context.provenance, now: moment(2))
                return [format.text(summary, orElse: "", unit: DisplayUnits(), isASCII: false)]
            }
        }

    private static let stored =
        [
            Output(name: "alarms") { context in
                var text = AlarmLogText(isColored: false, isSimulated: context.isSimulated) { _ in 0 }
                return [text.line(logEntry)]
            },
            Output(name: "alarms --json") { context in watched(context) { $0.write(logEntry) } },
            Output(name: "report") { [report($0).text()] },
            Output(name: "report --format html") { [report($0).html()] },
        ]
        + ExportFormat.allCases.filter(\.content.isStream).map { format in
            Output(name: "export --format \(format.rawValue)") { context in
                var encoder = format.encoder(
                    sources: [RecordedSource(sensor: strap, vital: .heartRate, sensorNumbers: [1])],
                    isSimulated: context.isSimulated,
                    patient: nil)
                encoder.begin()
                switch format.content {
                case .rrIntervals:
                    let intervals = RRIntervals(sensor: strap, intervals: [812], moment: moment(1))
                    encoder.write(RecordedRRIntervals(intervals, run: 1))
                case .waves:
                    let segment = WaveSegment(
                        sensor: strap, kind: .electrocardiogram, start: moment(1), samples: [812],
                        spans: [.init(count: 1, nanoseconds: 7_692_308)])
                    encoder.write(RecordedWave(segment, run: 1, number: 0))
                case .readings: encoder.write(RecordedReading(reading, run: 1, number: 1, sensorNumber: 1))
                case .signals, .nights, .ringFile: break
                }
                encoder.end()
                let text = String(decoding: encoder.bytes, as: UTF8.self)
                // The names of columns say nothing about a value; FHIR has a code for data that are not real.
                switch format {
                case .csv, .rr, .waves:
                    let rows = lines(text).filter { $0.contains(",") }.dropFirst()
                    return rows.map { context.isSimulated && $0.contains("true") ? $0 + " SIM" : $0 }
                case .fhir, .fhirWaves: return [text.contains("\"code\":\"HTEST\"") ? text + " SIM" : text]
                default: return [text]
                }
            }
        }

    private static func report(_ context: SessionContext) -> PatientReport {
        let day = moment(0).wallMilliseconds
        return PatientReport(
            PatientOverview(days: [PatientOverview.Day(day..<day + 86_400_000)]), patient: nil,
            isSimulated: context.isSimulated, now: moment(0), zone: LocalTimeZone(offset: 0), zoneName: "UTC",
            values: ValueText())
    }

    private static let ward = [
        Output(name: "messages to a ward") { context in
            var encoder = WardEncoder()
            let facts = WardFacts(
                isSimulated: context.isSimulated, since: moment(0).wallMilliseconds, program: "bedside", host: "bed")
            let stamp = WardStamp(
                session: token, sequence: 3, bootMilliseconds: 9000, wallMilliseconds: moment(1).wallMilliseconds)
            let vital = WardVital(reading: reading, ageMilliseconds: 0, intervalMilliseconds: 1000)
            let (isSimulated, now) = (context.isSimulated, moment(1).wallMilliseconds)
            let key = WardHistoryKey(store: token, wallMilliseconds: now, number: 1)
            let batch = WardHistoryBatch(
                rows: [WardHistoryBatch.Row(key: key, .reading(reading), run: 1)], isSimulated: isSimulated)
            return [
                encoder.encode(
                    WardSession(session: token, state: .online, facts: facts), wallMilliseconds: now),
                encoder.encode(WardBirth(stamp: stamp, facts: facts)),
                encoder.encode(WardVitalMessage(stamp: stamp, vital: vital, isSimulated: isSimulated)),
                encoder.encode(
                    WardAlarmMessage(stamp: stamp, alarm: WardAlarm(alarm)), isSimulated: isSimulated),
                encoder.encode(WardHeartbeat(stamp: stamp, alarms: [], sound: .on), isSimulated: isSimulated),
                encoder.encode(batch, wallMilliseconds: now),
            ].map { String(decoding: $0, as: UTF8.self) }
        },
        Output(name: "name on the session bus") { context in
            [BusPresence.name(of: nil, isSimulated: context.isSimulated)]
        },
    ]

    private static let token = {
        var random = SystemRandomNumberGenerator()
        return WardToken(random: &random)
    }()

    @Test("is in every output, and in none of a real session", arguments: live + stored + ward)
    func labelled(output: Output) {
        let simulated = output.texts(
            SessionContext(provenance: .simulated, patient: nil, timeZoneOffset: 0))
        #expect(!simulated.isEmpty)
        for text in simulated { #expect(text.lowercased().contains("sim"), "\(text)") }
        for text in output.texts(SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0)) {
            #expect(!text.lowercased().contains("simulated") && !text.contains("SIM"), "\(text)")
        }
    }
}
