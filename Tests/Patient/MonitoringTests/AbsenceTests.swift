import Testing
import Vitals

@testable import Monitoring

@Suite("No measurement")
struct AbsenceTests {
    @Test(
        "every reason a sensor gives makes a banner with since-when and the last value",
        arguments: AbsenceReason.allCases)
    func banner(reason: AbsenceReason) throws {
        var ward = Ward()
        ward.measure(.pulseRate, 7000, from: .strap, at: 1)
        ward.measure(.heartRate, 7700, from: .strap, at: 2)
        let alarm =
            switch reason {
            case .offBody, .noContact: "sensor_off pending low"
            case .silent: "silent active low"
            case .linkLost: "link_lost pending low"
            case .equipment: "equipment pending low"
            case .calibrationWanted, .uncalibrated: "calibration_wanted pending low"
            default: "no_measurement pending low"
            }
        ward.miss(.heartRate, reason, from: .strap, at: 3, expecting: [alarm])
        ward.miss(.heartRate, reason, from: .strap, at: 4)
        let banner = try #require(ward.state[.heartRate].banner)
        #expect(banner.absence.reason == reason)
        #expect(banner.absence.since == Ward.moment(3))
        #expect(banner.absence.sensor == .strap)
        #expect(banner.absence.last?.value == VitalValue(whole: 77))
        #expect(banner.absence.last?.moment == Ward.moment(2))
        #expect(!banner.explanation.title.isEmpty)
        let sensorBanner = try #require(ward.state.sensor(address: SensorIdentity.strap.address)?.banner)
        #expect(sensorBanner.vitals == [.heartRate])
        #expect(sensorBanner.absence == banner.absence)
        #expect(ward.state[.pulseRate].banner == nil)
    }

    @Test("another reason has its own start")
    func otherReason() {
        var ward = Ward()
        ward.miss(.oxygenSaturation, .searching, from: .oximeter, at: 1, expecting: ["no_measurement pending medium"])
        ward.miss(.oxygenSaturation, .searching, from: .oximeter, at: 2)
        ward.miss(.oxygenSaturation, .lowPerfusion, from: .oximeter, at: 3)
        #expect(ward.state[.oxygenSaturation].banner?.absence.since == Ward.moment(3))
        #expect(ward.condition(.oxygenSaturation) == "no measurement low_perfusion")
    }

    @Test("lasts since the last value, whatever the reasons were in between")
    func unmeasured() {
        var ward = Ward()
        ward.measure(.heartRate, 7700, from: .strap, at: 2)
        ward.miss(.heartRate, .offBody, from: .strap, at: 3, expecting: ["sensor_off pending medium"])
        ward.miss(.heartRate, .offBody, from: .strap, at: 4)
        #expect(ward.state[.heartRate].banner?.absence.unmeasuredSince == Ward.moment(2))
        ward.miss(.heartRate, .noContact, from: .strap, at: 5)
        #expect(ward.state[.heartRate].banner?.absence.since == Ward.moment(5))
        #expect(ward.state[.heartRate].banner?.absence.unmeasuredSince == Ward.moment(2))
    }

    @Test("of the perfusion index is no alarm, and the index alone is no value to go by")
    func perfusionIndex() {
        var ward = Ward()
        ward.measure(.oxygenSaturation, 9800, from: .oximeter, at: 1)
        ward.measure(.perfusionIndex, 240, from: .oximeter, at: 1)
        ward.miss(.perfusionIndex, .equipment, from: .oximeter, at: 2)
        for second in 3...90 { ward.measure(.oxygenSaturation, 9800, from: .oximeter, at: Double(second)) }
        // Not sent for longer than it takes to be lost.
        ward.measure(.perfusionIndex, 240, from: .oximeter, at: 91)
        for second in 92...180 { ward.measure(.oxygenSaturation, 9800, from: .oximeter, at: Double(second)) }
        #expect(ward.state[.perfusionIndex].condition.isMeasured == false)
        #expect(ward.state.alarms.isEmpty)
        ward.measure(.perfusionIndex, 240, from: .oximeter, at: 181)
        ward.miss(.oxygenSaturation, .searching, from: .oximeter, at: 181, expecting: ["no_measurement pending medium"])
    }

