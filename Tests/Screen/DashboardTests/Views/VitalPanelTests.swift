import Appearance
import Monitoring
import Status
import Testing
import TextGrid
import VitalDecoders
import Vitals
import Wording

@testable import Dashboard

@Suite("Large vitals")
struct VitalPanelTests {
    private func panel(_ slot: ShownVital.Place, _ ward: Ward) -> VitalPanel {
        VitalPanel(slot, state: ward.state, screen: ward.screen, time: TimeText(now: ward.now, timeZoneOffset: 0))
    }

    @Test("the perfusion index stands beside the saturation of its own oximeter, while both are measured")
    func perfusionIndex() {
        var ward = Ward()
        ward.ready()
        ward.connect(Ward.oximeter)
        ward.measure(Ward.oximeter, .perfusionIndex, 243)
        #expect(!panel(.oxygenSaturation, ward).comments.contains("PI 2.43 %"))
        ward.measure(Ward.oximeter, .oxygenSaturation, 9700)
        #expect(panel(.oxygenSaturation, ward).comments.contains("PI 2.43 %"))
        ward.measure(Ward.oximeter, .perfusionIndex, 240)
        #expect(panel(.oxygenSaturation, ward).comments.contains("PI 2.4 %"))
        #expect(panel(.rate, ward).comments.allSatisfy { !$0.contains("PI") })
        var other = ward
        other.miss(Ward.oximeter, .oxygenSaturation, .offBody)
        #expect(panel(.oxygenSaturation, other).comments.allSatisfy { !$0.contains("PI") })
        other = ward
        for _ in 0..<20 {
            other.pass(1)
            other.measure(Ward.oximeter, .oxygenSaturation, 9700)
        }
        #expect(panel(.oxygenSaturation, other).comments.allSatisfy { !$0.contains("PI") })
        other = Ward()
        other.measure(Ward.strap, .perfusionIndex, 240)
        other.measure(Ward.oximeter, .oxygenSaturation, 9700)
        #expect(panel(.oxygenSaturation, other).comments.allSatisfy { !$0.contains("PI") })
    }

    @Test("without a strap the oximeter's pulse replaces the heart rate, under its own name")
    func pulse() {
        var ward = Ward.empty()
        ward.find(Ward.oximeter, signal: -60)
        ward.connect(Ward.oximeter)
        ward.measure(Ward.oximeter, .pulseRate, 7100)
        let panel = panel(.rate, ward)
        #expect(panel.title == "PULSE RATE")
        #expect(panel.digits == "71")
    }

    @Test("when the strap is off the body its banner stays, and the pulse is shown beside it")
    func offBody() {
        var ward = Ward.live(seconds: 5)
        ward.miss(Ward.strap, .heartRate, .noContact)
        let panel = panel(.rate, ward)
        #expect(panel.digits == "OFF")
        #expect(panel.missing?.isBanner == true)
        #expect(panel.missing?.title == "sensor reports no skin contact")
        #expect(panel.missing?.last == "last 73 bpm at 13:50")
        #expect(panel.comments.contains("pulse 72"))
    }

