import TestSupport
import Testing

@testable import Sounds

@Suite("Whether a microphone heard the test tone")
struct ToneDetectorTests {
    private let detector = ToneDetector(frequency: Sound.testFrequency)
    private let silenceLength = Tone.rate * 3 / 5

    private func noise(_ count: Int, _ amplitude: Int, _ random: inout SeededGenerator) -> [Int16] {
        (0..<count).map { _ in Int16(Int.random(in: -amplitude...amplitude, using: &random)) }
    }

    /// The tone as it is recorded: late, softer and in noise.
    private func recorded(divisor: Int, noise amplitude: Int, _ random: inout SeededGenerator) -> [Int16] {
        let tone =
            [Int16](repeating: 0, count: Tone.rate / 7) + Sound.test.samples()
            + [Int16](repeating: 0, count: Tone.rate / 2)
        return zip(tone, noise(tone.count, amplitude, &random)).map { Int16(Int($0) / divisor + Int($1)) }
    }

    @Test("heard, though softly and in noise", arguments: [1, 10, 100])
    func heard(divisor: Int) {
        var random = SeededGenerator(seed: 1)
        let sound = recorded(divisor: divisor, noise: 300, &random)
        guard case .heard(let decibels) = detector.verdict(silence: noise(silenceLength, 300, &random), sound: sound)
        else {
            Issue.record("not heard")
            return
        }
        #expect(decibels >= 10)
    }

    @Test("heard on a line without any noise")
    func line() {
        var random = SeededGenerator(seed: 2)
        let sound = recorded(divisor: 4, noise: 0, &random)
        guard case .heard = detector.verdict(silence: [Int16](repeating: 0, count: silenceLength), sound: sound) else {
            Issue.record("not heard")
            return
        }
    }

    @Test("not heard in noise alone, and not in noise that begins with the tone", arguments: [300, 30_000])
    func noise(amplitude: Int) {
        var random = SeededGenerator(seed: 3)
        let sound = noise(Tone.rate * 8 / 5, amplitude, &random)
        #expect(detector.verdict(silence: noise(silenceLength, 300, &random), sound: sound) == .notHeard)
    }

    @Test("not heard where another tone sounds, or the same one sounded before")
    func other() {
        var random = SeededGenerator(seed: 4)
        let alarm = Sound.alarm(AlarmSound(.high, .oxygen)).samples()
        #expect(detector.verdict(silence: noise(silenceLength, 300, &random), sound: alarm) == .notHeard)
        let tone = recorded(divisor: 10, noise: 100, &random)
        #expect(detector.verdict(silence: Array(tone[(Tone.rate / 4)...]), sound: tone) == .notHeard)
    }

    @Test("not heard in a click")
    func click() {
        var random = SeededGenerator(seed: 5)
        var sound = noise(Tone.rate * 8 / 5, 100, &random)
        for index in 20_000..<20_100 { sound[index] = 30_000 }
        #expect(detector.verdict(silence: noise(silenceLength, 100, &random), sound: sound) == .notHeard)
    }

    @Test("muted where nothing at all is recorded")
    func muted() {
        let zeros = [Int16](repeating: 0, count: Tone.rate)
        #expect(detector.verdict(silence: zeros, sound: zeros) == .muted)
        #expect(detector.verdict(silence: [], sound: []) == .muted)
    }
}
