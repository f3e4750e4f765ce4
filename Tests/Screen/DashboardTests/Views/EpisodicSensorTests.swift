import Monitoring
import Testing
import VitalDecoders
import Vitals
import Wording

@testable import Dashboard

@Suite("Sensors that measure now and then, and glucose, on the screen")
struct EpisodicSensorTests {
    private func text(_ ward: Ward, _ columns: Int = 120, _ rows: Int = 40) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("a pressure that a cuff handed over has the cuff's name, and the sleeping cuff raises no alarm")
    func pressure() {
        let ward = Ward.episodic()
        let text = text(ward)
        #expect(text.contains("BP 142/88"))
        #expect(text.contains("BM 54"))
        #expect(text.contains(SensorLabels.asleep))
        #expect(!ward.state.alarms.contains { $0.sensor?.address == Ward.cuff.address })
    }

    @Test("while a cuff inflates its pressure is shown, and not for longer")
    func inflating() {
        var ward = Ward.inflating()
        #expect(text(ward).contains("cuff 145 mmHg"))
        ward.hold([:], seconds: 11)
        #expect(!text(ward).contains("cuff 145"))
    }

    @Test("a measurement of which nobody knows when it was made says so, and is not judged")
    func unknownTime() {
        var ward = Ward.live(seconds: 60)
        ward.find(Ward.cuff, signal: -60)
        ward.connect(Ward.cuff)
        ward.handOver(
            .bloodPressure(BloodPressure(systolic: 120, diastolic: 70, pulse: 180)), EntryFacts(isTimeKnown: false))
        #expect(text(ward).contains("time unknown"))
        #expect(ward.state.patientRecord.newest(Vital.heartRate) == nil)
    }

    @Test(
        "glucose has a place of its own as soon as it is measured, and none before",
        arguments: [
            (200, 60), (120, 40), (80, 24), (60, 16), (40, 12),
        ])
    func glucose(columns: Int, rows: Int) {
        #expect(!text(Ward.live(seconds: 60), columns, rows).contains("GLUC"))
        let shown = text(Ward.episodic(), columns, rows)
        #expect(shown.contains("GLUC"), "\(shown)")
        #expect(Ward.episodic().state.shownVitals(at: Ward.episodic().now).count == 4)
    }

    @Test(
        "that glucose is a raw estimate is shown before where it is going, where there is room for words",
        arguments: [
            (200, 60), (160, 50), (130, 40), (120, 40), (100, 30), (80, 24), (80, 16), (60, 16), (60, 40),
        ])
    func estimate(columns: Int, rows: Int) {
        var ward = Ward.episodic()
        for minute in 1...6 {
            ward.measure(Ward.transmitter, .glucose, 10_500 + 600 * minute, quality: .rawEstimate)
            ward.hold([:], seconds: 60)
        }
        ward.measure(Ward.transmitter, .glucose, 14_700, quality: .rawEstimate)
        let shown = text(ward, columns, rows)
        #expect(shown.contains("RAW ESTIMATE"), "\(shown)")
    }

    @Test(
        "that glucose is calibrated is shown with the time, and with the meter's value where there is room for words",
        arguments: [(200, 60), (160, 50), (120, 40), (100, 30), (80, 24), (60, 16)])
    func calibrated(columns: Int, rows: Int) {
        var ward = Ward.episodic()
        let applied = AppliedCalibration(
            glucose: VitalValue(whole: 110), wallMilliseconds: ward.now.wallMilliseconds - 600_000)
        ward.apply(
            .reading(
                Reading(
                    sensor: Ward.transmitter, vital: .glucose, outcome: .measured(VitalValue(whole: 142), .calibrated),
                    moment: ward.now, calibration: applied)))
        let shown = text(ward, columns, rows)
        let clock = TimeText(now: ward.now, timeZoneOffset: 0).dated(applied.wallMilliseconds)
        #expect(shown.contains("CALIBRATED 110 at \(clock)") || shown.contains("CAL \(clock)"), "\(shown)")
        if columns >= 120 { #expect(shown.contains("CALIBRATED 110 at \(clock)"), "\(shown)") }
    }

    @Test("that glucose is a raw estimate is shown where three vitals are side by side", arguments: [80, 90, 100, 120])
    func estimateSideBySide(columns: Int) {
        var ward = Ward()
        for (sensor, vital, value) in [
            (Ward.strap, Vital.heartRate, 7_000), (Ward.oximeter, .oxygenSaturation, 9_700),
            (Ward.transmitter, .glucose, 12_200),
        ] {
            ward.find(sensor, signal: -60)
            ward.connect(sensor)
            ward.measure(sensor, vital, value, quality: vital == .glucose ? .rawEstimate : .good)
        }
        let shown = text(ward, columns, 24)
        #expect(shown.split(separator: "\n").contains { $0.contains("GLUC") && $0.contains("RAW") }, "\(shown)")
    }

    @Test("what a sensor hands over twice is one entry")
    func twice() {
        var ward = Ward.live(seconds: 10)
        ward.find(Ward.cuff, signal: -60)
        ward.connect(Ward.cuff)
        let content = RecordEntry.Content.bloodPressure(BloodPressure(systolic: 120, diastolic: 80))
        let stamp = EntryFacts(deviceTime: DeviceTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5))
        ward.handOver(content, stamp)
        ward.pass(5)
        ward.handOver(content, stamp)
        #expect(ward.state.patientRecord.entries.count == 1)
    }
}
