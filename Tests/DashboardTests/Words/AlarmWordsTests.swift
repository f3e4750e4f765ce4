import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("Alarms in words")
struct AlarmWordsTests {
    private func line(_ ward: Ward, columns: Int = 80) -> String {
        ward.drawn(columns, 24).text(row: 1)
    }

    @Test("fever shows value, limit, site and since when")
    func fever() {
        let start = " ▲▲▲ FEVER 38.8 °C ≥ 38.3 · ANC unknown · core · since 13:53"
        #expect(line(.fever()).hasPrefix(start))
        #expect(line(.fever(), columns: 100).hasPrefix("\(start) · CORE 1A2B"))
        #expect(line(.fever(), columns: 100).hasSuffix("[a] acknowledge"))
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

    @Test("a peak that reads like the value is not told")
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

    @Test("without an alarm nobody says that nothing is measured while the oximeter gives a pulse")
    func onlyPulse() {
        var ward = Ward.empty()
        ward.connect(Ward.strap)
        ward.connect(Ward.oximeter)
        ward.miss(Ward.strap, .heartRate, .noContact)
        ward.miss(Ward.oximeter, .oxygenSaturation, .notANumber)
        ward.measure(Ward.oximeter, .pulseRate, 7100)
        #expect(line(ward) == " No alarms · not measured: HR, SpO₂, TEMP")
    }

    @Test("fever that cannot be judged is suspended, and says why")
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

    @Test("a new alarm that has no row is announced on the row of an acknowledged one")
    func newBehindAcknowledged() {
        var ward = Ward.fever()
        _ = ward.state.apply(.acknowledgeAll, at: ward.now)
        ward.stream(seconds: 10, temperature: { _ in 3880 }, strapOff: true)
        let row = ward.drawn(80, 20).text(row: 1)
        #expect(row.contains("FEVER"))
        #expect(row.hasSuffix("+1 new  [a]"))
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
}
