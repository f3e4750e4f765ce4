import Testing
import Vitals

@testable import Monitoring

@Suite("What is entered by hand")
struct RecordEntryTests {
    private static func entry(
        _ content: RecordEntry.Content, at seconds: Double, taken: Double? = nil
    ) -> RecordEntry {
        RecordEntry(content, taken: taken.map { Ward.moment($0) }, enteredAt: Ward.moment(seconds))
    }

    private static func temperature(_ hundredths: Int, at seconds: Double, taken: Double? = nil) -> RecordEntry {
        entry(
            .vital(.bodyTemperature, VitalValue(hundredths: hundredths), site: .mouth), at: seconds, taken: taken)
    }

    private static func rate(_ value: Int, at seconds: Double) -> RecordEntry {
        entry(.vital(.heartRate, VitalValue(whole: value), site: nil), at: seconds)
    }

    @Test("is sent to the store once, and logged")
    func reported() {
        var ward = Ward()
        let entry = Self.temperature(3700, at: 1)
        let effects = ward.state.apply(.enter(entry), at: Ward.moment(1))
        #expect(effects.first == .entry(entry))
        #expect(effects.count == 2)
        guard case .action(let record) = effects.last else {
            Issue.record("it is not logged")
            return
        }
        #expect(record.kind.text == "entered by hand: body temperature 37.0 °C, mouth")
        #expect(ward.state.apply(.enter(entry), at: Ward.moment(2)).isEmpty)
        #expect(ward.state.patientRecord.entries == [entry])
    }

    @Test("a fever counts alone, at once, and weighs by the neutrophil count")
    func fever() {
        var ward = Ward()
        ward.act(.enter(Self.temperature(3829, at: 1)), at: 1)
        ward.act(.enter(Self.temperature(3830, at: 2)), at: 2, expecting: ["fever_single active high"])
        #expect(ward.state.alarms.first?.text == "Fever, neutrophils unknown 38.3 °C ≥ 38.3 · mouth · manual")
        let count = NeutrophilCount(perMicrolitre: 900, sampledAt: Ward.moment(0).wallMilliseconds)
        ward.act(.enter(Self.entry(.neutrophils(count), at: 3)), at: 3, expecting: ["fever_single active medium"])
        #expect(ward.state.neutrophils == count)
    }

    @Test("typed fast is no stream: each counts alone")
    func fast() {
        var ward = Ward()
        for second in 1...5 { ward.act(.enter(Self.temperature(3700, at: Double(second))), at: Double(second)) }
        ward.act(.enter(Self.temperature(3850, at: 6)), at: 6, expecting: ["fever_single active high"])
    }

    @Test("a fever ends after two cool ones half an hour apart, or by the user's word, which stands")
    func feverEnds() throws {
        var ward = Ward()
        ward.act(.enter(Self.temperature(3850, at: 1)), at: 1, expecting: ["fever_single active high"])
        ward.act(.enter(Self.temperature(3700, at: 3600)), at: 3600)
        ward.act(.enter(Self.temperature(3690, at: 5500)), at: 5500, expecting: ["fever_single ended high"])

        ward.act(.enter(Self.temperature(3850, at: 6000)), at: 6000, expecting: ["fever_single active high"])
        let id = try #require(ward.state.alarms.first?.id)
        ward.act(.clear(id), at: 6001, expecting: ["fever_single ended high"])
        ward.act(.enter(Self.temperature(3700, at: 6060)), at: 6060)
        ward.act(.enter(Self.temperature(3840, at: 7000)), at: 7000, expecting: ["fever_single active high"])
    }

    @Test("a late entry counts at its own time")
    func late() {
        var ward = Ward()
        ward.act(.enter(Self.temperature(3700, at: 3600)), at: 3600)
        ward.act(
            .enter(Self.temperature(3900, at: 3700, taken: 1000)), at: 3700, expecting: ["fever_single active high"])
        #expect(ward.state.patientRecord.newest(.bodyTemperature)?.value == VitalValue(hundredths: 3700))
        // Cool for long enough by now.
        ward.act(.enter(Self.temperature(3700, at: 5500)), at: 5500, expecting: ["fever_single ended high"])
    }

