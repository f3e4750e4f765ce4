import Dashboard
import Formats
import Monitoring
import Testing
import TestSupport
import Vitals

@Suite("The forms of a status")
struct StatusFormatTests {
    /// A text that is markup to tmux, polybar and Pango, and that breaks a line.
    static let hostile = "#[fg=red]#(id)%{A1:id:}<b>&\u{1B}[31m\n"

    /// Three vitals, one of them missing, and a fever.
    static func summary(alarm name: String? = nil, state: AlarmState = .active) -> StatusSummary {
        var summary = StatusSummary(wallMilliseconds: 1_772_373_000_123)
        var rate = StatusVital(.heartRate, .measured)
        (rate.value, rate.age, rate.sensor) = (VitalValue(whole: 72), 0, "Polar H10")
        var saturation = StatusVital(.oxygenSaturation, .noMeasurement)
        (saturation.value, saturation.age) = (VitalValue(whole: 97), 240)
        (saturation.reason, saturation.reasonText) = ("off_body", "off body")
        var temperature = StatusVital(.bodyTemperature, .measured)
        (temperature.value, temperature.age, temperature.site) = (VitalValue(hundredths: 3829), 1, "core")
        temperature.evaluatedAt = [VitalValue(hundredths: 3830)]
        temperature.quality = .questionable
        summary.vitals = [rate, saturation, temperature]
        summary.alarms = [
            StatusAlarm(
                id: 4, kind: "fever_single", alarmClass: .physiological, priority: .high, state: state, title: "FEVER",
                text: "Fever 38.6 °C ≥ 38.3", sensor: nil),
            StatusAlarm(
                id: 5, kind: "link_lost", alarmClass: .technical, priority: .medium, state: .active,
                title: "LINK LOST", text: "Link lost · \(name ?? "CORE")", sensor: name ?? "CORE"),
        ]
        if name != nil { summary.alarms.removeFirst() }
        summary.alarmCount = 3
        return summary
    }

    @Test("are for people, programs and bars")
    func golden() throws {
        var simulated = Self.summary(state: .acknowledged)
        (simulated.provenance, simulated.patient, simulated.notices) = (.simulated, "bed-12", ["SOUND PAUSED"])
        var text = ""
        for format in StatusFormat.allCases {
            text += "\(format.rawValue)\n"
            for summary in [Self.summary(), simulated, nil] {
                text += format.text(summary, orElse: "no monitor", unit: .celsius, isASCII: false) + "\n"
            }
            text += format.text(Self.summary(), orElse: "", unit: .fahrenheit, isASCII: true) + "\n"
        }
        try expectGolden(text, "status.txt")
    }

    @Test("have all values in JSON, and are read back unchanged")
    func roundTrip() {
        var summary = Self.summary()
        (summary.provenance, summary.patient, summary.notices) = (.simulated, "bed-12", ["SOUND PAUSED"])
        summary.trouble = "no Bluetooth adapter"
        summary.vitals[0].quality = .malfunction
        for summary in [summary, StatusSummary(wallMilliseconds: 0), Self.summary(alarm: Self.hostile)] {
            #expect(StatusDecoder.summary(StatusEncoder.line(summary, text: StatusLine(summary).text)) == summary)
        }
    }

    @Test(
        "take nothing for a status that is none",
        arguments: ["", "x", "[]", "{}", #"{"v":2,"event":"status"}"#, #"{"v":1,"event":"reading"}"#, #"{"v":1"#])
    func noStatus(text: String) {
        #expect(StatusDecoder.summary(Array(text.utf8)) == nil)
    }

    @Test("leave out what a later program says that is not understood")
    func later() throws {
        let line = """
            {"v":1,"event":"status","t":"x","vitals":[{"vital":"mood","state":"measured","value":3},\
            {"vital":"spo2","state":"guessed"},{"vital":"spo2","state":"measured","value":1e300}],"alarms":[{"id":1}],\
            "alarm_count":-3,"new":{}}
            """
        let summary = try #require(StatusDecoder.summary(Array(line.utf8)))
        #expect(summary.vitals.map(\.vital) == [.oxygenSaturation])
        #expect(summary.vitals.first?.value == nil)
        #expect(summary.alarms.isEmpty && summary.alarmCount == 0)
    }

    @Test("let no name from the air be markup, or break the line")
    func injection() {
        for format in StatusFormat.allCases {
            let line = format.text(Self.summary(alarm: Self.hostile), orElse: "", unit: .celsius, isASCII: false)
            #expect(!line.contains("\n") && !line.contains("\u{1B}"), "\(format)")
            switch format {
            case .tmux:
                // Without pairs of number signs, which are one to tmux, only its own styles are left.
                let rest = line.replacing("##", with: "")
                #expect(
                    !rest.contains("#(")
                        && rest.matches(of: /#\[/).count == rest.matches(of: /#\[(fg=|dim|bold|default)/).count)
                #expect(!rest.contains("#[fg=red]"))
            case .polybar: #expect(line.matches(of: /%\{A/).isEmpty)
            case .waybar: #expect(!line.contains("<") && line.contains("&lt;b&gt;&amp;"))
            case .plain, .json: break
            }
        }
    }

    @Test("use red, yellow and cyan for alarms alone")
    func colors() {
        var calm = Self.summary()
        (calm.alarms, calm.alarmCount, calm.provenance, calm.patient) = ([], 0, .simulated, "bed-12")
        (calm.trouble, calm.notices) = ("no adapter", ["SOUND OFF"])
        let tmux = StatusFormat.tmux.text(calm, orElse: "", unit: .celsius, isASCII: false)
        for color in ["red", "yellow", "cyan"] { #expect(!tmux.contains("fg=\(color)")) }
        let polybar = StatusFormat.polybar.text(calm, orElse: "", unit: .celsius, isASCII: false)
        for color in ["ff5555", "f1fa8c", "8be9fd"] { #expect(!polybar.contains(color)) }
    }

    @Test("answer questions that are asked in JSON, and no others")
    func questions() {
        #expect(StatusQuestion(Array(#"{"ask":"status"}"#.utf8)) == .once)
        #expect(StatusQuestion(Array(#"{"ask": "status", "follow": true}"#.utf8)) == .follow)
        for question in [StatusQuestion.once, .follow] {
            #expect(StatusQuestion(question.line.dropLast()) == question)
        }
        for other in [#"{"ask":"attach"}"#, "status", "", #"{"follow":true}"#] {
            #expect(StatusQuestion(Array(other.utf8)) == nil)
        }
    }
}
