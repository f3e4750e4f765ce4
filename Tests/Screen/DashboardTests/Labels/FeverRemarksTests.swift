import Appearance
import Base
import Monitoring
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("Remarks on fever")
struct FeverRemarksTests {
    private func remarks(
        _ temperatures: [Int], every spacing: Int = 60, site: BodySite? = .mouth,
        screen: ScreenState = ScreenState()
    ) -> [String] {
        var state = MonitorState(start: Moment(monotonicNanoseconds: 0, wallMilliseconds: 0))
        let sensor = SensorIdentity(address: "C0:52:49:00:00:04", name: "CORE 1A2B", kind: .core)
        for (index, hundredths) in temperatures.enumerated() {
            let seconds = Int64(index * spacing)
            let moment = Moment(
                monotonicNanoseconds: seconds * 1_000_000_000, wallMilliseconds: seconds * 1000)
            let reading = Reading(
                sensor: sensor, vital: .bodyTemperature,
                outcome: .measured(VitalValue(hundredths: hundredths), .good), moment: moment, site: site)
            _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        }
        let time = TimeText(now: state.now, timeZoneOffset: 0)
        let remarks = FeverRemarks(state, screen: screen, site: site, time: time)
        return (remarks.approaching + remarks.others).map(\.text)
    }

    @Test("report that nothing can be evaluated yet, until it can")
    func notEvaluated() {
        #expect(remarks([]) == [])
        #expect(remarks(Array(repeating: 3750, count: 13)) == ["1-hour fever rule: 12 of 60 min recorded"])
        #expect(remarks(Array(repeating: 3750, count: 61)) == [])
    }

    @Test("say nothing of that while the temperature is more than half a degree below the rule's limit")
    func farFromTheRule() {
        #expect(remarks(Array(repeating: 3749, count: 13)) == [])
        #expect(remarks(Array(repeating: 3680, count: 13)) == [])
    }

    @Test("show the progress of a rule, in the unit of the screen")
    func progress() {
        #expect(remarks(Array(repeating: 3800, count: 35)) == ["≥ 38.0 for 34 of 60 min"])
        var screen = ScreenState()
        screen.temperatureUnit = .fahrenheit
        #expect(remarks(Array(repeating: 3800, count: 35), screen: screen) == ["≥ 100.4 for 34 of 60 min"])
        #expect(remarks([3840], screen: screen) == ["≥ 100.94: 1 of 3", "1-hour fever rule: 0 of 60 min recorded"])
    }

    @Test("do not mention evaluation beside a fever")
    func fever() {
        #expect(remarks([3850, 3850, 3850], every: 10) == [])
        #expect(remarks(Array(repeating: 3850, count: 61)) == [])
    }

    @Test("say what the site means for the limits while they matter")
    func sites() {
        let note = "CORE estimates core temperature; the guideline speaks of oral"
        #expect(remarks([3850, 3850, 3850], every: 10, site: .core) == [note])
        #expect(remarks(Array(repeating: 3800, count: 5), site: .core) == ["≥ 38.0 for 4 of 60 min", note])
        #expect(remarks(Array(repeating: 3700, count: 61), site: .core) == [])
    }

    @Test("show at every size that fever cannot be evaluated, unless something is more urgent")
    func neverLost() {
        var settings = MonitorSettings()
        settings.fever.sustainedThreshold = VitalValue(hundredths: 3700)
        let ward = Ward.live(settings: settings)
        let texts = FeverRemarks.notEvaluatedTexts(ward.state)
        #expect(
            texts == [
                "1-hour fever rule: 3 of 60 min recorded", "fever rule: 3 of 60 min", "fever rule: 3/60", "3/60 min",
            ])
        for (columns, rows) in GoldenTests.sizes + [(40, 10), (70, 20), (120, 40), (400, 120)] {
            for glyphs in GlyphSet.allCases {
                let grid = ward.drawn(columns, rows, glyphs)
                let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                let isSaid = texts.contains { text.contains($0) }
                #expect(isSaid, "\(columns) x \(rows):\n\(text)")
            }
        }
    }
}