    @Test("outside of the limits raises an alarm without a delay, which the next one within them ends")
    func limits() {
        var ward = Ward(settings: MonitorSettings())
        ward.act(.enter(Self.rate(130, at: 1)), at: 1, expecting: ["high active medium"])
        #expect(ward.state.alarms.first?.text == "HR 130 > 120 · manual")
        // At the limit it is within; a hysteresis is for what flutters.
        ward.act(.enter(Self.rate(120, at: 60)), at: 60, expecting: ["high ended medium"])
        let low = Self.entry(.vital(.oxygenSaturation, VitalValue(whole: 80), site: nil), at: 70)
        ward.act(.enter(low), at: 70, expecting: ["severe_low active high", "low active medium"])
    }

    @Test("a sensor's measurement without a usable value begins and ends no alarm, and hides no value")
    func noMeasurement() {
        for reason in AbsenceReason.allCases where reason.beyondRange == nil {
            var ward = Ward(settings: MonitorSettings())
            ward.hand(.noMeasurement(.glucose, reason), at: 1)
            let high = RecordEntry.Content.vital(.glucose, VitalValue(whole: 300), site: .finger)
            ward.hand(high, at: 2, expecting: ["severe_high active high", "high active medium"])
            ward.hand(.noMeasurement(.glucose, reason), at: 3)
            #expect(ward.state.patientRecord.newest(.glucose)?.value == VitalValue(whole: 300))
            #expect(ward.state.patientRecord.entries.count == 3)
            ward.hand(
                .vital(.glucose, VitalValue(whole: 100), site: .finger), at: 4,
                expecting: ["severe_high ended high", "high ended medium"])
        }
    }

