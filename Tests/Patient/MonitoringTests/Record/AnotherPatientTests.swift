import Testing
import Vitals

@testable import Monitoring

/// Nothing of one patient is shown or judged for the next.
@Suite("Another patient")
struct AnotherPatientTests {
    private static let day = 86_400.0

    private static func contents(_ second: Double) -> [RecordEntry.Content] {
        [
            .vital(.bodyTemperature, VitalValue(hundredths: 3950), site: .mouth),
            .vital(.heartRate, VitalValue(whole: 190), site: nil),
            .bloodPressure(BloodPressure(systolic: 142, diastolic: 88)),
            .lab(LabResult([.init(.whiteCells, VitalValue(whole: 600)), .init(.neutrophils, VitalValue(whole: 50))])),
            .medication(Medication("paracetamol")), .symptom(SymptomRating(.chills, severity: 9)),
            .mascc(
                MASCCIndex(
                    burden: .severe, hasHypotension: true, hasPulmonaryDisease: true,
                    hasSolidTumourOrNoFungalInfection: false, isDehydrated: true, isOutpatient: false, isUnder60: false)
            ),
            .note("allergic to penicillin"),
        ]
    }

    private static func ward(_ settings: MonitorSettings = MonitorSettings()) -> Ward {
        var ward = Ward(settings: settings)
        for (place, content) in contents(0).enumerated() {
            let moment = Ward.moment(Double(place + 1))
            _ = ward.state.apply(.enter(RecordEntry(content, enteredAt: moment)), at: moment)
        }
        return ward
    }

    private static func check(_ state: MonitorState, _ location: SourceLocation = #_sourceLocation) {
        #expect(state.patientRecord.entries.isEmpty, sourceLocation: location)
        #expect(state.neutrophils == nil && state.feverRisk == .countUnknown, sourceLocation: location)
        #expect(!state.shownAlarms.contains { $0.alarmClass == .physiological }, sourceLocation: location)
        #expect(state.patientRecord.newest(.bloodPressure) == nil && state.cuff == nil, sourceLocation: location)
        #expect(state.patientRecord.newest(.mascc) == nil, sourceLocation: location)
        for vital in Vital.allCases {
            #expect(state.patientRecord.newest(vital) == nil, sourceLocation: location)
            #expect(state[vital].trend == Trend(), sourceLocation: location)
        }
        #expect(!state.alarms.contains { $0.kind == .labDue }, sourceLocation: location)
    }

