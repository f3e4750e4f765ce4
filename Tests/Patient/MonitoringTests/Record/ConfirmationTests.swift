import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("What sensors hand over, where somebody must confirm it")
struct ConfirmationTests {
    private static let ear = SensorIdentity(address: "C0:52:49:00:00:0C", name: "Ear", kind: .thermometer)
    private static let scale = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Scale", kind: .weightScale)

    private static var settings: MonitorSettings {
        var settings = MonitorSettings.withoutLimits
        settings.confirmsMeasurements = true
        return settings
    }

    private static func temperature(_ hundredths: Int, at seconds: Double) -> RecordEntry {
        RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: hundredths), site: .ear), from: .sensor(ear),
            enteredAt: Ward.moment(seconds))
    }

    @Test("waits, raises its alarm with that mark, and loses the mark when somebody confirms it")
    func confirmed() throws {
        var ward = Ward(settings: Self.settings)
        let entry = Self.temperature(3950, at: 1)
        ward.receive(.entry(entry), at: 1, expecting: ["fever_single active high"])
        #expect(ward.state.patientRecord.unconfirmed.map(\.id) == [entry.id])
        #expect(try #require(ward.state.alarms.first).text.hasSuffix("unconfirmed"))
        ward.act(.confirm([entry.id]), at: 2)
        #expect(ward.actions == ["user entry_confirmed"])
        #expect(ward.state.patientRecord.unconfirmed.isEmpty)
        #expect(ward.state.patientRecord.entries.map(\.confirmedAt) == [Ward.moment(2)])
        #expect(try !#require(ward.state.alarms.first).text.contains("unconfirmed"))
        // Nothing waits for a second word.
        #expect(ward.state.apply(.confirm([entry.id]), at: Ward.moment(3)).isEmpty)
    }

    @Test("ends its alarm, unlatched, when somebody discards it, and the value before applies again")
    func discarded() {
        var ward = Ward(settings: Self.settings)
        ward.receive(.entry(Self.temperature(3700, at: 1)), at: 1)
        let wrong = Self.temperature(4100, at: 2)
        ward.receive(.entry(wrong), at: 2, expecting: ["fever_single active high"])
        ward.act(.retract(wrong.id, reason: RecordEntry.discarded), at: 3, expecting: ["fever_single ended high"])
        #expect(ward.state.shownAlarms.isEmpty)
        #expect(ward.state.patientRecord.newest(.bodyTemperature)?.value == VitalValue(hundredths: 3700))
        #expect(ward.state.patientRecord.unconfirmed.map(\.taken) == [Ward.moment(1)])
        ward.act(.confirm([wrong.id]), at: 4)
        #expect(ward.state.patientRecord.entries.last?.confirmedAt == nil, "what was discarded is not confirmed")
    }

    @Test("does not wait where nobody is asked, nor does what somebody types")
    func usual() {
        var ward = Ward()
        ward.receive(.entry(Self.temperature(3700, at: 1)), at: 1)
        ward.act(.enter(RecordEntry(.note("asleep"), enteredAt: Ward.moment(2))), at: 2)
        #expect(ward.state.patientRecord.unconfirmed.isEmpty)
        var asked = Ward(settings: Self.settings)
        asked.act(.enter(RecordEntry(.note("asleep"), enteredAt: Ward.moment(2))), at: 2)
        #expect(asked.state.patientRecord.unconfirmed.isEmpty)
    }

    @Test("waits however old it is, and is not dropped for newer entries")
    func old() {
        var state = MonitorState(settings: Self.settings, start: Ward.moment(0))
        let month = 30 * 86_400.0
        var waiting = Self.temperature(3700, at: -month)
        waiting.facts.confirmation = .awaited
        let settled = Self.temperature(3710, at: 1 - month)
        _ = state.restore([waiting, settled], at: Ward.moment(0))
        #expect(state.patientRecord.entries.map(\.id) == [waiting.id])
        for number in 1...PatientRecord.limit + 10 {
            let entry = RecordEntry(.note("\(number)"), enteredAt: Ward.moment(Double(number)))
            _ = state.apply(.enter(entry), at: entry.enteredAt)
        }
        #expect(state.patientRecord.entries.count == PatientRecord.limit)
        #expect(state.patientRecord.unconfirmed.map(\.id) == [waiting.id])
    }

    @Test(
        "is neither lost nor doubled, whatever is confirmed, discarded, handed over again or restarted in whatever order",
        .computing, arguments: 0..<200)
    func neverLost(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = MonitorState(settings: Self.settings, start: Ward.moment(0))
        var handedOver: [RecordEntry] = []
        var fates: [RecordEntry.ID: String] = [:]
        // As the store has them: what was written last of each.
        var store: [RecordEntry.ID: RecordEntry] = [:]
        for step in 1...80 {
            let now = Ward.moment(Double(step))
            var effects: [Effect] = []
            let chosen = handedOver.randomElement(using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let entry = RecordEntry(
                    .weight(VitalValue(whole: 60 + step)), from: .sensor(Self.scale), EntryFacts(sequence: step),
                    enteredAt: now)
                effects = state.apply(MonitorEvent(moment: now, kind: .entry(entry)))
                handedOver.append(entry)
            case 2:
                guard var again = chosen else { continue }
                again.enteredAt = now
                effects = state.apply(MonitorEvent(moment: now, kind: .entry(again)))
                #expect(effects.isEmpty)
            case 3:
                guard let chosen else { continue }
                effects = state.apply(.confirm([chosen.id]), at: now)
                if fates[chosen.id] == nil { fates[chosen.id] = "confirmed" }
            case 4:
                guard let chosen else { continue }
                effects = state.apply(.retract(chosen.id, reason: RecordEntry.discarded), at: now)
                fates[chosen.id] = "discarded"
            default:
                state = MonitorState(settings: Self.settings, start: now)
                effects = state.restore(Array(store.values), at: now)
            }
            for case .entry(let entry) in effects { store[entry.id] = entry }
        }
        #expect(Set(store.keys) == Set(handedOver.map(\.id)))
        #expect(state.patientRecord.entries.count == handedOver.count)
        for entry in state.patientRecord.entries {
            let fate = entry.isRetracted ? "discarded" : entry.confirmedAt != nil ? "confirmed" : nil
            #expect(fate == fates[entry.id])
            #expect(entry.isUnconfirmed == (fate == nil))
        }
    }
}
