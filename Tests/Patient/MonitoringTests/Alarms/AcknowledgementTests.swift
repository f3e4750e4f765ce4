import Testing
import Vitals

@testable import Monitoring

/// Who acknowledges a value has not seen a worse one.
@Suite("Alarms that become worse after they were acknowledged")
struct AcknowledgementTests {
    @Test("a fever acknowledged at 38.4 is heard again at 41.6, as the same episode")
    func fever() throws {
        var ward = Ward()
        ward.stream(.bodyTemperature, 3840, from: .core, at: [1, 2, 3])
        ward.act(.acknowledgeAll, at: 4, expecting: ["fever_single acknowledged high"])
        ward.sounds = []
        let id = try #require(ward.state.alarms.first?.id)
        #expect(ward.stream(.bodyTemperature, 3939, from: .core, at: [5, 6]) == [])
        #expect(ward.sounds.isEmpty)
        #expect(ward.stream(.bodyTemperature, 4160, from: .core, at: [7]) == ["fever_single active high"])
        ward.wait(until: 10)
        #expect(ward.sounds.first?.hasPrefix("high ") == true)
        #expect(ward.state.alarms.first?.id == id)
        // Acknowledged again, it needs another step.
        ward.act(.acknowledgeAll, at: 11, expecting: ["fever_single acknowledged high"])
        #expect(ward.stream(.bodyTemperature, 4200, from: .core, at: [12]) == [])
    }

    @Test(
        "a step of the vital, and not less, ends the acknowledgement of a limit, in the direction that is worse",
        arguments: [
            (Vital.heartRate, 12_500, 14_400, 14_500), (.heartRate, 4900, 3000, 2900),
            (.oxygenSaturation, 8400, 8000, 7900), (.bodyTemperature, 3500, 3401, 3400),
        ])
    func limits(vital: Vital, first: Int, less: Int, step: Int) {
        var settings = MonitorSettings()
        var limits = settings.limits[vital]
        for kind in LimitKind.allCases { limits?[kind].delay = .zero }
        limits?.severeLow.value = nil
        limits?.severeHigh.value = nil
        settings.limits[vital] = limits
        var ward = Ward(settings: settings)
        ward.stream(vital, first, from: .core, at: [1])
        #expect(ward.state.alarms.count == 1)
        _ = ward.state.apply(.acknowledgeAll, at: Ward.moment(2))
        ward.stream(vital, less, from: .core, at: [3])
        #expect(ward.state.alarms.first?.state == .acknowledged)
        ward.stream(vital, step, from: .core, at: [4])
        #expect(ward.state.alarms.first?.state == .active)
        #expect(ward.state.signal.sounding == .medium)
    }

    @Test("what is worse than the worst that was acknowledged counts, not what is worse than the newest value")
    func peak() {
        var ward = Ward()
        ward.stream(.bodyTemperature, 4050, from: .core, at: [1, 2, 3])
        ward.stream(.bodyTemperature, 3850, from: .core, at: [4])
        _ = ward.state.apply(.acknowledgeAll, at: Ward.moment(5))
        #expect(ward.stream(.bodyTemperature, 4050, from: .core, at: [6, 7]) == [])
        #expect(ward.stream(.bodyTemperature, 4150, from: .core, at: [8]) == ["fever_single active high"])
    }
}