    @Test("an alarm of what a sensor handed over has that sensor's name, at its end that of the worst value")
    func namesOfSensors() throws {
        let cuff = SensorIdentity(address: "C0:52:49:00:00:0C", name: "Cuff", kind: .bloodPressure)
        let meter = SensorIdentity(address: "C0:52:49:00:00:0B", name: "Meter", kind: .glucose)
        let cases: [(RecordEntry.Content, RecordEntry.Content, SensorIdentity)] = [
            (
                .vital(.glucose, VitalValue(whole: 300), site: .finger),
                .vital(.glucose, VitalValue(whole: 100), site: nil), meter
            ),
            (.noMeasurement(.glucose, .aboveRange), .vital(.glucose, VitalValue(whole: 100), site: nil), meter),
            (.noMeasurement(.glucose, .belowRange), .vital(.glucose, VitalValue(whole: 100), site: nil), meter),
            (
                .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, pulse: 150)),
                .vital(.heartRate, VitalValue(whole: 70), site: nil), cuff
            ),
        ]
        for (content, end, sensor) in cases {
            var ward = Ward(settings: MonitorSettings())
            let entry = RecordEntry(content, from: .sensor(sensor), EntryFacts(sequence: 1), enteredAt: Ward.moment(1))
            _ = ward.state.apply(.enter(entry), at: Ward.moment(1))
            #expect(!ward.state.alarms.isEmpty)
            for alarm in ward.state.alarms {
                #expect(alarm.sensor == sensor && alarm.isOfEntry)
                #expect(alarm.text.hasSuffix("· \(sensor.name)"), "\(alarm.text)")
            }
            // What is typed ends it; it was the sensor's.
            let effects = ward.state.apply(.enter(Self.entry(end, at: 2)), at: Ward.moment(2))
            let over = effects.compactMap { if case .alarm(let alarm, _) = $0 { alarm } else { nil } }
            #expect(
                !over.isEmpty && over.allSatisfy { $0.phase == .ended && $0.sensor == sensor }, "\(over.map(\.text))")
        }

        // A lower value that is typed is the newest; the worst one stays the meter's.
        var ward = Ward(settings: MonitorSettings())
        ward.hand(
            .vital(.glucose, VitalValue(whole: 300), site: nil), at: 1,
            expecting: ["severe_high active high", "high active medium"])
        ward.act(.enter(Self.entry(.vital(.glucose, VitalValue(whole: 260), site: nil), at: 2)), at: 2)
        #expect(ward.state.alarms.allSatisfy { $0.sensor == .manual })
        let effects = ward.state.apply(
            .enter(Self.entry(.vital(.glucose, VitalValue(whole: 100), site: nil), at: 3)), at: Ward.moment(3))
        let over = effects.compactMap { if case .alarm(let alarm, _) = $0 { alarm } else { nil } }
        #expect(over.map { $0.sensor?.name } == ["Meter", "Meter"])
    }

    @Test(
        "what lies beyond a meter's range alarms like the severest limit of that side, and ends none of the other")
    func beyondRange() {
        let sides: [(AbsenceReason, value: Int, alarm: String, kinds: [String])] = [
            (.aboveRange, 300, "Glucose HI > 250", ["severe_high", "high"]),
            (.belowRange, 45, "Glucose LO < 50", ["severe_low", "low"]),
            (.above400, 300, "Glucose > 400 mg/dL > 250", ["severe_high", "high"]),
            (.below40, 45, "Glucose < 40 mg/dL < 50", ["severe_low", "low"]),
        ]
        for (reason, value, text, kinds) in sides {
            func state(_ state: String) -> [String] {
                ["\(kinds[0]) \(state) high", "\(kinds[1]) \(state) medium"]
            }
            var ward = Ward(settings: MonitorSettings())
            ward.hand(.noMeasurement(.glucose, reason), at: 1, expecting: state("active"))
            #expect(ward.state.alarms.first?.text.hasPrefix(text) == true)
            #expect(ward.state.alarms.first?.value == nil)
            // A value of the other side, too, is not the end of what nobody has refuted.
            ward.hand(.noMeasurement(.glucose, .equipment), at: 2)
            #expect(ward.state.patientRecord.newestBeyondRange(.glucose)?.absence == reason)
            ward.hand(.vital(.glucose, VitalValue(whole: 100), site: nil), at: 3, expecting: state("ended"))

            // After a number it is worse, so that an answer to that number does not stand.
            ward = Ward(settings: MonitorSettings())
            ward.hand(.vital(.glucose, VitalValue(whole: value), site: nil), at: 1, expecting: state("active"))
            for alarm in ward.state.alarms { _ = ward.state.apply(.acknowledge(alarm.id), at: Ward.moment(2)) }
            ward.hand(.noMeasurement(.glucose, reason), at: 3, expecting: state("active"))
            for alarm in ward.state.alarms { _ = ward.state.apply(.acknowledge(alarm.id), at: Ward.moment(4)) }
            ward.hand(.noMeasurement(.glucose, reason), at: 5)
            let other: AbsenceReason = reason.beyondRange == .above ? .belowRange : .aboveRange
            let before = ward.state.alarms.count
            _ = ward.state.apply(.enter(Ward.handedOver(.noMeasurement(.glucose, other), at: 6)), at: Ward.moment(6))
            #expect(ward.state.alarms.count == before + 2)
        }
    }

    @Test("what lies beyond a meter's range at an unknown time is listed and not judged, and expires like a value")
    func beyondRangeUnjudged() {
        var ward = Ward(settings: MonitorSettings())
        ward.hand(.noMeasurement(.glucose, .aboveRange), at: 1, isTimeKnown: false)
        #expect(ward.state.patientRecord.entries.count == 1)
        ward.hand(
            .noMeasurement(.glucose, .aboveRange), at: 2, expecting: ["severe_high active high", "high active medium"])
        #expect(ward.wait(until: 4 * 3600) == [])
        #expect(ward.wait(until: 4 * 3600 + 3) == ["severe_high ended high", "high ended medium"])
    }

    @Test("an alarm of a value ends when the value is too old to say anything")
    func old() {
        var ward = Ward(settings: MonitorSettings())
        ward.act(.enter(Self.rate(130, at: 1)), at: 1, expecting: ["high active medium"])
        #expect(ward.wait(until: 3600) == [])
        #expect(ward.wait(until: 3602) == ["high ended medium"])
        // Entered long after it was measured it is history at once.
        let late = RecordEntry(
            .vital(.heartRate, VitalValue(whole: 30), site: nil), taken: Ward.moment(4000), enteredAt: Ward.moment(9000)
        )
        ward.act(.enter(late), at: 9000)
    }

    @Test("changed limits evaluate it again")
    func changedLimits() {
        var ward = Ward(settings: MonitorSettings())
        ward.act(.enter(Self.rate(110, at: 1)), at: 1)
        let limit = AlarmLimit(VitalValue(whole: 100), .medium)
        ward.act(.setLimit(.heartRate, .high, limit), at: 2, expecting: ["high active medium"])
        ward.act(.resetLimits, at: 3, expecting: ["high ended medium"])
    }

    @Test("the pulse of a blood pressure is a heart rate, and the pressure itself raises no alarm")
    func pressure() {
        var ward = Ward(settings: MonitorSettings())
        let pressure = BloodPressure(systolic: 250, diastolic: 140, pulse: 135)
        ward.act(.enter(Self.entry(.bloodPressure(pressure), at: 1)), at: 1, expecting: ["high active medium"])
        #expect(ward.state.patientRecord.newest(.heartRate)?.value == VitalValue(whole: 135))
        #expect(ward.state.patientRecord.newest(.bloodPressure)?.text == "blood pressure 250/140 mmHg, pulse 135")
    }

    @Test("never replaces a sensor, nor ends or suspends its alarms")
    func besideSensor() {
        var ward = Ward(settings: MonitorSettings())
        ward.connection(.strap, .ready, at: 0)
        ward.measure(.heartRate, 13000, from: .strap, at: 1, expecting: ["high active medium"])
        ward.act(.enter(Self.rate(80, at: 2)), at: 2)
        #expect(ward.condition(.heartRate) == "measured 13000")
        #expect(ward.alarms == ["high active medium"])
        #expect(ward.state[.heartRate].source == .strap)
    }

    @Test("taken back stays known as a mistake, what it raised ends and does not latch, the one before holds again")
    func retracted() {
        var ward = Ward()
        let (right, wrong) = (Self.temperature(3700, at: 1), Self.temperature(3950, at: 60))
        ward.act(.enter(right), at: 1)
        ward.act(.enter(wrong), at: 60, expecting: ["fever_single active high"])
        ward.act(.retract(wrong.id), at: 61, expecting: ["fever_single ended high"])
        #expect(ward.state.latchedAlarms.isEmpty)
        #expect(ward.state.patientRecord.entries.map(\.isRetracted) == [false, true])
        #expect(ward.state.patientRecord.newest(.bodyTemperature)?.value == VitalValue(hundredths: 3700))
        #expect(ward.state.apply(.retract(wrong.id), at: Ward.moment(62)).isEmpty)
        #expect(ward.actions.suffix(2) == ["user entered", "user entry_retracted"])
    }

    @Test("a retracted neutrophil count restores the one before, or none")
    func retractedCount() {
        var ward = Ward()
        func count(_ number: Int) -> NeutrophilCount {
            NeutrophilCount(perMicrolitre: number, sampledAt: Ward.moment(0).wallMilliseconds)
        }
        let (first, second) = (
            Self.entry(.neutrophils(count(450)), at: 1), Self.entry(.neutrophils(count(4500)), at: 2)
        )
        ward.act(.enter(first), at: 1)
        ward.act(.enter(second), at: 2)
        ward.act(.retract(second.id), at: 3)
        #expect(ward.state.neutrophils == count(450))
        ward.act(.retract(first.id), at: 4)
        #expect(ward.state.neutrophils == nil)
    }

    @Test("of an earlier run is restored with its age, and alerts again while it is valid")
    func restored() {
        var ward = Ward(settings: MonitorSettings())
        func earlier(_ content: RecordEntry.Content, secondsAgo: Int64) -> RecordEntry {
            // Of another start of the computer: its monotonic clock does not compare.
            let moment = Moment(
                monotonicNanoseconds: 9, wallMilliseconds: Ward.moment(0).wallMilliseconds - secondsAgo * 1000)
            return RecordEntry(content, enteredAt: moment)
        }
        let fever = RecordEntry.Content.vital(.bodyTemperature, VitalValue(hundredths: 3900), site: nil)
        let effects = ward.state.restore(
            [
                earlier(.vital(.heartRate, VitalValue(whole: 130), site: nil), secondsAgo: 3000),
                earlier(fever, secondsAgo: 20_000),
                earlier(.vital(.glucose, VitalValue(whole: 100), site: nil), secondsAgo: 200_000),
                earlier(.note("of a fortnight ago"), secondsAgo: 14 * 86_400),
                earlier(.note("of a month ago"), secondsAgo: 30 * 86_400),
                earlier(.note("later"), secondsAgo: -60),
            ], at: Ward.moment(0))
        #expect(effects.compactMap(\.summary) == ["high active medium"])
        #expect(ward.state.patientRecord.entries.map(\.kind) == [.note, .bodyTemperature, .heartRate])
        #expect(ward.state.patientRecord.newest(.heartRate).map { Ward.seconds($0.moment) } == -3000)
        // A fever of five hours ago is history, also for the next one.
        ward.act(.enter(Self.temperature(3700, at: 5)), at: 5)
    }

    @Test("another patient has none of it")
    func newPatient() {
        var ward = Ward()
        ward.act(.enter(Self.temperature(3900, at: 1)), at: 1, expecting: ["fever_single active high"])
        ward.act(.newPatient, at: 2, expecting: ["fever_single ended high"])
        #expect(ward.state.patientRecord.entries.isEmpty)
        ward.act(.enter(Self.temperature(3700, at: 3)), at: 3)
    }

    @Test("a note is harmless and bounded, and of many entries the newest are kept")
    func bounds() {
        let note = Self.entry(.note("a\u{1B}[2J" + String(repeating: "x", count: 500)), at: 1)
        guard case .note(let text) = note.content else { return }
        #expect(text.unicodeScalars.count == RecordEntry.noteLimit + 1)
        #expect(!text.unicodeScalars.contains("\u{1B}"))
        var ward = Ward()
        for second in 0..<(PatientRecord.limit + 20) {
            _ = ward.state.apply(.enter(Self.rate(70, at: Double(second))), at: Ward.moment(Double(second)))
        }
        #expect(ward.state.patientRecord.entries.count == PatientRecord.limit)
        #expect(ward.state.patientRecord.entries.first?.enteredAt == Ward.moment(20))
    }
}