    @Test("has no entry, value, alarm, count, antipyretic, risk index or reminder of the one before")
    func forgets() {
        var ward = Self.ward()
        #expect(ward.state.feverRisk == .febrileNeutropenia)
        #expect(ward.state.alarms.contains { $0.kind == .feverSingle })
        let cuff = SensorIdentity(address: "C0:52:49:00:00:08", name: "Cuff", kind: .bloodPressure)
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(15), kind: .cuffPressure(cuff, 160)))
        _ = ward.state.apply(.newPatient, at: Ward.moment(20))
        Self.check(ward.state)
        // Nor later, when a blood count of the former patient would be due.
        ward.wait(until: 9 * Self.day)
        Self.check(ward.state)
        // The next fever is judged without the former patient's count.
        let fever = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: 3850), site: .mouth),
            enteredAt: Ward.moment(9 * Self.day + 1))
        _ = ward.state.apply(.enter(fever), at: Ward.moment(9 * Self.day + 1))
        #expect(ward.state.alarms.first { $0.kind == .feverSingle }?.feverRisk == .countUnknown)
    }

    /// What a sensor hands over at second 120, measured at another one, or at an unknown time.
    private static func handedOver(_ content: RecordEntry.Content, taken second: Double?, number: Int) -> RecordEntry {
        let sensor = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Meter", kind: .glucose)
        return RecordEntry(
            content,
            from: .sensor(sensor), EntryFacts(sequence: number, isTimeKnown: second != nil),
            taken: second.map { Ward.moment($0) }, enteredAt: Ward.moment(120))
    }

    @Test(
        "has nothing that a sensor with a memory measured before its record began, whatever it is and however often it comes"
    )
    func memories() {
        var ward = Ward()
        _ = ward.state.apply(.newPatient, at: Ward.moment(100))
        for (number, content) in Self.contents(0).enumerated() {
            for second in [10, 99.999] {
                let entry = Self.handedOver(content, taken: second, number: number * 10 + Int(second))
                // The store has it, in the record of its time.
                #expect(
                    ward.state.apply(MonitorEvent(moment: Ward.moment(120), kind: .entry(entry))) == [.entry(entry)])
                #expect(ward.state.apply(MonitorEvent(moment: Ward.moment(121), kind: .entry(entry))).isEmpty)
            }
            Self.check(ward.state)
        }
        var late = Reading(
            sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3990), .good),
            moment: Ward.moment(122))
        late.late = LateInterval(sensorTime: Ward.moment(50))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(122), kind: .reading(late)))
        Self.check(ward.state)
        // What was measured since then, or nobody knows when, is this patient's.
        for (number, second) in [100.0, 119, nil].enumerated() {
            let entry = Self.handedOver(.weight(VitalValue(whole: 70)), taken: second, number: 900 + number)
            _ = ward.state.apply(MonitorEvent(moment: Ward.moment(123), kind: .entry(entry)))
        }
        #expect(ward.state.patientRecord.entries.count == 3)
    }

    @Test("has none of it after a restart either, not even a count of the configuration that was sampled before")
    func restart() {
        var settings = MonitorSettings()
        settings.fever.neutrophils = NeutrophilCount(
            perMicrolitre: 80, sampledAt: Ward.moment(-Self.day).wallMilliseconds)
        var ward = Self.ward(settings)
        _ = ward.state.apply(.newPatient, at: Ward.moment(20))
        let memory = ward.state.memory
        #expect(memory.patientSince == Ward.moment(20).wallMilliseconds && memory.labDeferredAt == nil)
        var state = MonitorState(settings: settings, start: Ward.moment(30))
        #expect(state.neutrophils != nil)
        _ = state.apply(.memory(memory, at: Ward.moment(30)))
        Self.check(state)
        // A sample of this patient counts, also from the configuration.
        settings.fever.neutrophils = NeutrophilCount(perMicrolitre: 4000, sampledAt: Ward.moment(25).wallMilliseconds)
        var later = MonitorState(settings: settings, start: Ward.moment(40))
        _ = later.apply(.memory(memory, at: Ward.moment(40)))
        #expect(later.neutrophils?.perMicrolitre == 4000)
    }

    @Test("has a log of its own, also from the store")
    func log() throws {
        var ward = Self.ward()
        var entries: [AlarmLogEntry] = []
        func take(_ effects: [Effect]) { entries += effects.compactMap(AlarmLogEntry.init) }
        let late = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: 4010), site: .mouth), enteredAt: Ward.moment(15))
        take(ward.state.apply(.enter(late), at: Ward.moment(15)))
        take(ward.state.apply(.newPatient, at: Ward.moment(20)))
        take(ward.state.apply(.enter(RecordEntry(.note("mine"), enteredAt: Ward.moment(25))), at: Ward.moment(25)))
        var log = AlarmLog()
        for entry in entries { log.add(entry) }
        var prepended = AlarmLog()
        prepended.prepend(entries)
        for log in [log, prepended, AlarmLog(entries)] {
            #expect(log.entries.first?.isPatientChange == true)
            let texts = log.entries.map { entry in
                switch entry.content {
                case .change(let change): change.text
                case .action(let action): action.text
                }
            }
            #expect(!texts.contains { $0.contains("40.1") || $0.lowercased().contains("fever") }, "\(texts)")
            #expect(texts.last?.contains("mine") == true)
        }
    }

    @Test("is reminded of no blood count, and a deferral survives a restart of the same patient")
    func deferral() throws {
        var ward = Ward()
        let lab = RecordEntry(
            .lab(LabResult([.init(.whiteCells, VitalValue(whole: 1200))])), enteredAt: Ward.moment(0))
        ward.act(.enter(lab), at: 0)
        // The ward begins at 15:06:40 UTC; it is 09:00 this many seconds later.
        let due = 7 * Self.day + 64_400
        ward.wait(until: due)
        let id = try #require(ward.state.alarms.first { $0.kind == .labDue }?.id)
        ward.act(.snooze(id, nil), at: due + 800)
        let memory = ward.state.memory
        #expect(memory.labDeferredAt == Ward.moment(due + 800).wallMilliseconds)
        var state = MonitorState(settings: .withoutLimits, start: Ward.moment(due + 900))
        _ = state.apply(.memory(memory, at: Ward.moment(due + 900)))
        _ = state.restore([lab], at: Ward.moment(due + 900))
        #expect(state.alarms.contains { $0.kind == .labDue })
        #expect(state.signal.snoozes.map(\.until) == [Ward.moment(due + Self.day)])
        _ = state.apply(MonitorEvent(moment: Ward.moment(due + Self.day), kind: .tick))
        #expect(state.alarms.contains { $0.kind == .labDue } && state.signal.snoozes.isEmpty)
        _ = state.apply(.newPatient, at: Ward.moment(due + Self.day + 1))
        #expect(state.memory.labDeferredAt == nil)
    }
}
