import Monitoring
import Recording
import Testing
import Vitals
import WardMessages

@testable import Engine

@Suite("A recorded row on its way to a collector")
struct WardHistoryRowTests {
    private static let moment = Moment(monotonicNanoseconds: 5_000_000_000, wallMilliseconds: 1_700_000_000_000)
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private static func action(_ word: String) -> RecordedContent {
        .alarmLog(
            AlarmLogEntry(
                moment: moment, run: 3,
                content: .action(AlarmLogEntry.Action(actor: .user, word: word, text: "what Felix has typed"))))
    }

    /// One of each kind, all of one millisecond and one number.
    private static let contents: [RecordedContent] = [
        .reading(
            Reading(
                sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 72), .good), moment: moment)),
        .rrIntervals(RRIntervals(sensor: strap, intervals: [800], moment: moment)),
        action("acknowledged"),
        .entry(
            RecordEntry(.bloodPressure(BloodPressure(systolic: 120, diastolic: 80)), enteredAt: moment), patient: 2),
    ]

    private func row(_ content: RecordedContent) throws -> WardHistoryBatch.Row {
        let store = try #require(WardToken("store-1"))
        return try #require(WardHistoryBatch.Row(RecordedBatch.Row(content, run: 3, number: 7), of: store))
    }

    @Test("has a key that no other kind of its millisecond has, and comes out as it went in")
    func keys() throws {
        let rows = try Self.contents.map { try row($0) }
        #expect(Set(rows.map(\.key)).count == 4)
        #expect(rows.map(\.recorded) == Self.contents.map { RecordedBatch.Row($0, run: 3, number: 7) })
    }

    @Test("is refused with the key of another kind, or of another time")
    func wrongKeys() throws {
        for content in Self.contents {
            for other in Self.contents where other != content {
                var wrong = try row(content)
                wrong.key = try row(other).key
                #expect(wrong.recorded == nil)
            }
            var late = try row(content)
            late.key.wallMilliseconds += 1
            #expect(late.recorded == nil)
        }
    }

    private static let sensor = SensorIdentity(address: "C0:52:49:00:00:09", name: "CORE", kind: .core)
    private static let key = SnoozeKey(kind: .high, vital: .heartRate)

    private static let limit = LimitSetting.limit(.low, AlarmLimit(VitalValue(whole: 45), .high))

    /// An action of each kind, with "Felix" wherever somebody can have typed words.
    private static let actions: [ActionRecord.Kind] = [
        .acknowledged([1]), .cleared(1, key), .answeredFromWard(1, "Felix at ward-2 is going"),
        .audioPaused(until: moment), .audioPauseEnded(by: nil),
        .silenceBegan(until: moment, by: "Felix' screen"), .silenceEnded(.lost("Felix' screen")),
        .snoozed(key, until: moment), .snoozeEnded(key),
        .carePaused(sensor, until: moment), .carePauseEnded(sensor), .limitsReset, .scheduleChanged("Felix at night"),
        .settingChanged("bed.label", "Felix"), .neutrophilsEntered(NeutrophilCount(perMicrolitre: 777, sampledAt: 5)),
        .entered(RecordEntry(.note("Felix sleeps"), enteredAt: moment)),
        .retracted(RecordEntry(.note("Felix sleeps"), enteredAt: moment)),
        .confirmed(RecordEntry(.note("Felix sleeps"), enteredAt: moment)), .disconnected(sensor), .forgotten(sensor),
        .otherUser(sensor, user: 2, chosen: 1), .severalUsers(sensor, 1, 2), .userChosen(sensor, 2),
        .pairingStarted(sensor), .intervalRequested(sensor, seconds: 60), .adapterChosen("Felix' stick"), .newPatient,
        .restarted,
        .limitChanged(.heartRate, from: limit, to: limit), .limitRefused(.noLimits(.heartRate)),
        .resumed(MonitorMemory(neutrophils: NeutrophilCount(perMicrolitre: 777, sampledAt: 5))),
    ]

    @Test("is tried with each kind of action")
    func complete() {
        #expect(Set(Self.actions.map(\.name)) == Set(ActionRecord.Name.allCases))
    }

    private func sent(_ action: AlarmLogEntry.Action) throws -> AlarmLogEntry.Action {
        let content = RecordedContent.alarmLog(
            AlarmLogEntry(moment: Self.moment, run: 3, content: .action(action)))
        guard case .alarmLog(let entry) = try row(content).content, case .action(let action) = entry.content else {
            throw Missing()
        }
        return action
    }

    private struct Missing: Error {}

    @Test("leaves what somebody has typed at the bed, whatever was done", arguments: actions)
    func typed(kind: ActionRecord.Kind) throws {
        let action = AlarmLogEntry.Action(actor: .user, word: kind.word, text: kind.text)
        let sent = try sent(action)
        #expect(sent.word == kind.word && !sent.text.contains("Felix") && !sent.text.contains("777"))
        if !kind.text.contains("Felix"), !kind.text.contains("777") { #expect(sent.text == kind.text) }
    }

    @Test("says nothing of an action that nobody has allowed yet")
    func unknown() throws {
        let sent = try sent(.init(actor: .user, word: "sung_to", text: "Felix was sung to"))
        #expect(sent.text == "something done at the bed")
    }

    @Test("is an entry without its reasons and without the names of people and files, and never a note")
    func entries() throws {
        let note = RecordedBatch.Row(
            .entry(RecordEntry(.note("Felix sleeps"), enteredAt: Self.moment), patient: 1), run: 3, number: 7)
        let store = try #require(WardToken("store-1"))
        #expect(WardHistoryBatch.Row(note, of: store) == nil)
        let index = MASCCIndex(
            burden: .moderate, hasHypotension: true, hasPulmonaryDisease: false,
            hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true, isUnder60: true,
            assessedBy: "Felix")
        var entry = RecordEntry(.mascc(index), taken: Self.moment, enteredAt: Self.moment.advanced(by: .seconds(9)))
        entry.correction = .init(of: Self.moment, reason: "Felix was wrong")
        entry.origin = ImportOrigin(key: "key-1", source: "felix.csv", enteredAt: 5)
        entry.retract(at: Self.moment.advanced(by: .seconds(20)), reason: "not Felix")
        guard case .entry(let sent, let patient) = try row(.entry(entry, patient: 4)).content else {
            Issue.record("it is no entry any more")
            return
        }
        #expect(!"\(sent)".contains("elix"))
        #expect(patient == 4)
        #expect(sent.taken == entry.taken && sent.enteredAt == entry.enteredAt)
        #expect(sent.retractedAt == entry.retractedAt && sent.correction?.corrected == Self.moment)
        #expect(sent.origin?.key == "key-1" && sent.origin?.enteredAt == 5)
        guard case .mascc(let answers) = sent.content else {
            Issue.record("it is no index any more")
            return
        }
        for item in MASCCIndex.Item.allCases { #expect(answers.answer(to: item) == index.answer(to: item)) }
    }
}
