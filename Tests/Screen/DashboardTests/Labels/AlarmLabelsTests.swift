import Appearance
import Base
import Monitoring
import Status
import Testing
import Vitals

@testable import Dashboard

@Suite("Texts of alarms")
struct AlarmLabelsTests {
    private func line(_ ward: Ward, columns: Int = 80) -> String {
        ward.drawn(columns, 24).text(row: 1)
    }

    @Test("priorities differ by word and symbol, too", arguments: GlyphSet.allCases)
    func marks(glyphs: GlyphSet) {
        let marks = [glyphs.marks(of: .low), glyphs.marks(of: .medium)]
        #expect(Set(marks + [glyphs.marks(of: .high), ""]).count == 4)
    }

    @Test("fever shows value, limit, site and since when")
    func fever() {
        let start = " ▲▲▲ FEVER 38.8 °C ≥ 38.3 · neutrophils unknown · core · since 13:53"
        #expect(line(.fever()).hasPrefix(start))
        #expect(line(.fever(), columns: 100).hasPrefix("\(start) · CORE 1A2B"))
        #expect(line(.fever(), columns: 100).hasSuffix("[a] acknowledge"))
    }

    @Test("a sensor that reports a malfunction beside its values is named at every size")
    func malfunction() {
        var ward = Ward.live(seconds: 5)
        for _ in 0..<8 {
            ward.pass(1)
            ward.measure(Ward.strap, .heartRate, 7200)
            ward.measure(Ward.core, .bodyTemperature, 3690, site: .core)
            ward.measure(Ward.core, .skinTemperature, 3410, site: .skin)
            ward.measure(Ward.oximeter, .oxygenSaturation, 9700, quality: .malfunction)
            ward.measure(Ward.oximeter, .pulseRate, 7100, quality: .malfunction)
        }
        #expect(line(ward).contains("▲ SENSOR FAULT · e-Oximeter · its values are questionable"))
        for (columns, rows) in [(20, 4), (30, 6), (45, 20), (60, 16), (80, 24), (200, 60)] {
            let grid = ward.drawn(columns, rows)
            let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
            #expect(text.contains("▲ SENSOR FAULT"), "\(columns) × \(rows)")
        }
        let grid = ward.drawn(80, 24)
        let rows = (2..<24).map { grid.text(row: $0) }
        #expect(rows.contains { $0.contains("SpO₂") && $0.contains("SENSOR FAULT") })
        ward.miss(Ward.oximeter, .oxygenSaturation, .offBody)
        ward.miss(Ward.oximeter, .pulseRate, .offBody)
        for (columns, rows) in [(20, 4), (30, 6), (45, 20), (60, 16), (80, 24), (200, 60)] {
            let grid = ward.drawn(columns, rows)
            let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
            #expect(text.contains("SENSOR") && text.contains("susp"), "\(columns) × \(rows)")
        }
    }

    @Test("in Fahrenheit value and limit are in Fahrenheit")
    func fahrenheit() {
        var ward = Ward.fever()
        ward.screen.temperatureUnit = .fahrenheit
        #expect(line(ward).contains("FEVER 101.8 °F ≥ 100.94"))
    }

    @Test("an acknowledged alarm stays, without its ground and its call for a key")
    func acknowledged() {
        var ward = Ward.fever()
        _ = ward.state.apply(.acknowledgeAll, at: ward.now)
        #expect(line(ward).contains("FEVER"))
        #expect(line(ward).hasSuffix("acknowledged"))
        #expect(!ward.drawn(80, 24)[2, 1].style.attributes.contains(.reverse))
    }

    @Test("fever that has gone down a little shows the value now and its peak")
    func peak() {
        var ward = Ward.fever()
        ward.stream(seconds: 5, temperature: { _ in 3810 })
        #expect(line(ward).contains("FEVER now 38.1 °C"))
        #expect(line(ward).contains("peak 38.8"))
    }

