import Testing
import Vitals

@testable import Monitoring

@Suite("NEWS2 bands")
struct EarlyWarningBandsTests {
    static let temperatureTable: [(Int, Int)] = [
        (-100, 3), (3400, 3), (3500, 3), (3504, 3), (3505, 1), (3510, 1), (3600, 1), (3604, 1), (3605, 0),
        (3610, 0), (3700, 0),
        (3800, 0), (3804, 0), (3805, 1), (3810, 1), (3900, 1), (3904, 1), (3905, 2), (3910, 2), (4200, 2),
    ]

    static let pulseTable: [(Int, Int)] = [
        (3000, 3), (4000, 3), (4049, 3), (4050, 1), (4100, 1), (5000, 1), (5049, 1), (5050, 0), (5100, 0),
        (9000, 0), (9049, 0),
        (9050, 1), (9100, 1), (11000, 1), (11049, 1), (11050, 2), (11100, 2), (13000, 2), (13049, 2), (13050, 3),
        (13100, 3), (25000, 3),
    ]

    static let oxygenSaturationTable: [(Int, Int, Int, Int)] = [
        (83, 3, 3, 3), (84, 3, 2, 2), (85, 3, 2, 2), (86, 3, 1, 1), (87, 3, 1, 1), (88, 3, 0, 0), (91, 3, 0, 0),
        (92, 2, 0, 0), (93, 2, 0, 1), (94, 1, 0, 1), (95, 1, 0, 2), (96, 0, 0, 2), (97, 0, 0, 3), (100, 0, 0, 3),
    ]

    @Test(
        "of the temperature are found after rounding to a tenth of a degree",
        arguments: temperatureTable)
    func temperature(_ hundredths: Int, _ band: Int) {
        #expect(EarlyWarningBands.band(temperature: VitalValue(hundredths: hundredths)) == band)
    }

    @Test(
        "of the pulse are found after rounding to whole beats",
        arguments: pulseTable)
    func pulse(_ hundredths: Int, _ band: Int) {
        #expect(EarlyWarningBands.band(pulse: VitalValue(hundredths: hundredths)) == band)
    }

    @Test(
        "of the oxygen saturation follow the scale that is set",
        arguments: oxygenSaturationTable)
    func oxygenSaturation(_ percent: Int, _ scale1: Int, _ onAir: Int, _ onOxygen: Int) {
        let value = VitalValue(whole: percent)
        #expect(EarlyWarningBands.band(oxygenSaturation: value, scale: .scale1) == scale1)
        #expect(EarlyWarningBands.band(oxygenSaturation: value, scale: .scale2OnAir) == onAir)
        #expect(EarlyWarningBands.band(oxygenSaturation: value, scale: .scale2OnOxygen) == onOxygen)
    }

