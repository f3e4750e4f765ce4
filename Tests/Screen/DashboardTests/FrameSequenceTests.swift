import Appearance
import Monitoring
import Testing
import TestSupport
import Vitals

@testable import Dashboard

@Suite("One frame after the other")
struct FrameSequenceTests {
    private static let keys: [Key] =
        "?ladsnmrti+-fzeoxc".unicodeScalars.map { .character($0) } + [
            .up, .down, .left, .enter, .escape, .escape, .escape,
        ]

    /// Lets something happen that a frame may show, or nothing but time.
    private func step(_ ward: inout Ward, _ random: inout SeededGenerator) {
        ward.now = ward.now.advanced(by: .milliseconds(Int.random(in: 0...700, using: &random)))
        let sensor =
            [Ward.strap, Ward.oximeter, Ward.core, Ward.thermometer].randomElement(using: &random) ?? Ward.core
        let vital = Vital.allCases.randomElement(using: &random) ?? .heartRate
        let range =
            vital == .heartRate || vital == .pulseRate ? 40...150 : vital == .oxygenSaturation ? 85...100 : 30...41
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<12:
            // Often the same value again.
            ward.measure(sensor, vital, 100 * (range.randomElement(using: &random) ?? 36))
        case 12: ward.miss(sensor, vital, [.noContact, .notANumber].randomElement(using: &random) ?? .noContact)
        case 13: ward.connect(sensor, battery: Int.random(in: 1...100, using: &random))
        case 14: ward.find(sensor, signal: Int.random(in: -95 ... -40, using: &random))
        case 15: ward.apply(.connection(sensor, ConnectionState(phase: .disconnected, reason: .linkLost)))
        case 16: ward.apply(.gone(sensor))
        case 17: ward.pass(Int.random(in: 1...20, using: &random))
        case 18...20:
            let key = Self.keys.randomElement(using: &random) ?? .escape
            if case .monitor(.patient(let action))? = ward.screen.keyPressed(key, in: ward.state, at: ward.now) {
                ward.answer(action)
            }
        case 21: ward.screen.dialogs.message = Bool.random(using: &random) ? "A message" : nil
        case 22: ward.screen.pages.show(nil)
        default: ward.answer(.acknowledgeAll)
        }
    }

    @Test(
        "a frame after others is the same as one that is drawn alone, whatever happens between", .computing,
        arguments: RandomCases.share(4, of: UInt64(0)..<8))
    func sameAsAlone(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (unchanged, unchangedKeys, unchangedLines) = (0, 0, 0)
        for _ in 0..<6 {
            var ward = try #require(Ward.stories.randomElement(using: &random)?.ward)
            var frames = FrameSequence()
            var size = (columns: 100, rows: 30)
            for _ in 0..<60 {
                step(&ward, &random)
                if Int.random(in: 0..<20, using: &random) == 0 {
                    size = [(80, 24), (120, 40), (100, 30), (200, 60), (60, 20)].randomElement(using: &random) ?? size
                }
                ward.screen.prepare(for: ward.state, size: size, at: ward.now)
                let next = frames.drawPrepared(state: ward.state, screen: ward.screen, size: size, now: ward.now)
                let alone = draw(state: ward.state, screen: ward.screen, size: size, now: ward.now)
                let same = frames.last?.unchanged ?? Frame.Unchanged()
                unchanged += same.vitals.count
                unchangedKeys += same.hasKeys ? 1 : 0
                unchangedLines += same.hasLines ? 1 : 0
                // A whole grid in a failure's text would be megabytes.
                guard next == alone else {
                    let rows = (0..<size.rows).filter { next.text(row: $0) != alone.text(row: $0) }
                    Issue.record(
                        "seed \(seed), \(size): \(rows.map { "\(next.text(row: $0))\n\(alone.text(row: $0))" })")
                    return
                }
            }
        }
        // Otherwise the comparison would say nothing.
        #expect(unchanged > 50 && unchangedKeys > 5 && unchangedLines > 5)
    }

    @Test("a value that comes draws its own vital only, while all are calm, and keys and lines stay as they are")
    func onlyItsOwn() {
        var ward = Ward.live()
        var frames = FrameSequence()
        func unchanged(after change: (inout Ward) -> Void) -> Frame.Unchanged? {
            change(&ward)
            ward.screen.prepare(for: ward.state, size: (120, 40), at: ward.now)
            _ = frames.drawPrepared(state: ward.state, screen: ward.screen, size: (120, 40), now: ward.now)
            return frames.last?.unchanged
        }
        func all(but vital: Int? = nil) -> Frame.Unchanged {
            Frame.Unchanged(vitals: (0..<3).filter { $0 != vital }, hasKeys: true, hasLines: true)
        }
        #expect(unchanged { _ in } == Frame.Unchanged())
        #expect(unchanged { _ in } == all())
        #expect(unchanged { $0.measure(Ward.strap, .heartRate, 7900) } == all(but: 0))
        #expect(unchanged { $0.measure(Ward.oximeter, .oxygenSaturation, 9400) } == all(but: 1))
        #expect(unchanged { $0.measure(Ward.core, .bodyTemperature, 3710, site: .core) } == all(but: 2))
        #expect(unchanged { $0.screen.pages.show(.limits) } == Frame.Unchanged())
        #expect(unchanged { $0.screen.pages.show(nil) } == Frame.Unchanged())
        #expect(unchanged { $0.screen.units.temperature = .fahrenheit } == Frame.Unchanged())
    }
}

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
        #expect(!changed.isEmpty && changed.count < lit.cells.count / 5)
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