    @Test("a peak equal to the value is not shown")
    func samePeak() {
        var ward = Ward.fever()
        ward.stream(seconds: 3, temperature: { _ in 3881 })
        ward.stream(seconds: 1, temperature: { _ in 3879 })
        #expect(line(ward).contains("FEVER 38.8 °C"))
        #expect(!line(ward).contains("peak"))
    }

    @Test("a technical alarm is as old as the absence that it is about, not younger by its delay")
    func technicalSince() {
        var ward = Ward.live(seconds: 57)
        ward.stream(seconds: 10, strapOff: true)
        #expect(line(ward, columns: 100).contains("since 13:50"))
    }

    @Test("without an alarm, 'nothing measured' is not shown while the oximeter gives a pulse")
    func onlyPulse() {
        var ward = Ward.empty()
        ward.connect(Ward.strap)
        ward.connect(Ward.oximeter)
        ward.miss(Ward.strap, .heartRate, .noContact)
        ward.miss(Ward.oximeter, .oxygenSaturation, .notANumber)
        ward.measure(Ward.oximeter, .pulseRate, 7100)
        #expect(line(ward) == " ▲ NOT MEASURED: HR no contact, SpO₂ no value · no alarm yet")
    }

    @Test("fever that cannot be evaluated is suspended, with the reason")
    func suspended() {
        var ward = Ward.fever()
        ward.miss(Ward.core, .bodyTemperature, .notANumber)
        #expect(line(ward).contains("FEVER"))
        #expect(line(ward).contains("suspended"))
    }

    @Test("a technical alarm names its sensor")
    func technical() {
        var ward = Ward.live(seconds: 10)
        ward.stream(seconds: 10, strapOff: true)
        #expect(line(ward).contains("SENSOR OFF · Polar H10 4A2C1234"))
    }

    @Test("the worst alarm stands first, the others are counted")
    func order() {
        let ward = Ward.linkLost()
        #expect(line(ward).contains("FEVER"))
        #expect(ward.drawn(80, 23).text(row: 1).contains("+1 more"))
        let full = ward.drawn(100, 30)
        #expect(full.text(row: 1).contains("FEVER"))
        #expect(full.text(row: 2).contains("LINK LOST · e-Oximeter"))
    }

    @Test("a new alarm has the row before an acknowledged one of higher priority")
    func newBehindAcknowledged() {
        var ward = Ward.fever()
        _ = ward.state.apply(.acknowledgeAll, at: ward.now)
        ward.stream(seconds: 10, temperature: { _ in 3880 }, strapOff: true)
        let row = ward.drawn(80, 20).text(row: 1)
        #expect(row.contains("▲ SENSOR OFF"))
        #expect(row.hasSuffix("+1 more: ✓ FEVER 38.8 °C  [a] acknowledge"))
    }

    /// A saturation, a rate and a temperature on both sides of their limits, each near one.
    @Test(
        "near a limit the panel, the status line and the alarm have a decimal more", arguments: [20, 30, 80, 100])
    func nearLimits(columns: Int) {
        var ward = Ward.live(seconds: 20)
        ward.hold([.oxygenSaturation: 8960, .heartRate: 12_040], seconds: 3)
        ward.measure(Ward.core, .bodyTemperature, 3547, site: .core)
        let line = StatusLine(StatusSummary(ward.state, patient: nil, provenance: .real, now: ward.now)).text
        let grid = ward.drawn(columns, 24)
        let screen = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        for number in ["89.6", "120.4", "35.47"] {
            #expect(line.contains(number), "\(line)")
            #expect(screen.contains(number), "\(number) at \(columns) columns")
        }
        #expect(!screen.contains("120 bpm >"))
    }

