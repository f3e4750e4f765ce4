import AlarmSignals
import Formats
import Monitoring
import Status
import Testing
import Vitals
import WardMessages
import Wording

@testable import Engine

/// Each field of an alarm against each output: shown, or listed with the reason why not.
@Suite("An alarm as others see it")
struct AlarmOutputTests {
    /// A field, and another value of it.
    struct Field: CustomTestStringConvertible, Sendable {
        let name: String
        let change: @Sendable (inout AlarmReport) -> Void
        /// What the alarm is like otherwise.
        var state = AlarmState.suspended

        var testDescription: String { name }
    }

    static let fields = [
        Field(name: "id") { $0.id = 8 },
        Field(name: "kindName") { $0.kindName = AlarmKind.severeHigh.rawValue },
        Field(name: "alarmClass") { $0.alarmClass = .technical },
        Field(name: "priority") { $0.priority = .high },
        Field(name: "state") { $0.state = .active },
        Field(name: "isAcknowledged") { $0.isAcknowledged = true },
        Field(name: "isLatched", change: { $0.isLatched = true }, state: .ended),
        Field(name: "isHeld") { $0.isHeld = true },
        Field(name: "sensor") {
            $0.sensor = SensorIdentity(address: "C0:52:49:00:00:09", name: "Strap", kind: .heartRateStrap)
        },
        Field(name: "vital") { $0.vital = .pulseRate },
        Field(name: "site") { $0.site = .wrist },
        Field(name: "value") { $0.value = VitalValue(whole: 133) },
        Field(name: "peak") { $0.peak = VitalValue(whole: 144) },
        Field(name: "limit") { $0.limit = VitalValue(whole: 111) },
        Field(name: "sinceWallMilliseconds") { $0.sinceWallMilliseconds += 61_000 },
        Field(name: "text") { $0.text = "another text" },
    ]

    /// An output as text, and why it has not the fields that it has not.
    struct Output: CustomTestStringConvertible, Sendable {
        let name: String
        let gaps: [String: String]
        let text: @Sendable (AlarmReport) -> String

        var testDescription: String { name }
    }

    private static let moment = Moment(monotonicNanoseconds: 9_000_000_000, wallMilliseconds: 1_772_373_000_000)
    private static let inWords = "the text says it in words"
    private static let seriesOnly = "it would begin another time series"
    private static let logGaps = [
        "isAcknowledged": "the log has an entry for each state that an alarm enters, and acknowledged is one",
        "isLatched": "the log has an entry for the end, and one for the acknowledgement after it",
        "isHeld": "the log has an action for the beginning and the end of care",
    ]

