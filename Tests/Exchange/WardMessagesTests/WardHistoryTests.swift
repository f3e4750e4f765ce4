import Monitoring
import TestSupport
import Testing
import Vitals

@testable import WardMessages

@Suite("Recorded rows on their way to a collector")
struct WardHistoryTests {
    private static let moment = Moment(monotonicNanoseconds: 5_000_000_000, wallMilliseconds: Samples.wall)

    private static func decoded(_ rows: [WardHistoryBatch.Row]) throws -> WardHistoryBatch {
        var encoder = WardEncoder()
        let payload = encoder.encode(
            WardHistoryBatch(rows: rows, isSimulated: false), wallMilliseconds: Samples.wall)
        guard case .history(let batch) = try WardDecoder.decode(.history(Samples.key), payload) else {
            throw WardMessageError("it is no batch")
        }
        return batch
    }

    private static func row(_ number: Int64, _ content: RecordedContent) -> WardHistoryBatch.Row {
        WardHistoryBatch.Row(
            key: WardHistoryKey(store: Samples.session, wallMilliseconds: Samples.wall, number: number), content, run: 4
        )
    }

    /// Rows that nobody can take: with a time, a value or a number that nothing has.
    private static let impossible: [RecordedContent] = {
        var reading = Samples.reading(.heartRate, 7200)
        reading.moment = moment
        var (early, absurd) = (reading, reading)
        early.moment.wallMilliseconds = RecordEntry.wallTimes.lowerBound - 1
        absurd.outcome = .measured(VitalValue(hundredths: 20_000_000), .good)
        let pressure = BloodPressure(systolic: 20_000, diastolic: 80)
        return [
            .reading(early), .reading(absurd),
            .entry(RecordEntry(.bloodPressure(pressure), enteredAt: moment), patient: 2),
            .entry(RecordEntry(.weight(VitalValue(hundredths: 7000)), enteredAt: moment), patient: 0),
        ]
    }()

    @Test("are all taken but those that cannot be, wherever these are, and the keys of all are known")
    func refused() throws {
        var reading = Samples.reading(.heartRate, 7200)
        reading.moment = Self.moment
        var random = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var wrong: Set<Int64> = []
            let rows = (0..<Int64.random(in: 1...12, using: &random)).map { number in
                guard Bool.random(using: &random) else { return Self.row(number, .reading(reading)) }
                wrong.insert(number)
                return Self.row(number, Self.impossible.randomElement(using: &random) ?? .reading(reading))
            }
            let batch = try Self.decoded(rows)
            #expect(batch.keys == rows.map(\.key))
            #expect(batch.rows == rows.filter { !wrong.contains($0.key.number) })
            #expect(Set(batch.refusals.map(\.key.number)) == wrong)
            #expect(batch.refusals.allSatisfy { !$0.reason.isEmpty })
        }
    }

    @Test("are taken with whatever time an entry can have", arguments: [RecordEntry.wallTimes.lowerBound, -1, 0, 1])
    func oldEntries(wall: Int64) throws {
        let taken = Self.moment.advanced(by: .milliseconds(wall - Samples.wall))
        #expect(taken.wallMilliseconds == wall)
        let entry = RecordEntry(.weight(VitalValue(hundredths: 7000)), taken: taken, enteredAt: Self.moment)
        let rows = [Self.row(1, .entry(entry, patient: 2))]
        let batch = try Self.decoded(rows)
        #expect(batch.rows == rows && batch.refusals.isEmpty)
    }

    @Test("have room in a message one by one, however long they are")
    func longest() throws {
        let name = String(repeating: "\u{1F9E0}", count: 64)
        let sensor = SensorIdentity(address: "C0:52:49:00:00:02", name: name, kind: .heartRateStrap)
        let intervals = RRIntervals(
            sensor: sensor, intervals: Array(repeating: .max, count: 255), moment: Self.moment)
        var encoder = WardEncoder()
        let payload = encoder.encode(
            WardHistoryBatch(rows: [Self.row(1, .rrIntervals(intervals))], isSimulated: false),
            wallMilliseconds: Samples.wall)
        #expect(payload.count * 100 < WardHistoryBatch.mostBytes)
    }
}
