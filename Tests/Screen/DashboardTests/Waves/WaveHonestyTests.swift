import Appearance
import Base
import Monitoring
import TestSupport
import Testing
import TextGrid
import Vitals
import Waves

@testable import Dashboard

/// A wave and the number beside it are of one sensor and live together.
@Suite("Honesty of waves")
struct WaveHonestyTests {
    /// What happens in a tenth of a second of a random history.
    private func step(_ ward: inout WaveWard, _ plan: inout Plan, _ generator: inout SeededGenerator) {
        ward.ward.now = ward.ward.now.advanced(by: .milliseconds(100))
        if Int.random(in: 0..<60, using: &generator) == 0 { plan = Plan(&generator) }
        plan.tenths += 1
        if plan.tenths.isMultiple(of: 10) {
            ward.ward.apply(.tick)
            if plan.hasNumbers {
                ward.ward.measure(plan.other ? Self.secondStrap : Ward.strap, .heartRate, 7200)
                ward.ward.measure(Ward.oximeter, .oxygenSaturation, 9700)
            } else if plan.isOff {
                ward.ward.miss(Ward.strap, .heartRate, .noContact)
                ward.ward.miss(Ward.oximeter, .oxygenSaturation, .offBody)
            }
        }
        if plan.tenths.isMultiple(of: plan.lump), plan.hasWaves {
            for kind in [WaveKind.electrocardiogram, .plethysmogram] {
                if plan.loses {
                    ward.lose(kind)
                } else {
                    ward.sweeps.take([.block(ward.block(kind))], at: ward.ward.now)
                }
            }
        }
        if !plan.hasWaves { for kind in [WaveKind.electrocardiogram, .plethysmogram] { ward.lose(kind) } }
        if plan.isOff, plan.tenths == 3 {
            ward.sweeps.take([.state(Ward.strap, .electrocardiogram, .off)], at: ward.ward.now)
        }
    }

    private static let secondStrap = SensorIdentity(address: "C0:52:49:00:00:09", name: "HRM 2", kind: .heartRateStrap)

    private struct Plan {
        var hasNumbers, hasWaves, isOff, loses, other: Bool
        var lump: Int
        var tenths = 0

        init(_ generator: inout SeededGenerator) {
            func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
            (hasNumbers, hasWaves) = (!one(in: 4), !one(in: 4))
            (isOff, loses, other) = (one(in: 3), one(in: 6), one(in: 8))
            lump = Int.random(in: 1...10, using: &generator)
        }
    }

