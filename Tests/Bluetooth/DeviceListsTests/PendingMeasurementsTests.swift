import DeviceLists
import TestSupport
import Testing
import VitalDecoders

private let cuff = BluetoothAddress(rawValue: 0xC052_4900_0003)
private let meter = BluetoothAddress(rawValue: 0xC052_4900_0004)

@Suite("Measurements to confirm")
struct PendingMeasurementsTests {
    @Test("what arrives waits in its order, with its device and its moment")
    func waits() {
        var measurements = PendingMeasurements()
        #expect(measurements.offer(Example.pressure(121), from: cuff, at: 1000) == .added(id: 1))
        #expect(measurements.offer(Example.glucose(7), from: meter, at: 2000) == .added(id: 2))
        #expect(measurements.waiting.map(\.id) == [1, 2])
        #expect(measurements[2]?.measurement == Example.glucose(7))
        #expect(measurements[2]?.device == meter)
        #expect(measurements[2]?.arrival == 2000)
        #expect(measurements[3] == nil)
    }

    @Test("what a device sends twice waits once, and the same from another device is another measurement")
    func twice() {
        var measurements = PendingMeasurements()
        measurements.offer(Example.pressure(121), from: cuff, at: 1000)
        let before = measurements
        #expect(measurements.offer(Example.pressure(121), from: cuff, at: 5000) == .waiting(id: 1))
        #expect(measurements == before)
        #expect(measurements.offer(Example.pressure(121), from: meter, at: 5000) == .added(id: 2))
        // The clock of a cuff may stand still.
        #expect(measurements.offer(Example.pressure(122), from: cuff, at: 5000) == .added(id: 3))
        // A meter that was reset begins its numbers again.
        #expect(measurements.offer(Example.glucose(1), from: meter, at: 5000) == .added(id: 4))
        #expect(measurements.offer(Example.glucose(1, minute: 9), from: meter, at: 5000) == .added(id: 5))
    }

