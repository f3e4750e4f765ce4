import Base
import Testing

@testable import BlueZSimulator

@Suite("The waves of simulated oximeters and ECG recorders")
struct OximeterWaveTests {
    private static func sensor(_ kind: String, _ fields: String = "") throws -> SimulatedPeripheral {
        let text = "{sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: '\(kind)', \(fields)}]}"
        return SimulatedPeripheral(
            try Scenario(json5: text, file: "x").sensors[0], noise: Noise(seed: 3), period: nil)
    }

    private static func wave(_ sensor: SimulatedPeripheral, _ characteristic: Int = 0) throws -> WaveDescription {
        try #require(sensor.description.services[0].characteristics[characteristic].wave)
    }

    /// The frames of a wave that begins with the scenario.
    private static func frames(_ sensor: SimulatedPeripheral, _ wave: WaveDescription, _ count: Int) -> [[UInt8]] {
        guard case .frequency(let rate) = wave.rate else { return [] }
        return (0..<count).map { frame in
            let times = (1...wave.count).map { Double(frame * wave.count + $0) / rate }
            return sensor.frame(frame, of: wave, at: times, intervals: [])
        }
    }

    /// What a sensor answers to octets, at a time.
    private static func answer(_ sensor: SimulatedPeripheral, _ request: [UInt8], at seconds: Double) -> [UInt8]? {
        let uuid = sensor.description.services[0].characteristics[0].uuid
        guard let rule = sensor.rule(for: .written(request, to: uuid), at: seconds),
            case .send(let template, _, _, let wave)? = rule.answers.first?.act
        else { return nil }
        let place = wave.map { sensor.newest(of: $0, at: seconds) } ?? WavePlace()
        return sensor.octets(template, request: request, at: seconds, place)
    }

    /// CRC-8 with the polynomial 07, bit by bit.
    private static func crc8(_ octets: some Sequence<UInt8>) -> UInt8 {
        var crc: UInt8 = 0
        for octet in octets {
            for bit in (0..<8).reversed() {
                let isSet = (crc >> 7) ^ (octet >> bit & 1) == 1
                crc = crc << 1 ^ (isSet ? 7 : 0)
            }
        }
        return crc
    }

    // MARK: Rings

    private static let poll: [UInt8] = [0xAA, 0x1B, 0xE4, 0, 0, 1, 0, 0, 0x5E]

    @Test("a ring answers a poll with its values and the samples since the poll before")
    func ring() throws {
        let ring = try Self.sensor(
            "oximeterRing", "oxygenSaturation: 97, pulseRate: 260, perfusion: 2.5, quantities: {charge: 85}")
        #expect(Self.crc8(Self.poll.dropLast()) == Self.poll.last)
        let first = try #require(Self.answer(ring, Self.poll, at: 10))
        // At most a little more than a second, though it has been worn for ten.
        #expect(first.count == 8 + 12 + 150)
        let second = try #require(Self.answer(ring, Self.poll, at: 11))
        #expect(second.starts(with: [0x55, 0, 0xFF, 0, 0, 12 + 125, 0, 97, 4, 1, 85, 0, 25, 1, 0, 0, 0, 125, 0]))
        #expect(second.count == 8 + 12 + 125 && second.last == Self.crc8(second.dropLast()))
        // 156 and 246 would be marks.
        #expect(second[19..<144].allSatisfy { $0 <= 201 && $0 % 2 == 1 })
        #expect(try #require(Self.answer(ring, Self.poll, at: 11)).count == 8 + 12)
        let slow: [UInt8] = [0xAA, 0x1B, 0xE4, 0, 0, 1, 0, 1, 0x59]
        _ = Self.answer(ring, slow, at: 11)
        #expect(try #require(Self.answer(ring, slow, at: 13)).count == 8 + 12 + 75)
        ring.isOnBody = false
        let off = try #require(Self.answer(ring, Self.poll, at: 12))
        #expect(off == [0x55, 0, 0xFF, 0, 0, 12, 0, 0, 0, 0, 85, 0, 0, 0, 0, 0, 0, 0, 0, Self.crc8(off.dropLast())])
    }