    @Test("a fever of another source leaves the number of the panel alone, and stands with its own value and name")
    func otherSource() {
        var ward = Ward.live(seconds: 60)
        ward.stream(seconds: 3, temperature: { _ in 3700 })
        ward.measure(Ward.thermometer, .bodyTemperature, 3860, site: .armpit)
        let grid = ward.drawn(100, 30)
        #expect(grid.text(row: 1).contains("FEVER 38.6 °C ≥ 38.3 · Thermometer X"))
        let panel = (0..<30).map { grid.text(row: $0) }.first { $0.contains(" CORE 37.0 ") } ?? ""
        #expect(!panel.isEmpty && !panel.contains("▲"))
        #expect(panel.contains("FEVER by Thermometer X"))
        let line = StatusLine(StatusSummary(ward.state, patient: nil, provenance: .real, now: ward.now)).text
        #expect(line.hasSuffix("37.0° FEVER 38.6° Thermometer X"))
    }

    @Test("a typed fever beside a sensor's value is marked as typed, and does not colour that value")
    func typedFever() {
        var ward = Ward.live(seconds: 60)
        ward.enter("t", "38.6 mouth")
        ward.obey(.escape)
        ward.stream(seconds: 2, temperature: { _ in 3700 })
        let grid = ward.drawn(100, 30)
        #expect(grid.text(row: 1).contains("FEVER 38.6 °C ≥ 38.3 · manual"))
        let panel = (0..<30).map { grid.text(row: $0) }.first { $0.contains(" CORE 37.0 ") } ?? ""
        #expect(!panel.isEmpty && !panel.contains("▲"))
        let line = StatusLine(StatusSummary(ward.state, patient: nil, provenance: .real, now: ward.now)).text
        #expect(line.hasSuffix("37.0° FEVER 38.6° manual"))
    }

    @Test("an alarm that is over shows its worst value and its end, and no current value")
    func over() {
        var ward = Ward.latched()
        ward.hold([.heartRate: 11_000], seconds: 3)
        let row = line(ward, columns: 100)
        #expect(row.hasPrefix(" ▲▲▲ HR SEVERELY HIGH peak 152 bpm > 140 · over since 13:51 · peak at 13:51"))
        let line = StatusLine(StatusSummary(ward.state, patient: nil, provenance: .real, now: ward.now)).text
        #expect(line.hasSuffix("HR SEVERELY HIGH (over, peak 152)"))
    }

    @Test("a suspected fever is counted beside the value, and is no alarm yet")
    func pending() {
        var ward = Ward.live(seconds: 10)
        ward.stream(seconds: 1, temperature: { _ in 3850 })
        let grid = ward.drawn(100, 30)
        let text = (0..<30).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("≥ 38.3: 1 of 3"))
        #expect(!text.contains("FEVER"))
    }

    @Test("a fever with few neutrophils is a risk of febrile neutropenia at every size, with the count on the line")
    func neutropenia() throws {
        var ward = Ward.fever()
        ward.answer(.setNeutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: 1_772_200_200_000)))
        #expect(line(ward).hasPrefix(" ▲▲▲ FEBRILE NEUTROPENIA RISK 38.8 °C ≥ 38.3 · ANC 450/µL · core"))
        for (columns, rows) in [(20, 4), (30, 6), (45, 20), (60, 16), (80, 24), (200, 60)] {
            let grid = ward.drawn(columns, rows)
            let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
            #expect(
                text.contains("FEBRILE NEUTROPENIA RISK") || text.contains("FEVER, ANC 450"), "\(columns) × \(rows)")
        }
        let alarm = try #require(ward.state.alarms.first)
        #expect(
            AlarmLabels(alarm, scene: Scene(state: ward.state, screen: ward.screen, now: ward.now)).facts.last
                == "possible fever (limit reached)")
    }

    @Test("a sustained fever is only suspected before its hour, and says how many minutes there are")
    func suspectedHour() throws {
        let ward = Ward.feverProgress()
        let alarm = try #require(ward.state.alarms.first { $0.kind == .feverSustained })
        let words = AlarmLabels(alarm, scene: Scene(state: ward.state, screen: ward.screen, now: ward.now))
        #expect(
            words.line(columns: 80, glyphs: .braille).contains(
                "SUSPECTED SUSTAINED FEVER 38.0 °C ≥ 38.0 for 33 of 60 min"))
    }
}
