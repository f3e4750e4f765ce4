import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Entries of the record in the store")
struct EntryStoreTests {
    private static let typed: [RecordEntry] = {
        let contents: [(RecordEntry.Content, String)] = [
            (.vital(.glucose, VitalValue(hundredths: 10_449), site: nil), "5.8 mmol/L"),
            (.weight(VitalValue(hundredths: 7257)), "160 lb"),
            (.lab(LabResult([.init(.haemoglobin, VitalValue(hundredths: 980))])), "hb 98 g/L"),
            (
                .medication(Medication("paracetamol", dose: .init(thousandths: 500, unit: .grams))),
                "paracetamol \"0.5\" g"
            ),
            (
                .neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: Moment.at(922).wallMilliseconds)),
                "0.45 10^9/L"
            ),
        ]
        return contents.enumerated().map { number, one in
            var entry = RecordEntry(one.0, enteredAt: .at(918 + number))
            entry.keep(typed: one.1)
            return entry
        }
    }()

    private static let entries: [RecordEntry] =
        [
            RecordEntry(
                .vital(.bodyTemperature, VitalValue(hundredths: 3840), site: .mouth), taken: .at(10),
                enteredAt: .at(900)),
            RecordEntry(.vital(.heartRate, VitalValue(whole: 72), site: nil), enteredAt: .at(901)),
            RecordEntry(
                .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: 93, pulse: 72)), enteredAt: .at(902)),
            RecordEntry(.bloodPressure(BloodPressure(systolic: 110, diastolic: 70)), enteredAt: .at(903)),
            RecordEntry(
                .neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: Moment.at(5).wallMilliseconds)),
                taken: .at(5),
                enteredAt: .at(904)),
            RecordEntry(.note("asleep, \"fine\""), enteredAt: .at(905)),
            RecordEntry(
                .vital(.glucose, VitalValue(whole: 105), site: .finger),
                from: .sensor(
                    SensorIdentity(address: "C0:52:49:00:00:09", name: "Meter", kind: .glucose)),
                EntryFacts(
                    deviceTime: DeviceTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5), sequence: 1001,
                    isTimeKnown: false, remark: "before meal"), enteredAt: .at(906)),
            RecordEntry(
                .weight(VitalValue(hundredths: 7240)),
                from: .sensor(
                    SensorIdentity(address: "C0:52:49:00:00:0A", name: "Scale", kind: .weightScale)), EntryFacts(),
                enteredAt: .at(907)),
            RecordEntry(
                .noMeasurement(.glucose, .equipment),
                from: .sensor(
                    SensorIdentity(address: "C0:52:49:00:00:09", name: "Meter", kind: .glucose)),
                EntryFacts(sequence: 1002, remark: "sensor malfunction"), enteredAt: .at(915)),
            RecordEntry(
                .bloodPressure(BloodPressure(systolic: 142, diastolic: 88)),
                from: .sensor(
                    SensorIdentity(address: "C0:52:49:00:00:0B", name: "Cuff", kind: .bloodPressure)),
                EntryFacts(quality: .questionable, remark: "cuff too loose"), enteredAt: .at(916)),
            RecordEntry(
                .lab(
                    LabResult(
                        LabAnalyte.allCases.map { .init($0, VitalValue(hundredths: $0 == .haemoglobin ? 980 : 1500)) })),
                taken: .at(20), enteredAt: .at(908)),
            RecordEntry(.lab(LabResult([.init(.haemoglobin, VitalValue(hundredths: 980))])), enteredAt: .at(909)),
            RecordEntry(
                .medication(
                    Medication("suppository", dose: .init(thousandths: 12_500, unit: .micrograms), isAntipyretic: true)),
                enteredAt: .at(910)),
            RecordEntry(.medication(Medication("aspirin", isAntipyretic: false)), enteredAt: .at(911)),
            RecordEntry(.symptom(SymptomRating(.diarrhoea, severity: 10)), enteredAt: .at(912)),
            RecordEntry(.symptom(SymptomRating(.other("a \"burning\" mouth"), severity: 0)), enteredAt: .at(913)),
            RecordEntry(
                .mascc(
                    MASCCIndex(
                        burden: .moderate, hasHypotension: true, hasPulmonaryDisease: false,
                        hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true,
                        isUnder60: false,
                        assessedBy: "Ada \"L.\"")), enteredAt: .at(914)),
        ] + typed

    private static func stored(_ store: TestStore, kinds: Set<RecordEntry.Kind>? = nil) throws -> [RecordEntry] {
        let found = try StoredHistory(store.database).recordEntries(in: .min..<(.max), kinds: kinds)
        try store.database.execute("COMMIT")
        #expect(found.allSatisfy { $0.run == store.run })
        return found.map(\.entry)
    }

    @Test("come back as they were, in the order in which they were measured")
    func roundTrip() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        for entry in Self.entries { try entries.append(entry, run: store.run) }
        #expect(try Self.stored(store) == Self.entries.sorted { $0.taken < $1.taken })
        #expect(try Self.stored(store, kinds: [.note]) == [Self.entries[5]])
    }

    @Test("tell up to which of its own numbers each sensor is known")
    func sequences() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        for entry in Self.entries { try entries.append(entry, run: store.run) }
        #expect(try entries.newestSequences() == ["C0:52:49:00:00:09": 1002])
    }

    @Test("tell what sensors have handed over with their time and without a number, and store none of it twice")
    func handedOver() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        let oximeter = SensorIdentity(address: "C0:52:49:00:00:0D", name: "Oximeter", kind: .oximeter)
        func spotCheck(_ minute: Int, at seconds: Int, sequence: Int? = nil) -> RecordEntry {
            let time = DeviceTime(year: 2026, month: 1, day: 2, hour: 3, minute: minute, second: 0)
            return RecordEntry(
                .vital(.oxygenSaturation, VitalValue(whole: 96), site: nil), from: .sensor(oximeter),
                EntryFacts(deviceTime: time, sequence: sequence), enteredAt: .at(seconds))
        }
        for entry in Self.entries { try entries.append(entry, run: store.run) }
        let before = try entries.handedOver().count
        try entries.append(spotCheck(1, at: 1), run: store.run)
        try entries.append(spotCheck(2, at: 2), run: store.run)
        try entries.append(spotCheck(1, at: 3), run: store.run)
        try entries.append(spotCheck(3, at: 4, sequence: 7), run: store.run)
        let known = try entries.handedOver()
        #expect(known.count == before + 2)
        #expect(known.prefix(2) == [spotCheck(2, at: 2), spotCheck(1, at: 1)])
        #expect(try MemoryStore(database: store.database).read().handedOver == known)
    }

    @Test("taken back stay, and say when; typed twice they are one")
    func retracted() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        var entry = Self.entries[0]
        try entries.append(entry, run: store.run)
        try entries.append(entry, run: store.run)
        entry.retractedAt = .at(1000)
        try entries.append(entry, run: store.run)
        // A second word about it does not move the first.
        var again = entry
        again.retractedAt = .at(2000)
        try entries.append(again, run: store.run)
        let found = try Self.stored(store)
        #expect(found.count == 1)
        #expect(found.first?.retractedAt?.wallMilliseconds == Moment.at(1000).wallMilliseconds)
        // The view uses functions of JSON, which SQLite allows where the schema is trusted, as tools for people do.
        try store.database.execute("PRAGMA trusted_schema = ON")
        let row = try store.database.text(
            "SELECT kind || ' ' || value || ' ' || site || ' ' || status FROM record_entries")
        #expect(row == "body_temperature 38.4 mouth entered-in-error")
    }

    @Test("keep that somebody must confirm them, and since when somebody has; nothing makes them unconfirmed again")
    func confirmed() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        var waiting = RecordEntry(
            .weight(VitalValue(hundredths: 7240)),
            from: .sensor(SensorIdentity(address: "C0:52:49:00:00:0A", name: "Scale", kind: .weightScale)),
            EntryFacts(sequence: 7, confirmation: .awaited), enteredAt: .at(907))
        func unconfirmed() throws -> [RecordEntry] {
            let history = try StoredHistory(store.database)
            defer { try? store.database.execute("COMMIT") }
            return try history.unconfirmedEntries(of: 1).map(\.recorded.entry)
        }
        func status() throws -> String? {
            try store.database.execute("PRAGMA trusted_schema = ON")
            return try store.database.text("SELECT status FROM record_entries")
        }
        let original = waiting
        try entries.append(waiting, run: store.run)
        #expect(try unconfirmed() == [waiting])
        #expect(try status() == "preliminary")
        waiting.confirm(at: .at(1000))
        try entries.append(waiting, run: store.run)
        // The scale hands it over again, and the first copy is written late.
        try entries.append(original, run: store.run)
        var copy = original
        copy.enteredAt = .at(1100)
        try entries.append(copy, run: store.run)
        #expect(try unconfirmed().isEmpty)
        #expect(try status() == "final")
        let found = try Self.stored(store)
        #expect(found.map(\.confirmedAt?.wallMilliseconds) == [Moment.at(1000).wallMilliseconds])
    }

    @Test("keep why they were taken back and what corrects them, and a second reason changes nothing")
    func corrected() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        var mistake = Self.entries[0]
        try entries.append(mistake, run: store.run)
        mistake.retract(at: .at(1000), reason: "transposed")
        try entries.append(mistake, run: store.run)
        var right = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: 3480), site: .mouth), taken: .at(10), enteredAt: .at(1000))
        right.correction = RecordEntry.Correction(of: mistake.id, reason: "transposed")
        try entries.append(right, run: store.run)
        var again = Self.entries[0]
        again.retract(at: .at(2000), reason: "other")
        try entries.append(again, run: store.run)
        let found = try Self.stored(store)
        #expect(found.count == 2)
        #expect(found[0].content == mistake.content && found[0].retractionReason == "transposed")
        #expect(found[1] == right)
        try store.database.execute("PRAGMA trusted_schema = ON")
        let statuses = try store.database.text(
            "SELECT group_concat(status || ' ' || ifnull(retraction_reason, '')) FROM record_entries")
        #expect(statuses == "entered-in-error transposed,corrected ")
    }

    @Test("with a content that no version writes are left out, and the others are read")
    func damagedContents() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        for entry in Self.entries { try entries.append(entry, run: store.run) }
        try store.database.execute(
            """
            PRAGMA ignore_check_constraints = ON;
            UPDATE record_entry SET content = '{' WHERE kind = 'mascc';
            UPDATE record_entry SET content = '{"white_cells":-1}' WHERE kind = 'lab';
            UPDATE record_entry SET content = '{"symptom":"pain","severity":9223372036854775807}' WHERE kind = 'symptom';
            UPDATE record_entry SET content = '[1' WHERE kind = 'medication';
            UPDATE record_entry SET content = NULL WHERE kind = 'heart_rate';
            """)
        let kinds = Set(try Self.stored(store).compactMap(\.kind))
        #expect(
            kinds
                == Set(Self.entries.compactMap(\.kind)).subtracting([.mascc, .lab, .symptom, .medication, .heartRate]))
    }

    @Test("of two weeks are found by an index, however many there are")
    func index() throws {
        let store = try TestStore()
        let plan = try store.database.text(
            """
            SELECT group_concat(detail) FROM pragma_index_list('record_entry') AS list
            JOIN pragma_index_info(list.name) AS info ON 1
            JOIN (SELECT 'x' AS detail) WHERE info.name = 'taken_wall_ms'
            """)
        #expect(plan == "x")
    }

    @Test("of this patient, of the last two weeks, are what a monitor that starts continues from")
    func restart() async throws {
        let folder = try ScratchFolder()
        let path = "\(folder.path)/store.sqlite"
        let running = RunningLoop()
        func recorder(_ inbox: RecorderInbox) -> Recording.Recorder {
            Recording.Recorder(
                .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop
            ) { _ in }
        }
        // Kept even where readings are not.
        let inbox = RecorderInbox(recordsReadings: false)
        let first = recorder(inbox)
        _ = await first.open(at: .at(0))
        inbox.append(Self.entries[1])
        let newPatient = ActionRecord(moment: .at(950), actor: .user, kind: .newPatient)
        inbox.append(try #require(AlarmLogEntry(.action(newPatient))))
        let mine = RecordEntry(.note("mine"), enteredAt: .at(1000))
        inbox.append(mine)
        // A meter's memory is of who was measured then; what nobody knows the time of is of who is here.
        let meter = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Meter", kind: .glucose)
        func handedOver(_ number: Int, taken: Int, isTimeKnown: Bool) -> RecordEntry {
            RecordEntry(
                .weight(VitalValue(whole: 70)),
                from: .sensor(meter), EntryFacts(sequence: number, isTimeKnown: isTimeKnown), taken: .at(taken),
                enteredAt: .at(1001 + number))
        }
        let others = handedOver(0, taken: 949, isTimeKnown: true)
        let unknown = handedOver(1, taken: 949, isTimeKnown: false)
        for entry in [others, unknown] { inbox.append(entry) }
        #expect(await first.close() == 0)
        let history = try #require(try StoredHistory.open(path))
        #expect(try history.recordEntries(in: .min..<(.max), patient: 1).map(\.entry) == [Self.entries[1], others])
        let second = recorder(RecorderInbox())
        _ = await second.open(at: .at(2000))
        #expect(await second.recordEntries(until: .at(2000)) == [unknown, mine])
        #expect(await second.recordEntries(until: .at(1000 + 49 * 3600)) == [unknown, mine])
        #expect(await second.recordEntries(until: .at(1000 + 16 * 86_400)) == [])
        await second.close()
    }

    @Test("are read in pages, in the order of measurement, without what is entered meanwhile")
    func pages() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        // Many of the same moment, because a file is imported at once.
        for number in 0..<1000 {
            try entries.append(
                RecordEntry(
                    .weight(VitalValue(whole: 30 + number % 100)), taken: .at(number / 300), enteredAt: .at(number)),
                run: store.run)
        }
        var found = try RecordedEntries(try StoredHistory(store.database), in: .min..<(.max))
        var read: [RecordedEntry] = []
        while let entry = try found.next(until: Moment.at(1).wallMilliseconds) { read.append(entry) }
        #expect(read.count == 600)
        try entries.append(RecordEntry(.note("late"), taken: .at(3), enteredAt: .at(2000)), run: store.run)
        while let entry = try found.next() { read.append(entry) }
        #expect(read.map { $0.entry.enteredAt } == (0..<1000).map { Moment.at($0) })
    }
}
