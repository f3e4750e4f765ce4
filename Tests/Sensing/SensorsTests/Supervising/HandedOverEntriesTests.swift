import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("What a sensor hands over on several links")
struct HandedOverEntriesTests {
    private static let pressures = [120, 130, 120].map {
        RecordEntry.Content.bloodPressure(BloodPressure(systolic: $0, diastolic: 80))
    }

    @Test("is passed on once where the sensor may have stored it, and each time where it was seen to be measured")
    func links() {
        let stored = EntryFacts(mayBeStored: true)
        var known = HandedOverEntries()
        // The same memory on three links, then one more measurement in it.
        for link in 1...3 {
            let passed = Self.pressures.filter { known.insert($0, stored) }
            #expect(passed == (link == 1 ? Array(Self.pressures.prefix(2)) : []))
        }
        let next = known.insert(.bloodPressure(BloodPressure(systolic: 140, diastolic: 80)), stored)
        #expect(next)
        // Measured before our eyes, it is another one, and on the next link a known one.
        let fresh = RecordEntry.Content.bloodPressure(BloodPressure(systolic: 150, diastolic: 80))
        for content in [Self.pressures[0], fresh] {
            let seen = (1...2).map { _ in known.insert(content, EntryFacts()) }
            let again = known.insert(content, stored)
            #expect(seen == [true, true] && !again)
        }
    }

    @Test("is a repeat of an entry of an earlier run for a day")
    func record() {
        let cuff = SensorIdentity(address: "C0:52:49:00:00:0C", name: "Cuff", kind: .bloodPressure)
        func entry(_ hours: Int64, _ stamp: EntryFacts, _ content: RecordEntry.Content) -> RecordEntry {
            RecordEntry(
                content, from: .sensor(cuff), stamp,
                enteredAt: Moment(monotonicNanoseconds: 1, wallMilliseconds: 1_767_322_800_000 + hours * 3_600_000))
        }
        let first = entry(0, EntryFacts(), Self.pressures[0])
        let stored = EntryFacts(mayBeStored: true)
        #expect(entry(1, stored, Self.pressures[0]).isRepeat(of: first))
        #expect(!entry(25, stored, Self.pressures[0]).isRepeat(of: first))
        #expect(!entry(1, EntryFacts(), Self.pressures[0]).isRepeat(of: first))
        #expect(!entry(1, stored, Self.pressures[1]).isRepeat(of: first))
    }
}
