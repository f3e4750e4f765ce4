import Testing
import VitalDecoders

@Suite("Polar measurement data")
struct PolarMeasurementDataTests {
    /// A frame of a Verity Sense, as published by the authors of bleakheart.
    private static let captured = """
        01 2d 3b ba ac ab 31 18 0b 80 bb 1a f8 7d 9b f8 94 b9 f8 df 20 f6 08 2a cb ea d5 e2 00 d2 de 2c cc da b6 ee f5 d5
        f9 11 17 fa f1 ef bf 99 ca a7 ec 05 e2 4c e2 df e3 fe 19 31 66 36 e8 0e d6 c2 39 cb f6 27 da 2f 2c 11 24 ce d8 e2
        ec 3e 0d 21 1e 0f f1 dd d3 8e 19 2d f9 3f be a3 07 08 f3 30 11 ee 1e 32 cd 06 11 d8 11 12 e0 14 19 c9 05 00 1d 39
        f8 e9 97 8f bb ea 14 f9 db 0e 1c 25 28 fe c7 cb d5 00 34 fc 11 fe ee 16 ff 18 de ec d0 07 e3 db ed 17 5a 3d 66 db
        c5 dc 06 f1 30 1a 9b 1a 03 34 5f 1c eb f0 fb c9 0f 16 fc 3b 18 3b da 1c 1f d5 19 d1 11 11 de 08 f5 29 2a fa fc 0f
        20 e3 0a 07 03 74 af 41 01 f2 f7 d0 bf fc 35 10 e0 c3 fc 2b 88 31 00 03 0b 5c bf c2 01 2b 20 41 80 04 0d 38 50 c3
        fc
        """.split(separator: "\n").joined(separator: " ")

    private func samples(_ frame: PolarMeasurementFrame) throws -> [[Int32]] {
        guard case .samples(let values, let channels) = frame.content else {
            Issue.record("no samples: \(frame)")
            return []
        }
        return stride(from: 0, to: values.count, by: channels).map { Array(values[$0..<$0 + channels]) }
    }

    @Test("a captured frame with blocks of 8 and of 10 bits gives what an independent program found")
    func captured() throws {
        let frame = try PolarMeasurementFrame(octets(Self.captured))
        #expect(frame.type == .photoplethysmogram && frame.isCompressed && !frame.isCut)
        #expect(frame.timestamp == 799_443_547_265_317_677)
        let samples = try samples(frame)
        #expect(samples.count == 50)
        #expect(samples[43] == [-517_602, -484_732, -477_070, -646_934])
        #expect(samples.last == [-517_453, -484_524, -476_908, -646_937])
        let sums = (0..<4).map { channel in samples.reduce(0) { $0 + Int($1[channel]) } }
        #expect(sums == [-25_880_629, -24_236_343, -23_852_461, -32_346_839])
    }

    @Test("cut short anywhere, a frame keeps whole blocks and says that something is missing")
    func cut() throws {
        let octets = octets(Self.captured)
        let whole = try samples(PolarMeasurementFrame(octets))
        for count in 22..<octets.count {
            let frame = try PolarMeasurementFrame(Array(octets.prefix(count)))
            let kept = try samples(frame)
            // The first sample ends at 22, the first block at 24 + 42 x 4.
            #expect(kept.count == (count < 192 ? 1 : 43) && whole.starts(with: kept))
            #expect(frame.isCut == (count != 22 && count != 192))
        }
        for count in 0..<22 {
            #expect(throws: MalformedValueError.self) { try PolarMeasurementFrame(Array(octets.prefix(count))) }
        }
    }

    @Test("blocks of no bits repeat a sample, but never more often than any packet holds")
    func noBits() throws {
        let header = octets("02 00 00 00 00 00 00 00 00 81 01 00 02 00 03 00")
        let frame = try PolarMeasurementFrame(header + [0, 2])
        #expect(try samples(frame) == [[1, 2, 3], [1, 2, 3], [1, 2, 3]])
        let many = try PolarMeasurementFrame(header + Array(repeating: [0, 255], count: 200).joined())
        #expect(try samples(many).count <= PolarMeasurementFrame.sampleLimit && many.isCut)
        // Wider than any number.
        #expect(try PolarMeasurementFrame(header + [33, 1] + Array(repeating: 0, count: 20)).isCut)
    }

    @Test("commands are the octets that clients send")
    func commands() {
        let settings = PolarMeasurementSettings([.init(.sampleRate, [130]), .init(.resolution, [14])])
        #expect(
            PolarMeasurementControl.start(.electrocardiogram, settings).octets
                == octets("02 00 00 01 82 00 01 01 0E 00"))
        #expect(PolarMeasurementControl.settings(of: .acceleration).octets == octets("01 02"))
        #expect(PolarMeasurementControl.stop(.electrocardiogram).octets == octets("03 00"))
        #expect(
            PolarMeasurementControl.start(.pulseIntervals, PolarMeasurementSettings([])).octets == octets("02 03"))
    }

    @Test("what is offered becomes what is chosen, and unknown settings end the list")
    func settings() throws {
        let answer = try PolarMeasurementControl(
            octets("F0 01 02 00 00 00 04 19 00 32 00 64 00 C8 00 01 01 10 00 02 03 02 00 04 00 08 00"))
        guard case .answer(.settings, let type, .success, false?, let parameters) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(type == PolarMeasurementType.acceleration.rawValue)
        let offered = PolarMeasurementSettings(octets: parameters)
        #expect(offered.values(of: .sampleRate) == [25, 50, 100, 200])
        #expect(offered.values(of: .range) == [2, 4, 8])
        #expect(offered.octets == parameters)
        let chosen = offered.choosing([.sampleRate: 200, .range: 16])
        #expect(chosen.entries.map(\.values) == [[200], [16], [2]])
        #expect(PolarMeasurementSettings(octets: parameters + [9, 1, 0]) == offered)
        #expect(PolarMeasurementSettings(octets: [5, 1] + octets("40 DA 7F 39")).factor == 0.000244)
        #expect(PolarMeasurementSettings(octets: [0, 2, 1, 0]).entries.isEmpty)
    }

    @Test("a sensor that stopped by itself names the streams, and its features name what it has")
    func receivedMessages() throws {
        let stopped = try PolarMeasurementControl(octets("01 00 02"))
        #expect(stopped.stoppedByItself == [.electrocardiogram, .acceleration])
        #expect(try PolarMeasurementControl(octets("0F 05 00")).offered == [.electrocardiogram, .acceleration])
        #expect(try PolarMeasurementControl(octets("0F")).offered == [])
        #expect(stopped.offered == nil)
        #expect(PolarMeasurementStatus.alreadyInState.isAsAsked && !PolarMeasurementStatus(rawValue: 10).isAsAsked)
    }
}