    static let outputs = [
        Output(name: "watch, and the user's command", gaps: [:]) { report in
            var encoder = WatchEncoder(isSimulated: false)
            encoder.write(report, moment)
            return encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        },
        Output(name: "alarms --json", gaps: logGaps) { report in
            var encoder = WatchEncoder(isSimulated: false)
            encoder.write(entry(report))
            return encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        },
        Output(
            name: "alarms",
            gaps: logGaps.merging(
                [
                    "kindName": inWords, "alarmClass": "the text names the sensor or the vital", "sensor": inWords,
                    "vital": inWords, "site": inWords, "value": inWords, "peak": inWords, "limit": inWords,
                    "sinceWallMilliseconds": "the entry that began the episode has its time",
                ], uniquingKeysWith: { first, _ in first })
        ) { report in
            var text = AlarmLogText(isColored: false, isSimulated: false) { _ in 0 }
            return text.line(entry(report))
        },
        Output(name: "message to a ward", gaps: [:]) { report in
            var encoder = WardEncoder()
            let message = WardAlarmMessage(stamp: stamp, alarm: WardAlarm(report))
            return String(decoding: encoder.encode(message, isSimulated: false), as: UTF8.self)
        },
        Output(name: "recorded row to a ward", gaps: logGaps) { report in
            var encoder = WardEncoder()
            let key = WardHistoryKey(store: token, wallMilliseconds: moment.wallMilliseconds, number: 1)
            let row = WardHistoryBatch.Row(key: key, .alarmLog(entry(report)), run: 1)
            let batch = WardHistoryBatch(rows: [row], isSimulated: false)
            return String(decoding: encoder.encode(batch, wallMilliseconds: moment.wallMilliseconds), as: UTF8.self)
        },
        Output(
            name: "status --format json",
            gaps: ["sensor": "its short name is there where the number of the vital is another sensor's"]
        ) { StatusFormat.json.text(summary($0), orElse: "", unit: DisplayUnits(), isASCII: false) },
        Output(
            name: "status --format openmetrics",
            gaps: [
                "sensor": "its short name is there where the number of the vital is another sensor's",
                "isLatched": "the state says that it is over", "isHeld": seriesOnly, "site": seriesOnly,
                "value": "the vital has a series of its own", "peak": seriesOnly, "limit": seriesOnly,
                "sinceWallMilliseconds": "the series begins then", "text": seriesOnly,
            ]
        ) { StatusFormat.openMetrics.text(summary($0), orElse: "", unit: DisplayUnits(), isASCII: false) },
        Output(
            name: "status line",
            gaps: [
                "id": "a line has room for one alarm", "kindName": "the title says it",
                "priority": "the colour says it", "isAcknowledged": "a suspended alarm is named as such",
                "isLatched": "the state says that it is over", "isHeld": "the line is about states",
                "sensor": "its short name is there where the number of the vital is another sensor's",
                "vital": "the title says it", "site": "no room", "peak": "only of an alarm that is over",
                "limit": "no room", "sinceWallMilliseconds": "no room", "text": "the title says what it is",
            ]
        ) { StatusFormat.plain.text(summary($0), orElse: "", unit: DisplayUnits(), isASCII: false) },
        Output(
            name: "desktop notification",
            gaps: [
                "id": "the notification is replaced by that number", "kindName": inWords, "alarmClass": inWords,
                "isHeld": "nothing is signalled anew while it is held", "sensor": inWords, "vital": inWords,
                "site": inWords, "value": inWords, "peak": inWords, "limit": inWords,
                "sinceWallMilliseconds": "the desktop shows when it came",
            ]
        ) {
            DesktopNotification($0, SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0)).map { "\($0)" }
                ?? ""
        },
        Output(
            name: "report",
            gaps: logGaps.merging(
                [
                    "id": "episodes are in the order of time", "kindName": "it lists fevers, of either rule",
                    "alarmClass": "fevers are about the patient", "priority": "all fevers are listed",
                    "sensor": "a fever is the patient's", "vital": "a fever is a temperature",
                    "site": "the temperatures of the days have it", "limit": "the settings have it",
                    "value": "it has the highest value", "state": "it has the beginning and the end",
                    "text": "it has words of its own",
                ], uniquingKeysWith: { first, _ in first })
        ) { report in
            var fever = report
            fever.kindName = AlarmKind.feverSingle.rawValue
            return "\(FeverEpisode.all(in: [entry(fever)], entered: []))"
        },
    ]

    private static let token = {
        var random = SystemRandomNumberGenerator()
        return WardToken(random: &random)
    }()
    private static let stamp = WardStamp(
        session: token, sequence: 3, bootMilliseconds: 9000, wallMilliseconds: moment.wallMilliseconds)

    private static func report(_ state: AlarmState) -> AlarmReport {
        AlarmReport(
            id: 7, kind: .high, priority: .medium, state: state,
            sensor: SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter),
            vital: .heartRate, site: .finger, value: VitalValue(whole: 131), peak: VitalValue(whole: 140),
            limit: VitalValue(whole: 120), sinceWallMilliseconds: moment.wallMilliseconds - 15_000,
            text: "HR 131 > 120")
    }

    private static func entry(_ report: AlarmReport) -> AlarmLogEntry {
        let state: AlarmLogEntry.State =
            switch report.state {
            case .pending, .active: .active
            case .suspended: .suspended
            case .acknowledged: .acknowledged
            case .ended: .ended
            }
        return AlarmLogEntry(moment: moment, run: 1, content: .change(.init(report, state)))
    }

    private static func summary(_ report: AlarmReport) -> StatusSummary {
        var summary = StatusSummary(wallMilliseconds: moment.wallMilliseconds)
        summary.alarms = [StatusAlarm(report, title: "HR HIGH")]
        summary.alarmCount = 1
        return summary
    }

    @Test("has a row for each of its fields here")
    func complete() {
        let names = Mirror(reflecting: Self.report(.active)).children.compactMap(\.label)
        #expect(names == Self.fields.map(\.name))
    }

    @Test("is shown by each output, or listed with the reason why not", arguments: outputs, fields)
    func shown(output: Output, field: Field) {
        let report = Self.report(field.state)
        var changed = report
        field.change(&changed)
        let isShown = output.text(report) != output.text(changed)
        if let reason = output.gaps[field.name] {
            #expect(!isShown, "it is shown, though it is listed as not: \(reason)")
        } else {
            #expect(isShown)
        }
    }

    @Test("has no gap listed that is not a field", arguments: outputs)
    func known(output: Output) {
        #expect(Set(output.gaps.keys).isSubset(of: Self.fields.map(\.name)))
    }
}