    @Test("consecutive polls give each sample once")
    func seamless() throws {
        let (polled, whole) = (try Self.sensor("oximeterRing"), try Self.sensor("oximeterRing"))
        _ = (Self.answer(polled, Self.poll, at: 5), Self.answer(whole, Self.poll, at: 5))
        var samples: [UInt8] = []
        for seconds in [5.2, 5.55, 5.56, 6.1] {
            samples += try #require(Self.answer(polled, Self.poll, at: seconds)).dropFirst(19).dropLast()
        }
        #expect(samples == Array(try #require(Self.answer(whole, Self.poll, at: 6.1)).dropFirst(19).dropLast()))
        #expect(samples.count == 137)
    }

    @Test("an O2Ring S answers live data with its offset, and says when no finger is there")
    func ringS() throws {
        let ring = try Self.sensor(
            "oximeterRingS", "oxygenSaturation: 97, pulseRate: 62, perfusion: 2.5, quantities: {charge: 80}")
        let request: [UInt8] = [0xA5, 4, 0xFB, 0, 7, 0, 0]
        let poll = request + [Self.crc8(request)]
        _ = Self.answer(ring, poll, at: 8)
        let answer = try #require(Self.answer(ring, poll, at: 9))
        #expect(answer.prefix(7) == [0xA5, 4, 0xFB, 1, 7, 26 + 125, 0])
        #expect(answer[7..<21] == [9, 0, 0, 0, 2, 1, 97, 25, 62, 0, 0, 0, 0, 80])
        #expect(answer[21..<33] == [0, 0, 0, 0, 0, 0, 0xE8, 3, 0, 0, 125, 0])
        #expect(answer.count == 7 + 26 + 125 + 1 && answer.last == Self.crc8(answer.dropLast()))
        ring.isOnBody = false
        let off = try #require(Self.answer(ring, poll, at: 9))
        #expect(off.count == 7 + 26 + 1 && off[5] == 26 && off[12] == 0 && off.last == Self.crc8(off.dropLast()))
        // A documented request, whose checksum is 93.
        #expect(Self.answer(ring, [0xA5, 4, 0xFB, 0, 0, 0, 0, 0x93], at: 9) != nil)
    }

    @Test("an ER1 answers a poll with its ECG in steps of 2.467 µV, and with none of it without contact")
    func recorder() throws {
        let recorder = try Self.sensor("ecgRecorder", "heartRate: 72, quantities: {charge: 88}")
        let poll: [UInt8] = [0xA5, 3, 0xFC, 0, 0, 1, 0, 0x7D, 0x23]
        _ = Self.answer(recorder, poll, at: 30)
        let answer = try #require(Self.answer(recorder, poll, at: 31))
        let length = 22 + 2 * 125
        #expect(answer.prefix(7) == [0xA5, 3, 0xFC, 1, 0, UInt8(length & 0xFF), UInt8(length >> 8)])
        #expect(answer[7..<16] == [72, 0, 0, 88, 31, 0, 0, 0, 2] && answer[27..<29] == [125, 0])
        #expect(answer.count == 7 + length + 1 && answer.last == Self.crc8(answer.dropLast()))
        let samples = stride(from: 29, to: 279, by: 2).map {
            Double(Int16(bitPattern: UInt16(answer[$0]) | UInt16(answer[$0 + 1]) << 8)) * 2.467
        }
        #expect((700...1500).contains(samples.max() ?? 0))
        recorder.isOnBody = false
        let off = try #require(Self.answer(recorder, poll, at: 32))
        #expect(off[15] == 7 && off[29..<279].chunked(2).allSatisfy { $0 == [0xFF, 0x7F] })
    }

    // MARK: Streams

