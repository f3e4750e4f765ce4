import Testing
import TestSupport
import Vitals

@testable import Monitoring

@Suite("A weak pulse")
struct PulseStrengthTests {
    /// Streams saturation and perfusion index in hundredths, once a second, the index after the saturation.
    private func stream(
        _ ward: inout Ward, _ perfusion: Int, _ seconds: ClosedRange<Int>, from sensor: SensorIdentity = .oximeter
    ) {
        for second in seconds {
            ward.measure(.oxygenSaturation, 9700, from: .oximeter, at: Double(second))
            ward.measure(.perfusionIndex, perfusion, from: sensor, at: Double(second) + 0.01)
        }
    }

    @Test("is said beside the saturation after ten seconds below 0.3 %, until the index is 0.4 % or more")
    func said() {
        var ward = Ward()
        stream(&ward, 29, 1...10)
        #expect(!ward.state.hasWeakPulse(.oxygenSaturation))
        stream(&ward, 29, 11...11)
        #expect(ward.state.hasWeakPulse(.oxygenSaturation))
        #expect(!ward.state.hasWeakPulse(.pulseRate) && !ward.state.hasWeakPulse(.perfusionIndex))
        stream(&ward, 39, 12...40)
        #expect(ward.state.hasWeakPulse(.oxygenSaturation))
        stream(&ward, 40, 41...41)
        #expect(!ward.state.hasWeakPulse(.oxygenSaturation))
        stream(&ward, 30, 42...80)
        #expect(!ward.state.hasWeakPulse(.oxygenSaturation))
    }

    @Test("is not said of a saturation from another sensor")
    func other() {
        var ward = Ward()
        stream(&ward, 10, 1...30, from: .strap)
        #expect(!ward.state.hasWeakPulse(.oxygenSaturation))
    }

    @Test("is not said after the index was missing, before it has been weak for ten seconds again")
    func interrupted() {
        var ward = Ward()
        stream(&ward, 10, 1...20)
        ward.miss(.perfusionIndex, .searching, from: .oximeter, at: 21)
        #expect(!ward.state.hasWeakPulse(.oxygenSaturation))
        stream(&ward, 10, 22...31)
        #expect(!ward.state.hasWeakPulse(.oxygenSaturation))
        stream(&ward, 10, 32...32)
        #expect(ward.state.hasWeakPulse(.oxygenSaturation))
        ward.act(.newPatient, at: 33)
        #expect(!ward.state.hasWeakPulse(.oxygenSaturation))
    }

    @Test("is an alarm of low priority only where the settings want one, and ends with it")
    func alarm() {
        var settings = MonitorSettings.withoutLimits
        settings.technical.weakPulseDelay = .seconds(60)
        var ward = Ward(settings: settings)
        ward.measure(.perfusionIndex, 20, from: .oximeter, at: 0, expecting: ["weak_pulse pending low"])
        for second in 1..<60 { ward.measure(.perfusionIndex, 25, from: .oximeter, at: Double(second)) }
        ward.measure(.perfusionIndex, 25, from: .oximeter, at: 60, expecting: ["weak_pulse active low"])
        #expect(ward.state.alarms.first?.text == "Weak pulse 0.25 % < 0.3 for 60 s · e-Oximeter")
        ward.measure(.perfusionIndex, 35, from: .oximeter, at: 61)
        #expect(ward.state.alarms.first?.text == "Weak pulse: now 0.35 %, lowest 0.2 < 0.3 · e-Oximeter")
        ward.measure(.perfusionIndex, 40, from: .oximeter, at: 62, expecting: ["weak_pulse ended low"])

        for second in 63..<123 { ward.stream(.perfusionIndex, 20, from: .oximeter, at: [Double(second)]) }
        ward.stream(.perfusionIndex, 20, from: .oximeter, at: [123])
        #expect(ward.alarms == ["weak_pulse active low"])
        settings.technical.weakPulseDelay = nil
        let ended = ward.state.apply(settings: settings, change: nil, at: Ward.moment(124)).compactMap(\.summary)
        #expect(ended == ["weak_pulse ended low"])
        ward.stream(.perfusionIndex, 20, from: .oximeter, at: (125..<300).map(Double.init))
        #expect(ward.alarms.isEmpty)
    }

    @Test("ends as an alarm when the index is missing or the sensor is no longer wanted")
    func alarmEnds() {
        var settings = MonitorSettings.withoutLimits
        settings.technical.weakPulseDelay = .seconds(10)
        var ward = Ward(settings: settings)
        ward.stream(.perfusionIndex, 20, from: .oximeter, at: (0...10).map(Double.init))
        #expect(ward.alarms == ["weak_pulse active low"])
        ward.miss(.perfusionIndex, .searching, from: .oximeter, at: 11, expecting: ["weak_pulse ended low"])
        ward.stream(.perfusionIndex, 20, from: .oximeter, at: (12...22).map(Double.init))
        #expect(ward.alarms == ["weak_pulse active low"])
        ward.connection(.oximeter, .disconnected, .user, at: 23, expecting: ["weak_pulse ended low"])
        ward.connection(.oximeter, .ready, at: 24)
        ward.stream(.perfusionIndex, 20, from: .oximeter, at: (25...35).map(Double.init))
        ward.act(.newPatient, at: 35.5, expecting: ["weak_pulse ended low"])
    }

    @Test("is said exactly when a run of values says so, however values and gaps follow each other")
    func property() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededGenerator(seed: RandomCases.firstSeed + seed)
            var ward = Ward()
            // Tenths of a second, and the index in hundredths; nil where it was missing.
            var history: [(time: Int, value: Int?)] = []
            var time = 0
            var level = 30
            for _ in 0..<60 {
                time += Int.random(in: 5...20, using: &random)
                level = min(max(5, level + Int.random(in: -6...5, using: &random)), 60)
                let value = Int.random(in: 0..<25, using: &random) == 0 ? nil : level
                history.append((time, value))
                let second = Double(time) / 10
                ward.stream(.oxygenSaturation, 9600, from: .oximeter, at: [second])
                if let value {
                    ward.stream(.perfusionIndex, value, from: .oximeter, at: [second])
                } else {
                    ward.miss(.perfusionIndex, .searching, from: .oximeter, at: second)
                }
                #expect(
                    ward.state.hasWeakPulse(.oxygenSaturation) == Self.isWeak(history), "seed \(seed), \(history)")
            }
        }
    }

    /// The rule in other words: some unbroken run of values below 0.3 % spans ten seconds, and since its end no value was
    /// missing or reached 0.4 %.
    private static func isWeak(_ history: [(time: Int, value: Int?)]) -> Bool {
        history.indices.contains { first in
            (first..<history.count).contains { last in
                history[last].time - history[first].time >= 100
                    && history[first...last].allSatisfy { $0.value.map { $0 < 30 } ?? false }
                    && history[last...].allSatisfy { $0.value.map { $0 < 40 } ?? false }
            }
        }
    }
}
