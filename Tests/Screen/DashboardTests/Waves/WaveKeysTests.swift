import Appearance
import Base
import Testing
import Vitals
import Waves

@testable import Dashboard

@Suite("Keys of waves")
struct WaveKeysTests {
    private func contains(_ ward: inout WaveWard, _ text: String) -> Bool {
        lines(ward.drawn(120, 40)).contains { $0.contains(text) }
    }

    @Test("t shows trends where waves are, and the waves again")
    func toggle() {
        var ward = WaveWard.live()
        #expect(contains(&ward, "HR TREND"))
        ward.press(.character("t"))
        #expect(!contains(&ward, "HR TREND") && !contains(&ward, "ECG"))
        ward.press(.character("t"))
        #expect(contains(&ward, "ECG"))
    }

    @Test("without a wave the keys say so, and nothing changes")
    func withoutWaves() {
        var ward = WaveWard()
        _ = ward.drawn(120, 40)
        for (key, message) in [("t", "No sensor sends a wave."), ("X", "No ECG is shown.")] {
            ward.press(.character(Unicode.Scalar(key) ?? " "))
            #expect(ward.ward.screen.dialogs.message == message)
        }
        #expect(!ward.ward.screen.waves.showsTrends)
    }

    @Test("X draws an ECG twice as high, half as high, and as usual, and the bar of a millivolt with it")
    func gain() {
        var ward = WaveWard.live()
        #expect(contains(&ward, "1 mV"))
        ward.press(.character("X"))
        #expect(contains(&ward, "½ mV"))
        ward.press(.character("X"))
        #expect(ward.ward.screen.waves.gain == .half && contains(&ward, "1 mV"))
        ward.press(.character("X"))
        #expect(ward.ward.screen.waves.gain == .usual)
    }

    @Test("W opens one wave, then the next, and then closes the page; arrows go through them")
    func page() {
        var ward = WaveWard.live()
        _ = ward.drawn(120, 40)
        ward.press(.character("W"))
        #expect(contains(&ward, "ECG of Polar H10"))
        ward.press(.right)
        #expect(contains(&ward, "PLETH of e-Oximeter"))
        ward.press(.left)
        #expect(contains(&ward, "ECG of Polar H10"))
        ward.press(.character("W"))
        #expect(contains(&ward, "PLETH of e-Oximeter"))
        ward.press(.character("W"))
        #expect(contains(&ward, "CORE TEMPERATURE"))
    }

    @Test("on frozen waves arrows move two marks, and the time between them is shown, and of an ECG the height")
    func calipers() {
        var ward = WaveWard.live()
        _ = ward.drawn(120, 40)
        ward.press(.character(" "), .left, .left, .left)
        #expect(contains(&ward, "Δ 120 ms"))
        ward.press(.up, .left)
        #expect(contains(&ward, "Δ 80 ms"))
        #expect(contains(&ward, " µV"))
        ward.press(.right, .right, .right)
        #expect(contains(&ward, "Δ 120 ms"))
        ward.press(.escape)
        #expect(!contains(&ward, "Δ"))
    }

    @Test("the distance between two R peaks is that of the beats")
    func measured() throws {
        var ward = WaveWard.live()
        _ = ward.drawn(120, 40)
        let stream = WaveStream(Ward.strap.address, .electrocardiogram)
        let trace = try #require(ward.ward.screen.traces(in: ward.ward.state, size: (120, 40)).first)
        let wave = try #require(ward.sweeps.wave(stream))
        let pen = try #require(trace.pen(of: ward.sweeps, at: ward.ward.now))
        let peaks = trace.sweep.shown(pen: pen).filter { column in
            (wave.ring.span(of: trace.sweep.steps(of: column))?.upperBound ?? 0) > 1000
        }
        // A peak may lie in two columns.
        let first = try #require(peaks.first)
        let next = try #require(peaks.first { $0 > first + 5 })
        let text = WaveCalipers.text([first, next], trace.sweep, of: wave, isASCII: false, dot: " · ")
        #expect(["Δ 800 ms", "Δ 840 ms", "Δ 880 ms"].contains { text.hasPrefix($0) })
    }

    @Test("where there is no wave, the key that freezes freezes the trends")
    func trends() {
        var ward = WaveWard()
        _ = ward.drawn(120, 40)
        ward.press(.character(" "))
        #expect(ward.ward.screen.waves.frozen == nil && ward.ward.screen.trends.past?.isFrozen == true)
    }
}
