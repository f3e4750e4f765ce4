import Base
import Dashboard
import Foundation
import Glibc
import Monitoring
import Status
import Testing
import TestSupport
import Vitals
import Wording

@testable import Formats

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
                AlarmReport(id: 4, kind: .feverSingle, priority: .high, state: state, text: "Fever 38.6 °C ≥ 38.3"),
                title: "FEVER"),
            StatusAlarm(
                AlarmReport(id: 5, kind: .linkLost, priority: .medium, text: "Link lost · \(name ?? "CORE")"),
                title: "LINK LOST", sensorName: name ?? "CORE"),
        ]
        if name != nil { summary.alarms.removeFirst() }
        summary.alarmCount = 3
        return summary
    }

    @Test("are for people, programs and bars")
    func golden() throws {
        var simulated = Self.summary(state: .acknowledged)
        (simulated.provenance, simulated.patient, simulated.notices) = (.simulated, "bed-12", ["SOUND PAUSED"])
        var absent = StatusSensor(address: "C0:52:49:00:00:02", name: "Polar H10", isConnected: false)
        (absent.measuredAt, absent.battery, absent.batteryAt) = (1_772_300_000_123, 54, 1_772_299_000_000)
        simulated.sensors = [absent]
        var text = ""
        for format in StatusFormat.allCases {
            text += "\(format.rawValue)\n"
            for summary in [Self.summary(), simulated, nil] {
                text += format.text(summary, orElse: "no monitor", unit: DisplayUnits(), isASCII: false) + "\n"
            }
            text +=
                format.text(Self.summary(), orElse: "", unit: DisplayUnits(temperature: .fahrenheit), isASCII: true)
                + "\n"
        }
        try expectGolden(text, "status.txt")
    }

    @Test(
        "are for OpenMetrics what an independent reader accepts, and a number is there only while it is measured",
        .enabled(
            if: PythonScript.isHere(with: "prometheus_client"), "Debian's package python3-prometheus-client is missing")
    )
    func openMetrics() throws {
        let folder = try ScratchFolder()
        let script = try PythonScript(
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("read_openmetrics.py")
                .path)
        func read(_ summary: StatusSummary?) throws -> [String] {
            let text = StatusFormat.openMetrics.text(summary, orElse: "no monitor", unit: DisplayUnits(), isASCII: true)
            let path = try folder.write(text + "\n", to: "status.txt")
            return try script.answer(to: path).components(separatedBy: " | ")
        }
        var summary = Self.summary(alarm: "\\\"} 1\n" + Self.hostile)
        (summary.provenance, summary.patient) = (.simulated, "bed \"12\"\\")
        summary.vitals[0].sensor = Self.hostile
        let samples = try read(summary)
        let harmless = sanitized(Self.hostile)
        #expect(
            samples.contains(
                "bedside_heart_rate_per_minute patient='bed \"12\"\\\\' quality='good' sensor='\(harmless)' simulated='true' 72"
            ))
        #expect(!samples.contains { $0.hasPrefix("bedside_spo2_percent") })
        #expect(samples.contains { $0.hasPrefix("bedside_body_temperature_celsius") && $0.hasSuffix(" 38.29") })
        let states = samples.filter { $0.hasPrefix("bedside_vital_state") && $0.hasSuffix(" 1") }
        #expect(
            states.map { $0.contains("bedside_vital_state='no_measurement'") && $0.contains("vital='spo2'") }
                == [false, true, false])
        #expect(samples.count { $0.hasPrefix("bedside_alarm ") } == 1)
        for state in StatusVital.State.allCases where state != .measured {
            for index in summary.vitals.indices { summary.vitals[index].state = state }
            let samples = try read(summary)
            let units = ["per_minute", "percent", "celsius", "decilitre", "seconds"]
            #expect(!samples.contains { sample in units.contains { sample.prefix { $0 != " " }.hasSuffix($0) } })
        }
        #expect(try read(nil) == ["bedside_up  0"])
    }

    @Test("have all values in JSON, and are read back unchanged")
    func roundTrip() {
        var summary = Self.summary()
        (summary.provenance, summary.patient, summary.notices) = (.simulated, "bed-12", ["SOUND PAUSED"])
        summary.trouble = "no Bluetooth adapter"
        summary.vitals[0].quality = .malfunction
        var absent = StatusSensor(address: "C0:52:49:00:00:02", name: "Polar H10", isConnected: false)
        (absent.measuredAt, absent.battery, absent.batteryAt) = (1_772_300_000_123, 54, 1_772_299_000_000)
        var present = StatusSensor(address: "C0:52:49:00:00:01", name: "CORE", isConnected: true)
        present.battery = 92
        present.transmitter = TransmitterStatus(
            firmware: "0007", hardware: "1001", sensorSerial: "0M000AUDL40", sensorMinutes: 5000, newSensor: .asked)
        absent.isRefusing = true
        summary.sensors = [absent, present, StatusSensor(address: "x", name: "y", isConnected: false)]
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
        // OpenMetrics, which has many lines, is read by its own parser.
        for format in StatusFormat.allCases where format != .openMetrics {
            let line = format.text(Self.summary(alarm: Self.hostile), orElse: "", unit: DisplayUnits(), isASCII: false)
            #expect(!line.contains("\n") && !line.contains("\u{1B}"), "\(format)")
            switch format {
            case .tmux:
                // Without pairs of number signs, which are one to tmux, only its own styles are left.
                let rest = line.replacing("##", with: "")
                #expect(
                    !rest.contains("#(")
                        && rest.matches(of: /#\[/).count == rest.matches(of: /#\[(fg=colour\d|bold|default)/).count)
                #expect(!rest.contains("#[fg=red]"))
            case .polybar: #expect(line.matches(of: /%\{A/).isEmpty)
            case .waybar: #expect(!line.contains("<") && line.contains("&lt;b&gt;&amp;"))
            case .plain, .json, .openMetrics: break
            }
        }
    }

    @Test("use red, yellow and cyan for alarms alone")
    func colors() {
        var calm = Self.summary()
        (calm.alarms, calm.alarmCount, calm.provenance, calm.patient) = ([], 0, .simulated, "bed-12")
        (calm.trouble, calm.notices) = ("no adapter", ["SOUND OFF"])
        let tmux = StatusFormat.tmux.text(calm, orElse: "", unit: DisplayUnits(), isASCII: false)
        for color in [160, 203, 220, 44] { #expect(!tmux.contains("colour\(color)")) }
        let polybar = StatusFormat.polybar.text(calm, orElse: "", unit: DisplayUnits(), isASCII: false)
        for color in ["d70000", "ff5f5f", "ffd700", "00d7d7"] { #expect(!polybar.contains(color)) }
    }

    private static let tones: [StatusLine.Tone] =
        [.simulated, .missing, .notice, .noMonitor(isMark: true), .noMonitor(isMark: false)]
        + AlarmPriority.allCases.flatMap { [.alarm($0, isCalm: false), .alarm($0, isCalm: true)] }

    @Test("can be read on any bar: both colours are explicit, and have a contrast of at least 4.5", arguments: tones)
    func legible(tone: StatusLine.Tone) throws {
        let piece = StatusLine.Piece(text: "FEVER", tone: tone)
        let tmux = try #require(
            StatusMarkup.tmux(piece).wholeMatch(of: /#\[fg=colour(\d+),bg=colour(\d+)[a-z,]*\] FEVER #\[default\]/))
        let polybar = try #require(
            StatusMarkup.polybar(piece).wholeMatch(of: /%\{F#([0-9a-f]{6})\}%\{B#([0-9a-f]{6})\} FEVER %\{B-\}%\{F-\}/))
        for (index, rgb) in [(tmux.1, polybar.1), (tmux.2, polybar.2)] {
            #expect(try components(ofIndex: try #require(Int(index))) == components(try #require(Int(rgb, radix: 16))))
        }
        let (text, ground) = (
            luminance(components(try #require(Int(polybar.1, radix: 16)))),
            luminance(components(try #require(Int(polybar.2, radix: 16))))
        )
        #expect((max(text, ground) + 0.05) / (min(text, ground) + 0.05) >= 4.5)
        #expect(!StatusMarkup.tmux(piece).contains("reverse") && !StatusMarkup.tmux(piece).contains("dim"))
    }

    private func components(_ rgb: Int) -> [Int] { [rgb >> 16, rgb >> 8 & 255, rgb & 255] }

    /// A colour of xterm's palette above the first sixteen.
    private func components(ofIndex index: Int) throws -> [Int] {
        try #require((16...255).contains(index))
        if index >= 232 { return Array(repeating: 8 + (index - 232) * 10, count: 3) }
        return [36, 6, 1].map { (index - 16) / $0 % 6 }.map { $0 == 0 ? 0 : 55 + 40 * $0 }
    }

    private func luminance(_ components: [Int]) -> Double {
        let linear = components.map { Double($0) / 255 }.map {
            $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
        }
        return zip([0.2126, 0.7152, 0.0722], linear).reduce(0) { $0 + $1.0 * $1.1 }
    }

    @Test("show a missing monitor louder than any alarm")
    func absence() {
        let tmux = StatusFormat.tmux.text(nil, orElse: "no monitor", unit: DisplayUnits(), isASCII: false)
        let mark = "#[fg=colour231,bg=colour160,bold] !!! #[default]"
        #expect(tmux == mark + "#[fg=colour160,bg=colour231,bold] NO MONITOR #[default]" + mark)
        let waybar = StatusFormat.waybar.text(nil, orElse: "no monitor", unit: DisplayUnits(), isASCII: false)
        #expect(waybar.contains(#""text":"!!! NO MONITOR !!!""#) && waybar.contains(#""class":["none"]"#))
        #expect(
            StatusFormat.plain.text(nil, orElse: "no monitor", unit: DisplayUnits(), isASCII: false) == "no monitor")
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