extension Ward {
    /// What a meter hands over.
    fileprivate static func handedOver(
        _ content: RecordEntry.Content, at seconds: Double, isTimeKnown: Bool = true
    ) -> RecordEntry {
        let meter = SensorIdentity(address: "C0:52:49:00:00:0B", name: "Meter", kind: .glucose)
        return RecordEntry(
            content, from: .sensor(meter), EntryFacts(sequence: Int(seconds), isTimeKnown: isTimeKnown),
            enteredAt: Ward.moment(seconds))
    }

    /// A meter hands something over.
    fileprivate mutating func hand(
        _ content: RecordEntry.Content, at seconds: Double, isTimeKnown: Bool = true, expecting: [String] = []
    ) {
        act(
            .enter(Self.handedOver(content, at: seconds, isTimeKnown: isTimeKnown)), at: seconds,
            expecting: expecting)
    }
}

extension RecordEntryTests {
    /// What an oximeter had stored some seconds before it handed it over.
    private static func stored(_ percent: Int, at seconds: Double, ago: Double) -> RecordEntry {
        let oximeter = SensorIdentity(address: "C0:52:49:00:00:0D", name: "Oximeter", kind: .oximeter)
        return RecordEntry(
            .vital(.oxygenSaturation, VitalValue(whole: percent), site: nil), from: .sensor(oximeter),
            EntryFacts(deviceTime: DeviceTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: Int(seconds))),
            taken: Ward.moment(seconds - ago), enteredAt: Ward.moment(seconds))
    }

    @Test("and what an oximeter had stored is listed at its time, but is no present value and raises no alarm")
    func storedIsHistory() {
        var ward = Ward()
        ward.act(.enter(Self.entry(.vital(.oxygenSaturation, VitalValue(whole: 97), site: nil), at: 1)), at: 1)
        // Younger than what was typed, and far too low; the second was measured just now.
        ward.act(.enter(Self.stored(70, at: 30, ago: 10)), at: 30)
        ward.act(.enter(Self.stored(69, at: 31, ago: 0)), at: 31)
        #expect(ward.state.alarms.isEmpty)
        #expect(ward.state.patientRecord.newest(.oxygenSaturation)?.value == VitalValue(whole: 97))
        #expect(ward.state.patientRecord.samples(of: .oxygenSaturation).count == 3)
    }

    @Test("stays in memory where an oximeter hands over more than fits in")
    func storedDisplacesNothing() {
        var record = PatientRecord()
        _ = record.insert(Self.entry(.note("First"), at: 1))
        for index in 0..<(PatientRecord.limit + 100) {
            _ = record.insert(Self.stored(90 + index % 10, at: 2000 + Double(index), ago: 10))
        }
        #expect(record.entries.count == PatientRecord.limit)
        #expect(record.entries.first?.content == .note("First"))
    }
}