    @Test("a strap that is lost is not replaced by another one, which is offered by its address and key")
    func substitute() {
        let stranger = SensorIdentity(address: "C0:52:49:00:00:99", name: Ward.strap.name, kind: .heartRateStrap)
        var ward = Ward.live(seconds: 5)
        ward.connect(stranger)
        ward.measure(stranger, .heartRate, 9500)
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost)))
        ward.measure(stranger, .heartRate, 9500)
        let panel = panel(.rate, ward)
        #expect(panel.digits == "LOST")
        #expect(panel.source.hasSuffix(" 00:02"))
        #expect(panel.missing?.remedy.contains("00:99") == true)
        #expect(panel.missing?.remedy.hasSuffix("press v") == true)
    }

    @Test("a temperature is named by its site")
    func site() {
        #expect(panel(.temperature, .live(seconds: 3)).title == "CORE TEMPERATURE")
        var ward = Ward.empty()
        ward.find(Ward.thermometer, signal: -60)
        ward.connect(Ward.thermometer)
        ward.measure(Ward.thermometer, .bodyTemperature, 3690, site: .ear)
        #expect(panel(.temperature, ward).title == "TEMPERATURE, EAR")
    }

    @Test("a stale value stays, marked with a word; a lost one gives way to another word")
    func stale() {
        var ward = Ward.live(seconds: 20)
        ward.pass(4)
        let stale = panel(.oxygenSaturation, ward)
        #expect(stale.isStale)
        #expect(stale.digits == "97")
        #expect(stale.freshness == "STALE, 4 s old")
        #expect(stale.digitStyle.attributes.contains(.dim))
        ward.pass(30)
        let gone = panel(.oxygenSaturation, ward)
        #expect(gone.digits == "SILENT")
        #expect(gone.missing?.isBanner == true)
    }

    @Test("after a reconnect the old value is stale at any age, then gives way to the wait for a new one")
    func reconnected() {
        var ward = Ward.live(seconds: 20)
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        ward.now = ward.now.advanced(by: .milliseconds(500))
        ward.connect(Ward.strap)
        #expect(panel(.rate, ward).freshness == "STALE")
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        ward.pass(60)
        ward.connect(Ward.strap)
        let panel = panel(.rate, ward)
        #expect(panel.digits == "NONE")
        #expect(panel.missing?.title == "connected again, no value yet")
        #expect(panel.missing?.last?.hasPrefix("last ") == true)
    }

    @Test("a sensor that the user disconnected leaves no banner")
    func disconnected() {
        var ward = Ward.live(seconds: 5)
        ward.apply(.connection(Ward.oximeter, ConnectionState(phase: .disconnected, reason: .user)))
        let panel = panel(.oxygenSaturation, ward)
        #expect(panel.digits == "--")
        #expect(panel.missing?.isBanner == false)
    }

    @Test("during fever the number has the alarm's colour, and its field is filled until an answer")
    func feverColour() {
        var ward = Ward.fever()
        #expect(panel(.temperature, ward).digitStyle.role == .alarmHigh)
        #expect(panel(.temperature, ward).isWholeFieldFilled)
        ward.answer(.acknowledgeAll)
        #expect(panel(.temperature, ward).digitStyle == Style(.alarmHigh, .bold))
        #expect(panel(.temperature, .live(seconds: 3)).digitStyle == Style(.temperature, .bold))
    }

    @Test("a saturation whose oximeter sees a weak pulse says so on the screen, in lines and in the status")
    func weakPulse() {
        var ward = Ward()
        ward.ready()
        ward.connect(Ward.oximeter)
        var report = LineReport(
            interval: .zero, context: SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0))
        for second in 0...10 {
            let isSaid = second == 10
            ward.measure(Ward.oximeter, .oxygenSaturation, 9700)
            ward.measure(Ward.oximeter, .perfusionIndex, 20)
            #expect(panel(.oxygenSaturation, ward).warnings == (isSaid ? ["WEAK PULSE"] : []))
            #expect(panel(.oxygenSaturation, ward).shortWarnings == (isSaid ? ["WEAK"] : []))
            report.handle(MonitorEvent(moment: ward.now, kind: .tick), [], ward.state)
            #expect(report.takeLines().contains("WEAK PULSE") == isSaid)
            let summary = StatusSummary(ward.state, patient: nil, provenance: .real, now: ward.now)
            #expect(StatusLine(summary).text.contains("97 (weak pulse)") == isSaid)
            #expect(summary.vitals.filter(\.hasWeakPulse).map(\.vital) == (isSaid ? [.oxygenSaturation] : []))
            ward.pass(1)
        }
    }

    @Test("estimated breathing stands beside the heart rate of its own strap, with its spread, and for ten seconds")
    func breathing() {
        let words = "breathing 16 ± 2, estimate"
        func report(_ ward: inout Ward, _ result: RespirationEstimate.Result, of sensor: SensorIdentity = Ward.strap) {
            let estimate = RespirationEstimate(end: ward.now.monotonic, result: result)
            _ = ward.state.apply(.respiration(RespirationReport(estimate, from: sensor.address), at: ward.now))
        }
        let rate = RespirationEstimate.Result.rate(.init(perMinute: 16, spread: 2, signals: 3))
        var ward = Ward.live(seconds: 5)
        #expect(!panel(.rate, ward).comments.contains(words))
        report(&ward, rate)
        #expect(panel(.rate, ward).comments.contains(words))
        #expect(ward.state.isCoherent && ward.state.alarms.isEmpty)
        var later = ward
        report(&later, .none(.movement))
        #expect(!panel(.rate, later).comments.contains(words))
        later = ward
        later.miss(Ward.strap, .heartRate, .noContact)
        #expect(!panel(.rate, later).comments.contains(words))
        later = ward
        for second in 1...10 {
            later.pass(1)
            later.measure(Ward.strap, .heartRate, 7200)
            #expect(panel(.rate, later).comments.contains(words) == (second < 10))
        }
        later = ward
        later.answer(.newPatient)
        later.measure(Ward.strap, .heartRate, 7200)
        #expect(!panel(.rate, later).comments.contains(words))
        report(&ward, rate, of: Ward.oximeter)
        #expect(!panel(.rate, ward).comments.contains(words))
    }

    @Test("a doubtful value says so")
    func questionable() {
        var ward = Ward.live(seconds: 5)
        ward.measure(Ward.strap, .heartRate, 7200, quality: .questionable)
        #expect(panel(.rate, ward).warnings.first == "POOR SIGNAL")
        ward.measure(Ward.strap, .heartRate, 7200, quality: .malfunction)
        #expect(panel(.rate, ward).warnings.first == "SENSOR FAULT")
    }
}

