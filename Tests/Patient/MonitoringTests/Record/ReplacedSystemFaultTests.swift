import Testing
import Vitals

@testable import Monitoring

/// The faults of the companion that Bedside replaces, by their numbers in its review; 9 and 11 are in
/// `ReplacedDecoderFaultTests`, 10, 13 and 16 in `ReplacedSensorFaultTests`, 15 in `ReplacedScreenFaultTests`, 17 is in
/// `MASCCIndexTests`.
@Suite("Faults of the replaced system, each avoided")
struct ReplacedSystemFaultTests {
    private static let day = 86_400.0

    private static func temperature(_ hundredths: Int, at seconds: Double) -> PatientWish {
        .enter(
            RecordEntry(
                .vital(.bodyTemperature, VitalValue(hundredths: hundredths), site: .mouth),
                enteredAt: Ward.moment(seconds)))
    }

    private static func lab(neutrophils: Int, taken: Double, at seconds: Double) -> RecordEntry {
        RecordEntry(
            .lab(
                LabResult([
                    .init(.whiteCells, VitalValue(whole: neutrophils * 2)), .init(.neutrophils, VitalValue(whole: 50)),
                ])), taken: Ward.moment(taken), enteredAt: Ward.moment(seconds))
    }

    @Test("1: a spike two values ago is not missed")
    func spike() {
        var ward = Ward()
        ward.act(Self.temperature(3840, at: 1), at: 1, expecting: ["fever_single active high"])
        ward.act(Self.temperature(3700, at: 600), at: 600)
        ward.act(Self.temperature(3690, at: 900), at: 900)
        #expect(ward.alarms == ["fever_single active high"])
    }

    @Test("2: one lone value of 38.0 °C is no sustained fever")
    func loneValue() {
        var ward = Ward()
        ward.act(Self.temperature(3800, at: 1), at: 1)
        #expect(ward.alarms.isEmpty)
    }

    @Test("3: one noisy dip does not hide an hour of fever")
    func dip() {
        var ward = Ward()
        var words: [String] = []
        for minute in 0...61 {
            words += ward.stream(
                .bodyTemperature, minute == 30 ? 3790 : 3810, from: .core, at: [Double(minute) * 60])
        }
        #expect(words.contains { $0.hasPrefix("fever_sustained active") })
    }

    @Test("4: 38.3 °C is the threshold in both units, exactly", arguments: [(3829, 0), (3830, 1)])
    func threshold(_ hundredths: Int, _ alarms: Int) {
        #expect(VitalValue(hundredths: 3830).fahrenheitHundredths == 10_094)
        var ward = Ward()
        _ = ward.state.apply(Self.temperature(hundredths, at: 1), at: Ward.moment(1))
        #expect(ward.state.alarms.count == alarms)
    }

    @Test("5: a store that fails is an alarm, not the absence of a fever")
    func storeFails() {
        var ward = Ward()
        _ = ward.state.apply(.failed(reason: "I/O error"), at: Ward.moment(1))
        ward.wait(until: 120)
        #expect(ward.state.alarms.contains { $0.kind == .storage })
    }

    @Test("6: a fever without a neutrophil count is announced, and a month-old count is none")
    func countUnknown() {
        var ward = Ward()
        ward.act(Self.temperature(3850, at: 1), at: 1, expecting: ["fever_single active high"])
        #expect(ward.state.feverRisk == .countUnknown)
        let lab = Self.lab(neutrophils: 4000, taken: -6 * Self.day, at: 2)
        ward.act(.enter(lab), at: 2, expecting: ["fever_single active medium"])
        #expect(ward.wait(until: 2 * Self.day).contains("fever_single active high"))
        #expect(ward.state.feverRisk == .countUnknown)
    }

    @Test("7: values of another kind do not announce the same fever again")
    func otherKinds() {
        var ward = Ward()
        ward.act(Self.temperature(3850, at: 1), at: 1, expecting: ["fever_single active high"])
        let contents: [RecordEntry.Content] = [
            .vital(.heartRate, VitalValue(whole: 80), site: nil), .symptom(SymptomRating(.chills, severity: 9)),
            .medication(Medication("paracetamol")), .note("asleep"),
            .lab(LabResult([.init(.haemoglobin, VitalValue(hundredths: 980))])),
        ]
        for (place, content) in contents.enumerated() {
            let second = Double(place + 2)
            ward.act(.enter(RecordEntry(content, enteredAt: Ward.moment(second))), at: second)
        }
        #expect(ward.alarms == ["fever_single active high"])
    }