    @Test(
        "of the oxygen saturation are found after rounding to whole percents",
        arguments: [(9149, 3), (9150, 2), (9349, 2), (9350, 1), (9549, 1), (9550, 0)])
    func rounding(_ hundredths: Int, _ band: Int) {
        #expect(
            EarlyWarningBands.band(oxygenSaturation: VitalValue(hundredths: hundredths), scale: .scale1) == band)
    }

    @Test("are of what is measured now, with their number, and without a total")
    func measured() {
        var ward = Ward()
        #expect(EarlyWarningBands(ward.state).text() == "NEWS2 Temp – · Pulse – · SpO₂ – — 0 of 7 parameters")
        ward.measure(.bodyTemperature, 3850, from: .core, at: 1, expecting: ["fever_single pending high"])
        ward.measure(.heartRate, 7700, from: .strap, at: 1)
        ward.measure(.oxygenSaturation, 9300, from: .oximeter, at: 1)
        #expect(EarlyWarningBands(ward.state).text() == "NEWS2 Temp 1 · Pulse 0 · SpO₂ 2 — 3 of 7 parameters")
    }

    @Test(
        "of the second scale of oxygen saturation are named as such",
        arguments: [(OxygenSaturationScale.scale2OnAir, 0, "air"), (.scale2OnOxygen, 1, "oxygen")])
    func secondScale(scale: OxygenSaturationScale, band: Int, breathing: String) {
        var settings = MonitorSettings()
        settings.oxygenSaturationScale = scale
        var ward = Ward(settings: settings)
        ward.measure(.oxygenSaturation, 9300, from: .oximeter, at: 1)
        #expect(
            EarlyWarningBands(ward.state).text(dash: "-", none: "-")
                == "NEWS2 Temp - · Pulse - · SpO₂ \(band) - 1 of 7 parameters, SpO₂ scale 2 on \(breathing)")
    }

    @Test("take the pulse from a strap before they take it from an oximeter")
    func pulseSource() {
        var ward = Ward()
        ward.measure(.pulseRate, 4500, from: .oximeter, at: 1)
        #expect(EarlyWarningBands(ward.state).pulse == 1)
        ward.measure(.heartRate, 12000, from: .strap, at: 1)
        #expect(EarlyWarningBands(ward.state).pulse == 2)
        ward.miss(.heartRate, .noContact, from: .strap, at: 1.5, expecting: ["sensor_off pending low"])
        #expect(EarlyWarningBands(ward.state).pulse == 1)
    }

    @Test("are empty for a stale value, a sensor off the body, a doubtful value, or the skin")
    func notMeasured() {
        var ward = Ward()
        ward.measure(.oxygenSaturation, 8000, from: .oximeter, at: 1)
        ward.measure(.skinTemperature, 3400, from: .core, at: 1)
        #expect(EarlyWarningBands(ward.state) == EarlyWarningBands(oxygenSaturation: 3))
        ward.tick(at: 7)
        #expect(EarlyWarningBands(ward.state) == EarlyWarningBands())
        ward.measure(.oxygenSaturation, 8000, from: .oximeter, at: 8)
        ward.miss(.oxygenSaturation, .offBody, from: .oximeter, at: 9, expecting: ["sensor_off pending low"])
        #expect(EarlyWarningBands(ward.state).count == 0)
        let doubtful = Reading(
            sensor: .oximeter, vital: .oxygenSaturation,
            outcome: .measured(VitalValue(whole: 80), .questionable), moment: Ward.moment(10))
        ward.receive(.reading(doubtful), at: 10, expecting: ["sensor_off ended low"])
        #expect(EarlyWarningBands(ward.state).count == 0)
    }

    @Test(
        "of the systolic pressure are those of the score",
        arguments: [
            (90, 3), (91, 2), (100, 2), (101, 1), (110, 1), (111, 0), (219, 0), (220, 3),
        ])
    func pressure(systolic: Int, band: Int) {
        #expect(EarlyWarningBands.band(systolicPressure: systolic) == band)
    }

    @Test("have the newest blood pressure for four hours, and not when it was a mistake")
    func pressureInTime() {
        var ward = Ward()
        let entry = RecordEntry(
            .bloodPressure(BloodPressure(systolic: 95, diastolic: 60)), taken: Ward.moment(1), enteredAt: Ward.moment(2)
        )
        ward.act(.enter(entry), at: 2)
        #expect(EarlyWarningBands(ward.state).text().hasSuffix("SpO₂ – · BP 2 — 1 of 7 parameters"))
        ward.tick(at: 4 * 3600)
        #expect(EarlyWarningBands(ward.state).systolicPressure == 2)
        ward.tick(at: 4 * 3600 + 1)
        #expect(EarlyWarningBands(ward.state).systolicPressure == nil)
    }

    @Test("carry the acknowledgement that the Royal College of Physicians requires")
    func acknowledgement() {
        #expect(
            EarlyWarningBands.acknowledgement == """
                Reproduced from: Royal College of Physicians. National Early Warning Score (NEWS) 2: \
                Standardising the assessment of acute-illness severity in the NHS. Updated report of a working \
                party. London: RCP, 2017.
                """)
    }
}