@Suite("Large numbers of a vital")
struct LargeNumberTests {
    @Test(
        "begin at the left, and another decimal near a limit is in the title only",
        arguments: [(45, 20), (80, 24), (100, 30), (120, 40), (200, 60)])
    func steady(size: (columns: Int, rows: Int)) throws {
        func drawn(_ hundredths: Int) -> Grid {
            var ward = Ward.live(seconds: 5)
            ward.stream(seconds: 5, temperature: { _ in hundredths })
            return ward.drawn(size.columns, size.rows)
        }
        let (usual, near) = (drawn(3820), drawn(3827))
        let layout = ScreenLayout(columns: size.columns, rows: size.rows, glyphs: .braille)
        let area = try #require(layout.places(ofVital: 2, .celsius)).digits
        func text(_ grid: Grid, columns: Int) -> [[Unicode.Scalar]] {
            (area.row..<area.row + area.rows).map { row in
                (area.column..<area.column + columns).map { grid[$0, row].scalar }
            }
        }
        #expect(text(usual, columns: area.columns) == text(near, columns: area.columns))
        #expect((0..<size.rows).contains { near.text(row: $0).contains(" 38.27 °C ") })
        #expect(text(usual, columns: 1).contains { $0 != [" "] } || layout.digits.rows < 3)
    }

    @Test("keep the decimal that is needed, where the number without it were on the other side of a limit")
    func decimals() {
        func large(_ hundredths: Int, _ unit: TemperatureUnit) -> String {
            var ward = Ward.live(seconds: 5)
            ward.screen.units.temperature = unit
            ward.measure(Ward.core, .bodyTemperature, hundredths, site: .core)
            let time = TimeText(now: ward.now, timeZoneOffset: 0)
            return VitalPanel(.temperature, state: ward.state, screen: ward.screen, time: time).largeDigits
        }
        #expect(large(3829, .celsius) == "38.2")
        #expect(large(3830, .celsius) == "38.3")
        // 38.3 °C is 100.94 °F, and 100.9 were below it.
        #expect(large(3830, .fahrenheit) == "100.94")
        #expect(large(3680, .fahrenheit) == "98.2")
    }
}