    @Test("an FS20F counts its frames, and each has a checksum and a bar")
    func fingertip() throws {
        let oximeter = try Self.sensor("fingertipOximeter")
        let wave = try Self.wave(oximeter)
        let frames = Self.frames(oximeter, wave, 150).flatMap { $0.chunked(8) }
        for (number, frame) in frames.enumerated() {
            #expect(frame.count == 8 && frame.prefix(3) == [0xFE, 8, 0x56] && frame[4] == 0)
            #expect(frame[3] <= 100 && abs(Double(frame[3]) / 7 - Double(frame[5])) < 0.6)
            #expect(frame[6] == UInt8(number % 256))
            #expect(frame[7] == frame[1..<7].reduce(0, &+))
        }
        #expect(frames.count == 300 && wave.rate == .frequency(50.04))
        oximeter.isOnBody = false
        #expect(Self.frames(oximeter, wave, 1).first?.prefix(7) == [0xFE, 8, 0x56, 0, 2, 0, 0])
    }

    @Test("a BerryMed has its wave in each packet, and marks each pulse once")
    func berryMed() throws {
        let oximeter = try Self.sensor("bciOximeter", "oxygenSaturation: 98, pulseRate: 130")
        let packets = Self.frames(oximeter, try Self.wave(oximeter), 3000).flatMap { $0.chunked(5) }
        for packet in packets {
            #expect(packet.map { $0 >> 7 } == [1, 0, 0, 0, 0] && (1...100).contains(packet[1]))
            #expect(packet[2] & 64 == 64 && packet[3] == 2 && packet[4] == 98)
        }
        let beats = zip(packets, packets.dropFirst()).filter { $0[0] & 64 == 0 && $1[0] & 64 != 0 }
        #expect(packets.count == 6000 && abs(beats.count - 130) <= 2)
        oximeter.isOnBody = false
        let off = Self.frames(oximeter, try Self.wave(oximeter), 1).flatMap { $0.chunked(5) }
        #expect(off == [[0x80, 0, 0x50, 0x7F, 0x7F], [0x80, 0, 0x50, 0x7F, 0x7F]])
    }

    @Test("a Nonin sends 25 samples at a time, and the intervals between pulses in tenths of a millisecond")
    func nonin() throws {
        let oximeter = try Self.sensor("noninOximeter", "pulseRate: 75, perfusion: 3.5")
        let frames = Self.frames(oximeter, try Self.wave(oximeter, 1), 300)
        for (number, frame) in frames.enumerated() {
            #expect(frame.count == 53 && frame[0] == 53)
            #expect(frame.suffix(2) == [UInt8(number >> 8), UInt8(number & 0xFF)])
        }
        let intervals = try Self.wave(oximeter, 2)
        #expect(
            oximeter.frame(7, of: intervals, at: [20, 21], intervals: [0.812, 0.8])
                == [12, 0, 7, 0, 1, 0x5E, 0x1F, 0xB8, 1, 0x5E, 0x1F, 0x40])
        let pulses = (100..<130).flatMap { oximeter.pulses(after: Double($0), through: Double($0 + 1)) }
        #expect(abs(pulses.count - 37) <= 1)
        oximeter.isOnBody = false
        #expect(oximeter.pulses(after: 130, through: 160).isEmpty)
    }

    @Test("weak perfusion is a low wave in what is sent")
    func weak() throws {
        func height(_ perfusion: Double) throws -> Int {
            let oximeter = try Self.sensor("fingertipOximeter", "perfusion: \(perfusion)")
            let frames = Self.frames(oximeter, try Self.wave(oximeter), 100).flatMap { $0.chunked(8) }
            let samples = frames.map { Int($0[3]) }
            return (samples.max() ?? 0) - (samples.min() ?? 0)
        }
        #expect(try height(4) > 60 && height(0.25) < 12)
    }
}

extension Sequence where Element == UInt8 {
    /// Parts of a length.
    fileprivate func chunked(_ length: Int) -> [[UInt8]] {
        let octets = Array(self)
        return stride(from: 0, to: octets.count, by: length).map { Array(octets[$0...].prefix(length)) }
    }
}
