import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("Next redraw")
struct NextRedrawTests {
    /// How often a story goes on to what is announced; `make fuzz` wants more.
    private static let steps = RandomCases.count("BEDSIDE_STEPS", usually: 5)

    @Test(
        "nothing on the screen changes before the moment that is announced", .computing,
        arguments: RandomCases.share(3, of: Ward.stories.map(\.name)))
    func nothingBefore(name: String) throws {
        var ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        // Columns of half an hour move hardly ever while the story lasts.
        ward.screen.trends.window = .day
        for _ in 0..<Self.steps {
            ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
            let next = nextRedraw(state: ward.state, screen: ward.screen, now: ward.now)
            #expect(next > ward.now)
            let before = ward.drawn(100, 30)
            let distance = next.since(ward.now)
            // Two phases of what flashes, and the last moment before the announced one.
            for limit in [.milliseconds(250), .milliseconds(500), distance] {
                let step = min(distance, limit) - .milliseconds(1)
                var shown = ward
                shown.now = ward.now.advanced(by: step)
                // Trends may move on up to a second late.
                if let frame = ward.screen.trends.frame(glyphs: .braille, now: ward.now), shown.now >= frame.end {
                    break
                }
                var flashed = before
                flashed.flash(at: shown.now, isMotionReduced: ward.state.settings.alarmSignals.isMotionReduced)
                let later = shown.drawn(100, 30)
                // A whole grid in a failure's text would be megabytes.
                let changed =
                    later.cells == flashed.cells
                    ? []
                    : (0..<30).filter { row in
                        (0..<100).contains { later[$0, row] != flashed[$0, row] }
                    }
                #expect(changed.isEmpty, "\(changed.map { "\(flashed.text(row: $0))\n\(later.text(row: $0))" })")
            }
            ward.now = ward.now.advanced(by: distance - .milliseconds(1))
            ward.now = ward.now.advanced(by: .milliseconds(1))
        }
    }

    @Test("only what flashes changes in between, and back again")
    func flashing() {
        let ward = Ward.high()
        let lit = ward.drawn(100, 30)
        let flash = ward.state.nextFlash(after: ward.now)
        #expect(flash?.since(ward.now) == .milliseconds(250))
        var dark = lit
        dark.flash(at: ward.now.advanced(by: .milliseconds(250)), isMotionReduced: false)
        let changed = zip(lit.cells, dark.cells).filter { $0 != $1 }
        #expect(!changed.isEmpty && changed.count < 200)
        #expect(changed.allSatisfy { $0.0.scalar == $0.1.scalar && $0.0.style.role == .alarmHigh })
        dark.flash(at: ward.now, isMotionReduced: false)
        #expect(dark == lit)
        dark.flash(at: ward.now.advanced(by: .milliseconds(250)), isMotionReduced: true)
        #expect(dark == lit)
    }

    @Test("a sensor that sends is not drawn between two values, but when its signal strength gets old and goes")
    func signalOfAConnectedSensor() {
        var ward = Ward.empty()
        ward.screen.trends.window = .day
        // The clock must not move on with it.
        ward.pass(7)
        ward.find(Ward.strap, signal: -60)
        ward.connect(Ward.strap)
        let (heard, interval) = (ward.now, Duration.milliseconds(970))
        var between: [Duration] = []
        for _ in 0..<70 {
            ward.measure(Ward.strap, .heartRate, 7200)
            ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
            let next = nextRedraw(state: ward.state, screen: ward.screen, now: ward.now)
            let isClock = next.wallMilliseconds % 60_000 == 0
            if next.since(ward.now) < interval, !isClock { between.append(next.since(heard)) }
            ward.now = ward.now.advanced(by: interval)
        }
        #expect(between == [SensorState.fadesAfter, SensorState.goesAfter])
    }

    @Test("a screen without sensors is drawn once a minute, on the minute")
    func onlyTheClock() {
        let ward = Ward.empty()
        let next = nextRedraw(state: ward.state, screen: ward.screen, now: ward.now)
        #expect(next.wallMilliseconds % 60_000 == 0)
        #expect(next.since(ward.now) == .seconds(60))
    }
}