@Suite("Scales")
struct VitalScaleTests {
    @Test("a scale is fixed while the values fit in")
    func fixed() {
        let spans = [TrendSpan(low: 7200, high: 7300)]
        #expect(VitalScale(.heartRate, unit: .celsius, spans: spans).range == 4000...14_000)
        #expect(VitalScale(.oxygenSaturation, unit: .celsius, spans: [nil]).range == 8500...10_000)
        #expect(VitalScale(.bodyTemperature, unit: .celsius, spans: []).range == 3550...3950)
        #expect(VitalScale(.bodyTemperature, unit: .fahrenheit, spans: []).range == 9600...10_300)
    }

    @Test("a scale widens in whole steps for values outside")
    func widens() {
        let spans = [TrendSpan(low: 6790, high: 7000)]
        #expect(VitalScale(.oxygenSaturation, unit: .celsius, spans: spans).range == 6500...10_000)
        #expect(
            VitalScale(.heartRate, unit: .celsius, spans: [TrendSpan(low: 3900, high: 14_100)]).range == 2000...16_000)
    }

    @Test("a fitted scale holds all values in round steps, and is never finer than noise", arguments: Vital.allCases)
    func fitted(vital: Vital) {
        for unit in [DisplayUnits.celsius, .fahrenheit] {
            let least =
                vital.isTemperature
                ? (unit == .celsius ? 100 : 200)
                : vital == .oxygenSaturation
                    ? 600
                    : vital == .glucose
                        ? 4000 : vital == .perfusionIndex ? 100 : 3000
            for (low, high) in [(9_690, 9_700), (3_690, 3_710), (6_900, 9_100), (0, 0), (-120, 25), (10_000, 10_000)] {
                let range = VitalScale(fitting: [nil, TrendSpan(low: low, high: high)], vital, unit: unit).range
                #expect(range.contains(low) && range.contains(high), "\(vital), \(low)")
                #expect(range.upperBound - range.lowerBound >= least)
                #expect(range.upperBound - range.lowerBound <= max(least, high - low) + 4 * least)
                #expect(range.lowerBound % 50 == 0 && range.upperBound % 50 == 0)
            }
            #expect(
                VitalScale(fitting: [nil], vital, unit: unit).range == VitalScale(vital, unit: unit, spans: []).range)
        }
        let whole = VitalScale(fitting: [TrendSpan(low: 9_900, high: 10_000)], .oxygenSaturation, unit: .celsius)
        #expect(whole.range == 9_400...10_000)
        let heart = VitalScale(fitting: [TrendSpan(low: 6_900, high: 9_100)], .heartRate, unit: .celsius)
        #expect(heart.range == 6_000...10_000)
        #expect(VitalScale.label(3_650) == "36.5" && VitalScale.label(3_700) == "37")
    }

    @Test("a fitted scale is used only where its numbers stand beside the graph, and its key says so")
    func fittedKey() {
        var ward = Ward.live(seconds: 30)
        func scale(_ columns: Int, _ rows: Int) -> String {
            let grid = ward.drawn(columns, rows)
            return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
        }
        #expect(scale(100, 30).contains(" 120 "))
        let small = scale(60, 8)
        ward.press(.character("f"))
        #expect(ward.screen.dialogs.message == "The scales of the trends fit the values.")
        ward.press(.other)
        #expect(!scale(100, 30).contains(" 120 "))
        // A graph of one row has no numbers.
        #expect(scale(60, 8) == small)
        ward.press(.character("f"))
        ward.press(.other)
        #expect(scale(100, 30).contains(" 120 "))
    }

    @Test("absurd values do not trap in a fitted scale")
    func absurdFitted() {
        for vital in Vital.allCases {
            let range = VitalScale(fitting: [TrendSpan(low: .min, high: .max)], vital, unit: .celsius).range
            #expect(range.lowerBound < range.upperBound)
        }
    }

    @Test("absurd values do not trap")
    func absurd() {
        let range = VitalScale(.heartRate, unit: .celsius, spans: [TrendSpan(low: .min, high: .max)]).range
        #expect(range.lowerBound < range.upperBound)
    }
}