    @Test("what was confirmed or discarded is returned, and not offered again")
    func decided() throws {
        var measurements = PendingMeasurements()
        measurements.offer(Example.pressure(121), from: cuff, at: 1000)
        measurements.offer(Example.pressure(188), from: cuff, at: 1100)
        #expect(measurements.decision(on: Example.pressure(121), from: cuff) == nil)
        #expect(measurements.confirm(1)?.measurement == Example.pressure(121))
        #expect(measurements.discard(2)?.measurement == Example.pressure(188))
        #expect(measurements.waiting.isEmpty)
        for id in [1, 2, 9] { #expect(measurements.confirm(id) == nil) }
        for id in [1, 2, 9] { #expect(measurements.discard(id) == nil) }
        #expect(measurements.offer(Example.pressure(121), from: cuff, at: 2000) == .decided(.confirmed))
        #expect(measurements.offer(Example.pressure(188), from: cuff, at: 2000) == .decided(.discarded))
        #expect(measurements.decision(on: Example.pressure(188), from: cuff) == .discarded)
        #expect(measurements.waiting.isEmpty)

        var read = try PendingMeasurements(json: measurements.json())
        #expect(read.offer(Example.pressure(188), from: cuff, at: 3000) == .decided(.discarded))
        #expect(read.offer(Example.pressure(189), from: cuff, at: 3000) == .added(id: 3))
    }

    @Test("of a device without a clock every measurement is offered, decided or not")
    func withoutClock() {
        var measurements = PendingMeasurements()
        let weight = Example.weight(70, time: nil)
        #expect(measurements.offer(weight, from: cuff, at: 1000) == .added(id: 1))
        #expect(measurements.offer(weight, from: cuff, at: 1000) == .added(id: 2))
        measurements.discard(1)
        #expect(measurements.decision(on: weight, from: cuff) == nil)
        #expect(measurements.offer(weight, from: cuff, at: 1000) == .added(id: 3))
    }

    @Test("a failed measurement is not offered")
    func withoutResult() {
        var measurements = PendingMeasurements()
        let failed = HealthMeasurement.weight(WeightMeasurement(rawWeight: 0xFFFF))
        #expect(measurements.offer(failed, from: cuff, at: 0) == .withoutResult)
        #expect(measurements == PendingMeasurements())
    }

    @Test("a context is joined to the newest record of its meter with its number, and kept")
    func context() throws {
        var measurements = PendingMeasurements()
        measurements.offer(Example.glucose(7), from: meter, at: 1000)
        measurements.offer(Example.glucose(7, minute: 9), from: meter, at: 1000)
        measurements.offer(Example.glucose(7), from: cuff, at: 1000)
        measurements.offer(Example.pressure(121), from: meter, at: 1000)
        let context = GlucoseMeasurementContext(sequenceNumber: 7, meal: GlucoseMeal(rawValue: 1))
        #expect(measurements.add(context, from: meter) == true)
        #expect(measurements.waiting.map { $0.context != nil } == [false, true, false, false])
        #expect(measurements.add(GlucoseMeasurementContext(sequenceNumber: 8), from: meter) == false)
        let read = try PendingMeasurements(json: measurements.json())
        #expect(read == measurements)
        #expect(measurements.confirm(2)?.context == context)
        // Whether the context came does not matter for recognising the measurement.
        #expect(measurements.offer(Example.glucose(7, minute: 9), from: meter, at: 0) == .decided(.confirmed))
    }

    @Test("a full list keeps nothing more, until something was decided")
    func full() throws {
        var measurements = PendingMeasurements()
        for number in 0..<UInt16(PendingMeasurements.greatestCount) {
            measurements.offer(Example.glucose(number), from: meter, at: 0)
        }
        #expect(measurements.offer(Example.glucose(999), from: meter, at: 0) == .full)
        #expect(measurements.offer(Example.glucose(0), from: meter, at: 0) == .waiting(id: 1))
        measurements.discard(1)
        #expect(measurements.offer(Example.glucose(0), from: meter, at: 0) == .decided(.discarded))
        #expect(measurements.offer(Example.glucose(999), from: meter, at: 0) == .added(id: 257))
        #expect(try PendingMeasurements(json: measurements.json()) == measurements)
    }

    @Test("the oldest decision is forgotten for a new one, and the whole list is far from the limit of its file")
    func manyDecisions() throws {
        var measurements = PendingMeasurements()
        for number in 0...UInt16(PendingMeasurements.greatestDecisionCount) {
            guard case .added(let id) = measurements.offer(Example.glucose(number), from: meter, at: 0) else {
                Issue.record("\(number)")
                return
            }
            measurements.discard(id)
        }
        #expect(measurements.decision(on: Example.glucose(0), from: meter) == nil)
        #expect(measurements.decision(on: Example.glucose(1), from: meter) == .discarded)
        for number in 0..<UInt16(PendingMeasurements.greatestCount) {
            measurements.offer(Example.glucose(10_000 + number), from: meter, at: .max)
        }
        let bytes = try measurements.json()
        #expect(bytes.count < 1 << 19)
        #expect(try PendingMeasurements(json: bytes) == measurements)
    }

    @Test("a device that is forgotten takes its measurements and decisions with it")
    func forgets() {
        var measurements = PendingMeasurements()
        measurements.offer(Example.pressure(121), from: cuff, at: 0)
        measurements.offer(Example.pressure(122), from: cuff, at: 0)
        measurements.offer(Example.glucose(1), from: meter, at: 0)
        measurements.discard(1)
        measurements.forget(cuff)
        #expect(measurements.waiting.map(\.device) == [meter])
        #expect(measurements.offer(Example.pressure(121), from: cuff, at: 0) == .added(id: 4))
    }

    @Test("JSON that holds what cannot be is refused")
    func damaged() throws {
        var measurements = PendingMeasurements()
        measurements.offer(Example.pressure(121), from: cuff, at: 0)
        measurements.offer(Example.pressure(122), from: cuff, at: 0)
        measurements.discard(1)
        let text = String(decoding: try measurements.json(), as: UTF8.self)
        let changes = [
            ("\"id\":2", "\"id\":3"), ("\"id\":2", "\"id\":0"), ("\"nextID\":3", "\"nextID\":2"),
            ("discarded", "forgotten"), ("\"2A35\"", "\"2A37\""), ("\"2A35\"", "\"2A9D\""), ("C0:52", "C0-52"),
            ("\"arrival\":0", "\"arrival\":\"0\""), ("7A 00", "7A"), ("7A 00", "79 00"),
            ("measurements to confirm", "remembered devices"),
        ]
        for (old, new) in changes {
            try #require(text.contains(old))
            let changed = text.replacing(old, with: new)
            #expect(throws: StoredListFormatError.self, "\(old) to \(new)") {
                try PendingMeasurements(json: Array(changed.utf8))
            }
        }
    }

    @Test(
        "whatever happens in whatever order, each measurement is decided about once and none is lost", arguments: 1...20
    )
    func randomOperations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var measurements = PendingMeasurements()
        /// What was offered and can be recognised: whether it waits, or what was decided.
        var known: [Key: MeasurementDecision?] = [:]
        var (added, decided, lastID) = (0, 0, 0)
        for step in 0..<300 {
            switch Int.random(in: 0..<60, using: &random) {
            case 0..<35:
                let device = Bool.random(using: &random) ? cuff : meter
                let measurement = Self.measurement(&random)
                let key = Key(device: device, octets: measurement.octets, uuid: measurement.characteristic.uuid)
                let wasFull = measurements.waiting.count == PendingMeasurements.greatestCount
                switch measurements.offer(measurement, from: device, at: Int64(step)) {
                case .added(let id):
                    #expect(id > lastID && !wasFull)
                    #expect(known[key] == nil)
                    (lastID, added) = (id, added + 1)
                    if measurement.isDistinguishable { known[key] = .some(nil) }
                case .waiting(let id):
                    #expect(known[key] == .some(nil))
                    #expect(measurements[id]?.measurement == measurement)
                case .decided(let decision): #expect(known[key] == .some(decision))
                case .withoutResult: #expect(!measurement.hasResult)
                case .full: #expect(wasFull)
                }
            case 35..<58:
                guard let pending = measurements.waiting.randomElement(using: &random) else { break }
                let isRight = Bool.random(using: &random)
                let result = isRight ? measurements.confirm(pending.id) : measurements.discard(pending.id)
                #expect(result == pending)
                let octets = pending.measurement.octets
                let key = Key(
                    device: pending.device, octets: octets, uuid: pending.measurement.characteristic.uuid)
                if known[key] != nil { known[key] = .some(isRight ? .confirmed : .discarded) }
                decided += 1
            default:
                let bytes = try measurements.json()
                let read = try PendingMeasurements(json: bytes)
                #expect(read == measurements)
                measurements = read
            }
            #expect(measurements.waiting.count == added - decided)
        }
    }

    private struct Key: Hashable {
        var device: BluetoothAddress
        var octets: [UInt8]
        var uuid: BluetoothUUID
    }

    /// One of few, so that many come again.
    private static func measurement(_ random: inout SeededGenerator) -> HealthMeasurement {
        let number = Int.random(in: 0..<60, using: &random)
        let time = Int.random(in: 0..<4, using: &random) == 0 ? nil : Example.time(minute: UInt8(number))
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: Example.pressure(100 + number, time: time)
        case 1: Example.weight(UInt16(number), time: time)
        case 2: Example.temperature(3600 + number, time: time)
        case 3: Example.saturation(40 + number, time: time)
        case 4: .weight(WeightMeasurement(rawWeight: 0xFFFF, timestamp: time))
        default: Example.glucose(UInt16(number))
        }
    }
}
