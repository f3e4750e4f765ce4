import Testing
import Vitals

@testable import Monitoring

/// How a fever and the neutrophil count meet.
@Suite("Fever and neutrophils")
struct FeverRiskTests {
    private static let day: Int64 = 86_400_000

    private func count(_ perMicrolitre: Int, daysAgo: Int64 = 0) -> NeutrophilCount {
        NeutrophilCount(
            perMicrolitre: perMicrolitre, sampledAt: Ward.moment(0).wallMilliseconds - daysAgo * Self.day)
    }

    private func febrileWard(_ count: NeutrophilCount?) -> Ward {
        var settings = MonitorSettings.withoutLimits
        settings.fever.neutrophils = count
        var ward = Ward(settings: settings)
        let priority = ward.state.feverRisk.priority.rawValue
        // An old count is also one that is due.
        let isOld = count.map { !$0.isValid(at: Ward.moment(0)) } ?? false
        ward.tick(at: 1, expecting: isOld ? ["lab_due active low"] : [])
        ward.measure(.bodyTemperature, 3850, from: .core, at: 10, expecting: ["fever_single pending \(priority)"])
        ward.measure(.bodyTemperature, 3850, from: .core, at: 20)
        ward.measure(.bodyTemperature, 3850, from: .core, at: 30, expecting: ["fever_single active \(priority)"])
        return ward
    }

    @Test("a fever is as urgent as the count makes it, and says why")
    func weights() {
        let cases: [(NeutrophilCount?, String, String)] = [
            (nil, "fever_single active high", "Fever, neutrophils unknown 38.5 °C ≥ 38.3 · CORE 1A2B"),
            (count(499), "fever_single active high", "Febrile neutropenia risk 38.5 °C ≥ 38.3 · CORE 1A2B"),
            (count(100), "fever_single active high", "Febrile neutropenia risk 38.5 °C ≥ 38.3 · CORE 1A2B"),
            (count(99), "fever_single active high", "Febrile neutropenia risk 38.5 °C ≥ 38.3 · CORE 1A2B"),
            (count(500), "fever_single active medium", "Fever 38.5 °C ≥ 38.3 · CORE 1A2B"),
            (
                count(500, daysAgo: 8), "fever_single active high",
                "Fever, neutrophils unknown 38.5 °C ≥ 38.3 · CORE 1A2B"
            ),
        ]
        for (count, alarm, text) in cases {
            let ward = febrileWard(count)
            #expect(ward.alarms.filter { $0.hasPrefix("fever") } == [alarm])
            #expect(ward.state.alarms.first?.text == text)
        }
    }

    @Test("a count that is entered during a fever changes its weight at once, and withdrawing it does too")
    func entered() {
        var ward = febrileWard(nil)
        ward.act(.setNeutrophils(count(4000)), at: 31, expecting: ["fever_single active medium"])
        #expect(ward.state.alarms.first?.text == "Fever 38.5 °C ≥ 38.3 · CORE 1A2B")
        ward.act(.setNeutrophils(count(50)), at: 32, expecting: ["fever_single active high"])
        #expect(ward.state.alarms.first?.feverRisk == .febrileNeutropenia)
        ward.act(.setNeutrophils(nil), at: 33)
        #expect(ward.state.alarms.first?.text == "Fever, neutrophils unknown 38.5 °C ≥ 38.3 · CORE 1A2B")
        #expect(ward.state.neutrophils == nil)
    }

    @Test("a count that grows old during a fever makes it urgent by itself")
    func expired() {
        var settings = MonitorSettings.withoutLimits
        settings.fever.neutrophils = NeutrophilCount(
            perMicrolitre: 600, sampledAt: Ward.moment(35).wallMilliseconds - 7 * Self.day)
        var ward = Ward(settings: settings)
        ward.measure(.bodyTemperature, 3850, from: .thermometer, at: 1, expecting: ["fever_single active medium"])
        ward.measure(.bodyTemperature, 3850, from: .thermometer, at: 35)
        #expect(ward.deadline.map { $0 <= 35.001 } == true)
        ward.tick(at: 35.001, expecting: ["fever_single active high"])
    }

    @Test("a count that is entered while a fever is suspended weighs it all the same")
    func suspended() {
        var ward = febrileWard(nil)
        ward.miss(
            .bodyTemperature, .notANumber, from: .core, at: 40,
            expecting: ["fever_single suspended high", "sensor_off pending medium"])
        ward.act(.setNeutrophils(count(4000)), at: 41, expecting: ["fever_single suspended medium"])
        ward.measure(
            .bodyTemperature, 3850, from: .core, at: 42,
            expecting: ["sensor_off ended medium", "fever_single active medium"])
    }

    @Test("an hour of 38.0 is a fever of its own, with its progress before it")
    func sustained() {
        var settings = MonitorSettings.withoutLimits
        settings.fever.neutrophils = count(4000)
        var ward = Ward(settings: settings)
        for minute in 0..<60 {
            let isFirst = minute == 1
            ward.measure(
                .bodyTemperature, 3800, from: .core, at: Double(minute) * 60,
                expecting: isFirst ? ["fever_sustained pending medium"] : [])
        }
        #expect(ward.state.feverProgress == .warm(minutes: 59, of: 60))
        #expect(
            ward.state.alarms.first?.text == "Suspected sustained fever 38.0 °C ≥ 38.0 for 59 of 60 min · CORE 1A2B")
        ward.measure(
            .bodyTemperature, 3800, from: .core, at: 3600, expecting: ["fever_sustained active medium"])
        #expect(ward.state.feverProgress == nil)
        #expect(ward.state.alarms.first?.text == "Sustained fever 38.0 °C ≥ 38.0 for 60 min · CORE 1A2B")
    }

    @Test("the rule of NeutroFeverGuard raises one kind of alarm, which it forgets with the next cool reading")
    func neutroFeverGuard() {
        var settings = MonitorSettings.withoutLimits
        settings.fever.rule = .neutroFeverGuard
        var ward = Ward(settings: settings)
        ward.measure(.bodyTemperature, 3800, from: .core, at: 1, expecting: ["fever_single active high"])
        #expect(ward.state.alarms.first?.text == "Fever, neutrophils unknown 38.0 °C ≥ 38.0 · CORE 1A2B")
        #expect(
            ward.state.alarms.first?.feverRule?.text(for: .feverSingle) == "possible fever (NeutroFeverGuard rule)")
        ward.measure(.bodyTemperature, 3900, from: .core, at: 10)
        #expect(ward.state.alarms.first?.limit == VitalValue(hundredths: 3833))
        ward.measure(.bodyTemperature, 3799, from: .core, at: 20, expecting: ["fever_single ended high"])
        #expect(ward.state.feverProgress == nil)
    }
}