    @Test(
        "in random histories of numbers and waves, a drawn wave is new, and the number beside it is live and of its sensor",
        arguments: 0..<8)
    func neverFrozen(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 5)
        var ward = WaveWard()
        ward.ward.connect(Self.secondStrap)
        var plan = Plan(&generator)
        var (drawn, silent) = (0, 0)
        for _ in 0..<600 {
            step(&ward, &plan, &generator)
            ward.prepare(120, 40)
            let (state, now) = (ward.ward.state, ward.ward.now)
            for trace in ward.ward.screen.traces(in: state, size: (120, 40)) {
                let wave = try #require(ward.sweeps.wave(trace.stream))
                let pen = try #require(trace.pen(of: ward.sweeps, at: now))
                drawn += 1
                // The newest sample that is drawn is younger than the delay and a second.
                let newest = try #require(wave.ring.newest(in: .min / 2...trace.sweep.steps(of: pen).upperBound - 1))
                let age = now.monotonic.nanoseconds(since: MonotonicTime(nanoseconds: newest * WaveRing.step))
                #expect(age < 2_500_000_000 && age > 0)
                // The number beside it is live and comes from the same sensor.
                let place = try #require(
                    state.shownVitals(at: now).first { shown in
                        ward.ward.screen.waves.strips[shown.place]?.stream == trace.stream
                    })
                #expect(place.vital.condition.isMeasured)
                #expect(place.vital.condition.lastSample?.sensor.address == trace.stream.address)
                #expect(trace.stream.kind.traits.vitals.contains(place.vital.vital))
                #expect(wave.state == .streaming)
            }
            for kind in [WaveKind.electrocardiogram, .plethysmogram] {
                let stream = WaveStream(WaveWard.sensor(kind).address, kind)
                let last = ward.sweeps.wave(stream)?.ring.known?.upperBound
                guard let last,
                    now.monotonic.nanoseconds(since: MonotonicTime(nanoseconds: last * WaveRing.step)) > 2_500_000_000
                else { continue }
                silent += 1
                #expect(!ward.ward.screen.traces(in: state, size: (120, 40)).contains { $0.stream == stream })
            }
        }
        // The histories have both.
        #expect(drawn + silent > 100)
    }

    @Test("off the body, the strip of the wave is cleared at once for the reason")
    func offBody() {
        var ward = WaveWard.live()
        #expect(ward.drawn(120, 40).cells.contains { $0.style.role == .heartRate })
        #expect(!ward.ward.screen.traces(in: ward.ward.state, size: (120, 40)).isEmpty)
        ward.ward.miss(Ward.strap, .heartRate, .noContact)
        let grid = ward.drawn(120, 40)
        #expect(ward.ward.screen.traces(in: ward.ward.state, size: (120, 40)).map(\.stream.kind) == [.plethysmogram])
        #expect(lines(grid).contains { $0.contains("NO MEASUREMENT") })
    }

    @Test("of two sensors with the same wave, that of the shown number is drawn")
    func twoSensors() {
        var ward = WaveWard.live()
        let other = SensorIdentity(address: "C0:52:49:00:00:09", name: "HRM 2", kind: .heartRateStrap)
        var block = ward.block(.electrocardiogram)
        block.sensor = other
        ward.sweeps.take([.block(block)], at: ward.ward.now)
        _ = ward.drawn(120, 40)
        let shown = ward.ward.screen.traces(in: ward.ward.state, size: (120, 40)).map(\.stream.address)
        #expect(shown == [Ward.strap.address, Ward.oximeter.address])
    }

    @Test("a wave that a key has frozen says so and for how long, and the number beside it goes on")
    func frozen() {
        var ward = WaveWard.live()
        _ = ward.drawn(120, 40)
        ward.press(.character(" "))
        let before = ward.drawn(120, 40)
        ward.stream(halves: 20)
        ward.ward.measure(Ward.strap, .heartRate, 9900)
        let after = ward.drawn(120, 40)
        #expect(lines(after).count { $0.contains("FROZEN 10 s") } == 2)
        #expect(lines(after).contains { $0.contains("99 bpm") })
        let area = ward.ward.screen.traces(in: ward.ward.state, size: (120, 40))[0].area
        for row in area.row..<area.row + area.rows {
            for column in area.column..<area.column + area.columns {
                #expect(before[column, row] == after[column, row])
            }
        }
        ward.press(.character(" "))
        #expect(!lines(ward.drawn(120, 40)).contains { $0.contains("FROZEN") })
    }

    @Test("the welcome card of the first start stands below the waves, which go on", arguments: [(80, 24), (120, 40)])
    func welcome(size: (Int, Int)) {
        var ward = WaveWard.live()
        ward.ward.screen.dialogs.showsWelcome = true
        let grid = ward.drawn(size.0, size.1)
        #expect(lines(grid).contains { $0.contains("not a medical device") })
        let traces = ward.ward.screen.traces(in: ward.ward.state, size: size)
        #expect(traces.count == 2)
        for trace in traces {
            let rows = trace.area.row..<trace.area.row + trace.area.rows
            let columns = trace.area.column..<trace.area.column + trace.area.columns
            let drawn = rows.reduce(0) { sum, row in
                sum
                    + columns.count {
                        grid[$0, row].style.role
                            == (trace.stream.kind == .electrocardiogram ? .heartRate : .oxygenSaturation)
                    }
            }
            #expect(drawn > columns.count / 2)
        }
    }

    @Test("no page, question or help has a wave over it, and the page of one wave leaves every alarm in sight")
    func nothingCovered() throws {
        var ward = WaveWard.live()
        _ = ward.drawn(120, 40)
        for keys in [[Key.character("?")], [.character("l")], [.character("z")], [.character("K")]] {
            var other = ward
            for key in keys { other.press(key) }
            _ = other.drawn(120, 40)
            #expect(other.ward.screen.traces(in: other.ward.state, size: (120, 40)).isEmpty)
        }
        ward.press(.character("W"))
        for size in [(80, 24), (120, 40), (45, 20), (30, 8)] {
            let grid = ward.drawn(size.0, size.1)
            let alarms = ward.ward.screen.layout.alarms
            for trace in ward.ward.screen.traces(in: ward.ward.state, size: size) {
                #expect(trace.area.row >= alarms.row + alarms.rows)
                #expect(trace.area.row + trace.area.rows <= ward.ward.screen.layout.keyBar.row)
            }
            #expect(lines(grid).contains { $0.contains("SILENT") || $0.contains("CORE") })
        }
    }
}