    @Test("8: a fever is acknowledged, ends with a message, and alerts again while nobody answers")
    func answers() throws {
        var ward = Ward()
        ward.act(Self.temperature(3850, at: 1), at: 1, expecting: ["fever_single active high"])
        ward.wait(until: 1000)
        #expect(ward.sounds.contains { $0.hasPrefix("again fever_single") })
        ward.act(.acknowledgeAll, at: 1001, expecting: ["fever_single acknowledged high"])
        ward.act(Self.temperature(3700, at: 2000), at: 2000)
        ward.act(Self.temperature(3700, at: 4000), at: 4000, expecting: ["fever_single ended high"])
    }

    @Test("12: a measurement by a clock that runs ahead is not dropped")
    func clockAhead() {
        let entry = RecordEntry(
            .weight(VitalValue(whole: 70)), taken: Ward.moment(Self.day), enteredAt: Ward.moment(1))
        var ward = Ward()
        ward.act(.enter(entry), at: 1)
        #expect(ward.state.patientRecord.newest(.weight)?.taken == Ward.moment(1))
    }

    @Test("14: silence and a lost link say so, without any invalid value")
    func silence() {
        var silent = Ward()
        silent.connection(.core, .ready, at: 0)
        silent.stream(.bodyTemperature, 3700, from: .core, at: [0, 10, 20, 30])
        #expect(silent.condition(.bodyTemperature).hasPrefix("measured"))
        #expect(silent.wait(until: 600).contains { $0.hasPrefix("silent active") })
        #expect(!silent.condition(.bodyTemperature).hasPrefix("measured"))
        var lost = Ward()
        lost.connection(.core, .ready, at: 0)
        lost.stream(.bodyTemperature, 3700, from: .core, at: [0, 10, 20])
        _ = lost.state.apply(
            MonitorEvent(moment: Ward.moment(21), kind: .connection(.core, ConnectionState(phase: .waiting))))
        #expect(lost.condition(.bodyTemperature) == "no measurement link_lost last 3700")
    }

    @Test("19: two results of one day are both kept, and what a sensor measured is not called typed")
    func sameDay() {
        var ward = Ward()
        ward.act(.enter(Self.lab(neutrophils: 300, taken: 0, at: 1)), at: 1)
        ward.act(.enter(Self.lab(neutrophils: 200, taken: 0, at: 2)), at: 2)
        ward.act(.enter(RecordEntry(.medication(Medication("paracetamol")), enteredAt: Ward.moment(3))), at: 3)
        ward.act(.enter(RecordEntry(.medication(Medication("paracetamol")), enteredAt: Ward.moment(4))), at: 4)
        let scale = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Scale", kind: .weightScale)
        ward.receive(
            .entry(
                RecordEntry(
                    .weight(VitalValue(whole: 70)), from: .sensor(scale), EntryFacts(), enteredAt: Ward.moment(5))),
            at: 5)
        #expect(ward.state.patientRecord.entries.map(\.source).count { $0 == .typed } == 4)
        #expect(ward.state.patientRecord.newest(.weight)?.sensor == scale)
        #expect(ward.state.neutrophils?.perMicrolitre == 200)
    }

    @Test("21: a fever is announced within the event that brings the temperature, without any wait")
    func atOnce() {
        var ward = Ward()
        let words = ward.stream(.bodyTemperature, 3850, from: .core, at: [0])
        #expect(words.contains { $0.hasPrefix("fever_single active") || $0.hasPrefix("fever_single pending") })
        var typed = Ward()
        typed.act(Self.temperature(3850, at: 1), at: 1, expecting: ["fever_single active high"])
    }

    @Test("20: the record in memory is bounded")
    func bounded() {
        var ward = Ward()
        for second in 1...(PatientRecord.limit + 50) {
            let entry = RecordEntry(.note("\(second)"), enteredAt: Ward.moment(Double(second)))
            _ = ward.state.apply(.enter(entry), at: Ward.moment(Double(second)))
        }
        #expect(ward.state.patientRecord.entries.count == PatientRecord.limit)
        #expect(ward.state.patientRecord.entries.first?.content == .note("51"))
    }
}
