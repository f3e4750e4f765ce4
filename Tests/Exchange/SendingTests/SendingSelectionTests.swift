import Monitoring
import Testing
import Vitals

@testable import Sending

@Suite("What of the record is sent")
struct SendingSelectionTests {
    /// The values of readings in items, in hundredths; `nil` for an absence.
    private func values(_ items: [SendingItem]) -> [Int?] {
        items.compactMap { item in
            guard case .reading(let recorded) = item else { return nil }
            if case .measured(let value, _) = recorded.reading.outcome { return .some(value.hundredths / 100) }
            return .some(nil)
        }
    }

    @Test("is of a minute the last value of each vital and sensor")
    func minutes() {
        let rows: [RecordedRow] = [
            .rate(60, at: 1), .rate(61, at: 30), .rate(62, at: 59.9), .rate(63, at: 60), .rate(64, at: 61),
            .reading(.measured(VitalValue(whole: 97), .good), at: 62, .oxygenSaturation),
            .reading(.measured(VitalValue(whole: 110), .good), at: 63, .glucose, from: .transmitter),
        ]
        #expect(values(SendingSelection().items(rows)) == [62, 64, 97, 110])
    }

    @Test("is why there is no value only where a minute has none, and a malfunction only where there is nothing else")
    func absences() {
        let off = Reading.Outcome.noMeasurement(.offBody)
        #expect(values(SendingSelection().items([.rate(60, at: 1), .reading(off, at: 2)])) == [60])
        #expect(values(SendingSelection().items([.reading(off, at: 1), .rate(60, at: 2)])) == [60])
        #expect(values(SendingSelection().items([.reading(off, at: 1), .reading(off, at: 2)])) == [nil])
        #expect(values(SendingSelection().items([.rate(60, at: 1), .rate(20, .malfunction, at: 2)])) == [60])
        #expect(values(SendingSelection().items([.rate(20, .malfunction, at: 2)])) == [20])
        #expect(values(SendingSelection().items([.rate(60, at: 1), .rate(61, .questionable, at: 2)])) == [61])
    }

    @Test("is of what came late a reading for each minute of its measurement")
    func late() {
        let rows: [RecordedRow] = [0, 30, 300, 600].map { back in
            let measured = Moment.at(1000 - back)
            return .reading(
                .measured(VitalValue(whole: Int(back)), .good), at: 2000, .glucose, from: .transmitter,
                late: LateInterval(sensorTime: measured),
                number: Int64(back))
        }
        #expect(values(SendingSelection().items(rows)) == [30, 300, 600])
    }

    @Test("is every entry once, as it is now, and every change of an alarm, but no action")
    func entriesAndAlarms() {
        var entry = RecordEntry(.note("a fall"), enteredAt: .at(5))
        let first = entry
        entry.retract(at: .at(9))
        let action = AlarmLogEntry(
            moment: .at(9), content: .action(.init(actor: .user, word: "entry_retracted", text: "a mistake")))
        let items = SendingSelection().items([
            .alarm(.active, at: 1), .alarm(.acknowledged, at: 1, number: 2),
            RecordedRow(.alarmLog(action), run: 1, number: 3), .entry(first), .entry(entry),
        ])
        #expect(items.count == 3)
        #expect(items.last == .entry(RecordedEntry(entry, run: 1)))
    }

    @Test("is of one patient of the store, and since a time")
    func patients() {
        let rows: [RecordedRow] = [
            .rate(60, at: 1), .alarm(.active, at: 2), .rate(61, at: 100), .alarm(.ended, at: 101, number: 2),
            .entry(RecordEntry(.note("of the first"), enteredAt: .at(3)), patient: 1),
            // Typed for the second patient, measured before.
            .entry(RecordEntry(.note("of the second"), taken: .at(4), enteredAt: .at(102)), patient: 2),
        ]
        let change = Moment.at(50).wallMilliseconds
        let first = SendingSelection(of: .init(number: 1, range: .min..<change)).items(rows)
        let second = SendingSelection(of: .init(number: 2, range: change ..< .max)).items(rows)
        #expect(first.count == 3)
        #expect(values(first) == [60])
        #expect(second.count == 3)
        #expect(values(second) == [61])
        #expect(Set(first).isDisjoint(with: second))
        #expect(SendingSelection().items(rows).count == 6)
        #expect(values(SendingSelection(since: change).items(rows)) == [61])
    }
}