    @Test("one banner of an oximeter covers both of its vitals")
    func oximeter() throws {
        var ward = Ward()
        ward.measure(.oxygenSaturation, 9800, from: .oximeter, at: 1)
        ward.measure(.pulseRate, 7000, from: .oximeter, at: 1)
        ward.measure(.heartRate, 7000, from: .strap, at: 1)
        ward.miss(.oxygenSaturation, .offBody, from: .oximeter, at: 2, expecting: ["sensor_off pending low"])
        ward.miss(.pulseRate, .offBody, from: .oximeter, at: 2)
        let banner = try #require(ward.state.sensor(address: SensorIdentity.oximeter.address)?.banner)
        #expect(banner.vitals == [.oxygenSaturation, .pulseRate])
        #expect(banner.explanation.title == "oximeter is off the finger")
        ward.measure(.heartRate, 7000, from: .strap, at: 6)
        ward.tick(at: 7, expecting: ["sensor_off active low"])
        #expect(ward.state.alarms.first?.text == "Sensor off: oximeter is off the finger · e-Oximeter")
        ward.measure(.oxygenSaturation, 9700, from: .oximeter, at: 8)
        ward.measure(.pulseRate, 7000, from: .oximeter, at: 8, expecting: ["sensor_off ended low"])
        #expect(ward.state.sensor(address: SensorIdentity.oximeter.address)?.banner == nil)
    }

    @Test("a sensor that is refitted before the delay has passed raises no alarm, only a banner")
    func refitted() {
        var ward = Ward()
        ward.measure(.heartRate, 7700, from: .strap, at: 1)
        ward.miss(.heartRate, .noContact, from: .strap, at: 2, expecting: ["sensor_off pending medium"])
        #expect(ward.deadline == 7)
        #expect(ward.state[.heartRate].banner != nil)
        ward.measure(.heartRate, 7700, from: .strap, at: 6.9, expecting: ["sensor_off ended medium"])
        #expect(ward.state[.heartRate].banner == nil)
    }

    @Test("a sensor off is of low priority while another vital is measured, and medium when monitoring has stopped")
    func stopped() {
        var ward = Ward()
        ward.measure(.heartRate, 7700, from: .strap, at: 1)
        ward.measure(.bodyTemperature, 3700, from: .core, at: 1)
        ward.miss(.heartRate, .noContact, from: .strap, at: 2, expecting: ["sensor_off pending low"])
        ward.tick(at: 7, expecting: ["sensor_off active low"])
        ward.miss(
            .bodyTemperature, .notANumber, from: .core, at: 8,
            expecting: [
                "sensor_off pending medium", "sensor_off active medium",
            ])
        #expect(ward.alarms == ["sensor_off active medium", "sensor_off pending medium"])
    }

    @Test(
        "the text fits sensor and reason",
        arguments: [
            (
                AbsenceReason.noContact, SensorKind.heartRateStrap, "sensor reports no skin contact",
                "moisten and refit the strap"
            ),
            (.offBody, .oximeter, "oximeter is off the finger", "put it back on a warm finger"),
            (
                .notANumber, .core, "sensor sends no temperature (off the body?)", "check that it lies flat on the skin"
            ),
            (.linkLost, .core, "link lost", "bring the sensor near; it reconnects by itself"),
        ])
    func text(reason: AbsenceReason, kind: SensorKind, title: String, remedy: String) {
        let explanation = AbsenceExplanation(reason: reason, sensor: kind)
        #expect(explanation.title == title)
        #expect(explanation.remedy == remedy)
    }

    @Test(
        "every reason has a text for every kind of sensor, short and without a full stop",
        arguments: AbsenceReason.allCases)
    func allText(reason: AbsenceReason) {
        for kind in SensorKind.allCases {
            for vital in Vital.allCases {
                let explanation = AbsenceExplanation(reason: reason, sensor: kind, vital: vital)
                for words in [explanation.title, explanation.remedy] {
                    #expect((4...64).contains(words.count), "\(words)")
                    #expect(words.last != ".")
                    #expect(words.first?.isLowercase == true)
                }
            }
        }
    }
}
