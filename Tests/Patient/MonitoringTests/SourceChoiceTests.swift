import Testing
import Vitals

@testable import Monitoring

@Suite("Two sensors for one vital")
struct SourceChoiceTests {
    @Test("the first that delivers is taken, and kept while it delivers")
    func first() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.measure(.heartRate, 8000, from: .otherStrap, at: 1)
        ward.measure(.heartRate, 7100, from: .strap, at: 2)
        ward.measure(.heartRate, 8100, from: .otherStrap, at: 2)
        #expect(ward.state[.heartRate].source == .strap)
        #expect(ward.condition(.heartRate) == "measured 7100")
        #expect(ward.state.sensors.map { $0.condition(of: .heartRate)?.summary } == ["measured 7100", "measured 8100"])
    }

    @Test("when it stops, no other one of its kind takes over by itself, and the other one is offered")
    func held() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.measure(.heartRate, 8000, from: .otherStrap, at: 1)
        #expect(ward.state.substitute(for: .heartRate) == nil)
        ward.miss(.heartRate, .noContact, from: .strap, at: 2, expecting: ["sensor_off pending medium"])
        ward.measure(.heartRate, 8100, from: .otherStrap, at: 3)
        #expect(ward.condition(.heartRate) == "no measurement no_contact last 7000")
        #expect(ward.state[.heartRate].source == .strap)
        #expect(ward.state.substitute(for: .heartRate)?.identity == .otherStrap)
    }

    @Test(
        "a lost link leaves the vital where it is; disconnecting or forgetting its sensor frees it",
        arguments: [true, false])
    func freed(isForgotten: Bool) {
        var ward = Ward()
        for sensor in [SensorIdentity.strap, .otherStrap] { ward.connection(sensor, .ready, at: 0) }
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.measure(.heartRate, 8000, from: .otherStrap, at: 1)
        ward.connection(
            .strap, .waiting, .linkLost, at: 2,
            expecting: ["reading heart_rate link_lost", "link_lost pending medium"])
        ward.measure(.heartRate, 8100, from: .otherStrap, at: 3)
        #expect(ward.condition(.heartRate) == "no measurement link_lost last 7000")
        if isForgotten {
            ward.receive(.forgotten(.strap), at: 4)
        } else {
            ward.connection(.strap, .disconnected, .user, at: 4, expecting: ["link_lost ended medium"])
        }
        #expect(ward.condition(.heartRate) == "measured 8100")
        #expect(ward.state[.heartRate].source == .otherStrap)
    }

    @Test("a stale source gives way to a current one of another kind, and a thermometer on request to any")
    func stale() {
        let other = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Other", kind: .thermometer)
        var ward = Ward()
        ward.measure(.bodyTemperature, 3700, from: .core, at: 1)
        ward.measure(.bodyTemperature, 3650, from: .thermometer, at: 30)
        ward.tick(at: 31)
        #expect(ward.state[.bodyTemperature].source == .thermometer)
        ward.measure(.bodyTemperature, 3660, from: other, at: 50)
        ward.tick(at: 61)
        #expect(ward.state[.bodyTemperature].source == other)
    }

    @Test("a sensor that delivers replaces one that does not, whichever was first")
    func replacement() {
        var ward = Ward()
        ward.miss(.heartRate, .noContact, from: .strap, at: 1, expecting: ["sensor_off pending medium"])
        #expect(ward.state[.heartRate].source == .strap)
        ward.measure(.heartRate, 8000, from: .otherStrap, at: 2)
        #expect(ward.condition(.heartRate) == "measured 8000")
    }

    @Test("a connected sensor's reason goes before the calm of a disconnected one")
    func reasons() {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.miss(.heartRate, .noContact, from: .otherStrap, at: 1, expecting: ["sensor_off pending low"])
        ward.connection(.strap, .disconnected, .user, at: 2)
        #expect(ward.condition(.heartRate) == "no measurement no_contact")
        #expect(ward.state[.heartRate].source == .otherStrap)
    }

    @Test("of several that could take over, the one first seen does, and holds the vital in turn")
    func ties() {
        let third = SensorIdentity(address: "C0:52:49:00:00:09", name: "Third", kind: .heartRateStrap)
        var ward = Ward()
        for sensor in [SensorIdentity.strap, .otherStrap, third] {
            ward.connection(sensor, .ready, at: 0)
            ward.measure(.heartRate, 7000, from: sensor, at: 1)
        }
        ward.connection(.strap, .disconnected, .user, at: 2)
        #expect(ward.state[.heartRate].source == .otherStrap)
        ward.miss(.heartRate, .searching, from: .otherStrap, at: 2, expecting: ["no_measurement pending medium"])
        #expect(ward.state[.heartRate].source == .otherStrap)
        #expect(ward.state.substitute(for: .heartRate)?.identity == third)
    }

    @Test("a sensor that was forgotten and is connected again holds its vital as any other does")
    func forgotten() {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.connection(.strap, .disconnected, .user, at: 2)
        ward.receive(.forgotten(.strap), at: 2)
        ward.connection(.strap, .ready, at: 3)
        ward.measure(.heartRate, 7100, from: .strap, at: 4)
        ward.connection(.otherStrap, .ready, at: 4)
        ward.miss(.heartRate, .searching, from: .strap, at: 5, expecting: ["no_measurement pending medium"])
        ward.measure(.heartRate, 8000, from: .otherStrap, at: 5)
        #expect(ward.state[.heartRate].source == .strap)
    }

    @Test("heart rate and pulse rate, and body and skin temperature, are different vitals")
    func differentVitals() {
        var ward = Ward()
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.measure(.pulseRate, 7200, from: .oximeter, at: 1)
        ward.measure(.bodyTemperature, 3700, from: .core, at: 1)
        ward.measure(.skinTemperature, 3300, from: .core, at: 1)
        #expect(
            Vital.allCases.map(ward.condition) == [
                "measured 7000", "measured 7200", "never seen", "measured 3700", "measured 3300", "never seen",
                "never seen",
            ])
    }

    @Test("the trend follows the source of each moment")
    func trend() {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.measure(.heartRate, 8000, from: .otherStrap, at: 1.5)
        ward.connection(.strap, .disconnected, .user, at: 2)
        ward.measure(.heartRate, 8100, from: .otherStrap, at: 2.5)
        let columns = ward.state[.heartRate].trend.samples(from: Ward.moment(1), to: Ward.moment(3), columns: 2)
        #expect(columns.map { $0?.maximum.hundredths } == [7000, 8100])
    }
}
