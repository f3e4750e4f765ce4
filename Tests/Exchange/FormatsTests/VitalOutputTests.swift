import Base
import Dashboard
import Monitoring
import Speech
import Status
import Testing
import Vitals
import WardMessages
import Wording

@testable import Formats

/// An output, and what it writes of one vital that is measured.
private struct Output: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What it must contain of a vital beside its value.
    let marks: @Sendable (Vital) -> [String]
    /// Whether it writes the value.
    var hasValue = true
    let text: @Sendable (Measured) -> String

    init(
        _ name: String, hasValue: Bool = true, marks: @escaping @Sendable (Vital) -> [String],
        text: @escaping @Sendable (Measured) -> String
    ) {
        (testDescription, self.hasValue, self.marks, self.text) = (name, hasValue, marks, text)
    }

    /// The vitals that an output leaves out, with the reason.
    static let gaps: [(output: String, vital: Vital, why: String)] = [
        ("speech", .perfusionIndex, "beside the saturation that it belongs to, as the pulse beside the heart rate"),
        ("German speech", .perfusionIndex, "the same"),
    ]

    private static let context = SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0)

    static let all = [
        Output(
            "the screen",
            marks: { vital in
                let traits = vital.traits
                return traits.role == .companion(of: .oxygenSaturation)
                    ? ["\(traits.label) \(Measured(vital).digits) \(traits.unit.text)"] : [traits.title]
            }
        ) { $0.screen },
        Output("lines", marks: { [$0.text, $0.traits.unit.screenText] }) { measured in
            var report = LineReport(interval: .zero, context: context)
            report.handle(measured.event, [], measured.state)
            return report.takeLines()
        },
        Output("speech", marks: { [$0.traits.spoken.english] }) {
            SpeechComposer(language: .english, context: context).values(of: $0.state).text
        },
        Output("German speech", hasValue: false, marks: { [$0.traits.spoken.german] }) {
            SpeechComposer(language: .german, context: context).values(of: $0.state).text
        },
        Output("a status line", marks: { [GlyphSet.ascii.fit($0.traits.label)].filter { !$0.isEmpty } }) {
            $0.status(.plain, isASCII: true)
        },
        Output("a status in JSON", marks: { [#""vital":"\#($0.rawValue)""#, #""unit":"\#($0.unit)""#] }) {
            $0.status(.json)
        },
        Output("OpenMetrics", marks: { ["bedside_\($0.rawValue)_\($0.traits.unit.metricName){"] }) {
            $0.status(.openMetrics)
        },
        Output("JSON lines", marks: { [#""vital":"\#($0.rawValue)""#, #""unit":"\#($0.unit)""#] }) {
            $0.exported(.jsonLines)
        },
        Output("CSV", marks: { [",\($0.rawValue),", ",\($0.unit),"] }) { $0.exported(.csv) },
        Output("wide CSV", marks: { [",\($0.rawValue) \($0.unit) "] }) { $0.exported(.csvWide) },
        Output("InfluxDB", marks: { [" \($0.rawValue)=", ",unit=\($0.unit)"] }) { $0.exported(.influx) },
        Output(
            "FHIR",
            marks: { vital in
                vital.traits.loinc.map { #""system":"http://loinc.org","code":"\#($0.code)""# } + [
                    #""code":"\#(vital.traits.nomenclatureCode)""#,
                    #""system":"http://unitsofmeasure.org","code":"\#(vital.unit)""#,
                    "StructureDefinition/\(vital.traits.profile)",
                ]
            }
        ) { $0.exported(.fhir) },
        Output("history", marks: { [$0.text, $0.unitText] }) { measured in
            var text = HistoryText { _ in 0 }
            return text.table([measured.summary])
        },
        Output("history in JSON", marks: { [#""vital":"\#($0.rawValue)""#, #""unit":"\#($0.unit)""#] }) { measured in
            var encoder = WatchEncoder(isSimulated: false, patient: nil)
            encoder.write(measured.summary)
            return encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        },
        Output("a report", marks: { [$0.text, $0.unitText] }) { $0.report.text() },
        Output("a report in HTML", marks: { ["\($0.text.capitalizedFirst), \($0.unitText)"] }) { $0.report.html() },
        Output("the ward", marks: { [#""vital":"\#($0.rawValue)""#] }) { measured in
            var encoder = WardEncoder()
            guard let vital = WardVital(measured.state[measured.vital], at: measured.now) else { return "" }
            return String(
                decoding: encoder.encode(
                    WardVitalMessage(stamp: measured.stamp, vital: vital, isSimulated: false)), as: UTF8.self)
        },
        Output(
            "Home Assistant", hasValue: false,
            marks: {
                [#""\#($0.rawValue)":{"#, $0.traits.homeAssistant.icon, #""name":"\#($0.text.capitalizedFirst)""#]
            }
        ) { measured in
            String(
                decoding: HomeAssistantDevice(
                    measured.bed, session: measured.token, isSimulated: false, staleFactor: 3,
                    vitals: [measured.vital: 6]
                ).payload, as: UTF8.self)
        },
    ]
}

/// A patient of whom one vital is measured, and the one that it stands beside, if it never stands alone.
private struct Measured: Sendable {
    let vital: Vital
    let now = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_772_373_000_000)
    var state: MonitorState
    let event: MonitorEvent
    let sensor = SensorIdentity(address: "C0:52:49:00:00:03", name: "Sensor", kind: .other)

    init(_ vital: Vital) {
        self.vital = vital
        state = MonitorState(start: now)
        event = Self.event(vital, sensor, now)
        if case .companion(let principal) = vital.traits.role { _ = state.apply(Self.event(principal, sensor, now)) }
        _ = state.apply(event)
    }

    private static func event(_ vital: Vital, _ sensor: SensorIdentity, _ now: Moment) -> MonitorEvent {
        let outcome = Reading.Outcome.measured(value(of: vital), .good)
        return MonitorEvent(
            moment: now, kind: .reading(Reading(sensor: sensor, vital: vital, outcome: outcome, moment: now)))
    }

    /// A usual value, with as many decimals as the vital has.
    static func value(of vital: Vital) -> VitalValue {
        let scale = vital.traits.scale.usual
        // A whole number, which no output rounds.
        let middle = (scale.lowerBound + scale.upperBound) / 200 * 100
        return VitalValue(hundredths: middle + (vital.traits.step < 100 ? vital.traits.step * 3 : 0))
    }

    /// The value as every output writes it.
    var digits: String { ValueText().digits(Self.value(of: vital), of: vital) }

    var screen: String {
        var frames = FrameSequence()
        var screen = ScreenState()
        let size = (columns: 200, rows: 60)
        screen.prepare(for: state, size: size, at: now)
        screen.glyphs = .braille
        let grid = frames.drawPrepared(state: state, screen: screen, size: size, now: now)
        return (0..<size.rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    func status(_ format: StatusFormat, isASCII: Bool = false) -> String {
        format.text(
            StatusSummary(state, patient: nil, provenance: .real, now: now), orElse: "", unit: DisplayUnits(),
            isASCII: isASCII)
    }

    func exported(_ format: ExportFormat) -> String {
        guard case .reading(let reading) = event.kind else { return "" }
        var encoder = format.encoder(
            sources: [RecordedSource(sensor: sensor, vital: vital, sensorNumbers: [1])], isSimulated: false,
            patient: nil)
        encoder.begin()
        encoder.write(RecordedReading(reading, run: 1, number: 0, sensorNumber: 1))
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    var summary: ReadingSummary {
        var builder = SummaryBuilder()
        builder.add(Self.value(of: vital), isOutside: false, at: now.wallMilliseconds)
        return builder.summary(
            of: (sensor, vital), from: now.wallMilliseconds, to: now.wallMilliseconds + 3_600_000, wearing: 1)
    }

    var report: PatientReport {
        let value = Self.value(of: vital)
        var overview = ReportExample.overview
        overview.entries = []
        for day in overview.days.indices {
            overview.days[day].vitals = [
                VitalDay(
                    vital: vital, count: 1000, minimum: value, median: value, maximum: value, covered: 60_000,
                    outside: 0, isOfSums: false, length: 24 * ReportExample.hour)
            ]
        }
        return ReportExample.report(overview)
    }

    var token: WardToken {
        guard let token = WardToken("north") else { preconditionFailure("it is a name") }
        return token
    }
    var bed: WardBed { WardBed(site: token, bed: token) }
    var stamp: WardStamp {
        WardStamp(session: token, sequence: 1, bootMilliseconds: 1, wallMilliseconds: now.wallMilliseconds)
    }
}

@Suite("Every vital in every output")
struct VitalOutputTests {
    @Test("is there with its name, unit and value, or listed with the reason", arguments: Output.all, Vital.allCases)
    fileprivate func shown(output: Output, vital: Vital) {
        let measured = Measured(vital)
        let text = output.text(measured)
        let wanted = output.marks(vital) + (output.hasValue ? [measured.digits] : [])
        let missing = wanted.filter { !text.contains($0) }
        let gap = Output.gaps.first { $0.output == output.testDescription && $0.vital == vital }
        #expect(missing.isEmpty == (gap == nil), "\(missing) of \(text)")
    }
}
