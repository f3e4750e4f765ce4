import Base
import Testing
import VitalDecoders

@testable import BlueZSimulator

/// Octets of requests and answers that public descriptions print, or that follow from their layouts.
@Suite("The conversation about stored nights")
struct StoredNightsTests {
    private static let clock = "2026-09-28 22:15:07"

    /// A ring in which one night of a minute is stored, at second 0 of its scenario.
    private static func ring(_ ring: RingProtocol, _ nights: [NightDescription]? = nil) -> StoredNights {
        let clock = DateTime(ringText: clock)?.clockSeconds ?? 0
        let night = NightDescription(
            start: .clock(clock - 3600), length: 1000, interval: ring.interval, saturation: Quantity(constant: 97),
            pulseRate: Quantity(constant: 61))
        return StoredNights(
            StoredNightsDescription(ring: ring, nights: nights ?? [night]), clock: clock, noise: Noise(seed: 1))
    }

    private static func surroundings(
        at seconds: Double = 0, _ quantities: [String: Double] = [:]
    ) -> StoredNights.Surroundings {
        StoredNights.Surroundings(
            seconds: seconds, clock: DateTime(ringText: clock) ?? DateTime(clockSeconds: 0), name: "O2Ring 0541",
            quantity: { quantities[$0] ?? ($0 == "charge" ? 85 : $0 == "breaks" ? 1 : 0) })
    }

    private static func octets(_ text: String) throws -> [UInt8] { try Hexadecimal.octets(text.utf8) }

    /// The octets of the only answer to a request.
    private static func answer(
        _ ring: inout StoredNights, _ request: [UInt8], _ surroundings: StoredNights.Surroundings = surroundings()
    ) throws -> [UInt8] {
        let reactions = ring.reactions(to: request, surroundings)
        guard reactions.count == 1, case .answer(let octets, _) = reactions[0] else {
            Issue.record("\(reactions)")
            return []
        }
        #expect(Checksum.crc8(octets.dropLast()) == octets.last)
        return octets
    }

    private static func request(_ marker: UInt8, _ command: UInt8, _ middle: [UInt8] = [0, 0], _ data: [UInt8] = [])
        -> [UInt8]
    {
        let octets = [marker, command, ~command] + middle + OctetChecksum.lowestFirst(UInt16(data.count)) + data
        return octets + [Checksum.crc8(octets)]
    }

    private static func older(_ command: UInt8, block: UInt16 = 0, _ data: [UInt8] = []) -> [UInt8] {
        request(0xAA, command, OctetChecksum.lowestFirst(block), data)
    }

    private static func newer(_ command: UInt8, number: UInt8 = 0, _ data: [UInt8] = []) -> [UInt8] {
        request(0xA5, command, [0, number], data)
    }

    private static let login = "A5 FF 00 00 00 10 00 00 68 15 88 72 09 1C B0 98 C8 C7 DA 74 6E A1 99 25"

    /// Logs in, and does what else a newer ring wants before it opens files.
    private static func begin(_ ring: inout StoredNights) throws {
        #expect(ring.reactions(to: try octets(login), surroundings()) == [.silence])
        let pushes = try octets("A5 10 EF 00 00 01 00 00 07")
        #expect(ring.reactions(to: pushes, surroundings()) == [.rules(pushes)])
        let configuration = try answer(&ring, try octets("A5 00 FF 00 00 00 00 B8"))
        #expect(configuration.prefix(7) == [0xA5, 0, 0xFF, 1, 0, 40, 0] && configuration.count == 48)
        // The interval of the samples.
        #expect(configuration[7 + 8] == 1)
    }

    private static func opening(_ name: String) -> [UInt8] {
        newer(0xF2, Array(name.utf8) + [UInt8](repeating: 0, count: 20 - name.utf8.count))
    }

    // MARK: The older rings

    @Test("an older ring says in JSON what files there are, with a request of the published octets")
    func information() throws {
        var ring = Self.ring(.viatom)
        let answer = try Self.answer(&ring, try Self.octets("AA 14 EB 00 00 00 00 C6"))
        #expect(answer.prefix(5) == [0x55, 0, 0xFF, 0, 0])
        let text = String(decoding: answer[7..<(answer.count - 1)], as: UTF8.self)
        for part in [
            "\"SN\":\"2115000541\"", "\"CurTIME\":\"2026-09-28,22:15:07\"", "\"CurBAT\":\"85%\"",
            "\"FileList\":\"20260928211507,\"",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(
            try Self.answer(&ring, Self.octets("AA 15 EA 00 00 00 00 8D")).dropLast() == [0x55, 0, 0xFF, 0, 0, 0, 0])
    }

    @Test("an older ring hands over a file in blocks of 512 octets, which are asked for by their numbers")
    func blocks() throws {
        var ring = Self.ring(.viatom)
        let night = try #require(ring.stored(at: 0).first)
        let file = ring.octets(of: night, at: 0)
        #expect(file.count == 40 + 5 * 250)
        let size = try Self.answer(&ring, Self.older(0x03, Array("20260928211507".utf8) + [0]))
        #expect(size[7..<11] == [0x0A, 0x05, 0, 0])
        var read: [UInt8] = []
        for block in 0..<3 {
            let request = Self.older(0x04, block: UInt16(block))
            if block == 1 { #expect(request == (try Self.octets("AA 04 FB 01 00 00 00 7C"))) }
            let answer = try Self.answer(&ring, request)
            #expect(answer[3] == UInt8(block))
            read += answer[7..<(answer.count - 1)]
        }
        #expect(read == file)
        #expect(try Self.answer(&ring, Self.octets("AA 05 FA 00 00 00 00 21")).prefix(3) == [0x55, 0, 0xFF])
        #expect(ring.counts == StoredNights.Counts(opened: 1, closed: 1, chunks: 3))
        // No file is open, and there is none of that name.
        #expect(try Self.answer(&ring, Self.older(0x04))[1] == 1)
        let unknown = try Self.octets("AA 03 FC 00 00 0F 00 32 30 32 34 30 31 30 31 32 32 33 30 30 30 00 EC")
        #expect(try Self.answer(&ring, unknown)[1] == 1)
    }

    @Test("an older ring's clock is set by JSON, and what is no JSON is refused")
    func settings() throws {
        var ring = Self.ring(.viatom)
        let request = try Self.octets(
            """
            AA 16 E9 00 00 21 00 7B 22 53 65 74 54 49 4D 45 22 3A 22 32 30 32 36 2D 30 39 2D 32 38 2C 32 32 3A 33 30 \
            3A 30 30 22 7D A3
            """)
        #expect(try Self.answer(&ring, request)[1] == 0)
        #expect(ring.clockToSet == DateTime(ringText: "2026-09-28,22:30:00")?.octets)
        #expect(try Self.answer(&ring, Self.older(0x16, Array("SetTIME".utf8)))[1] == 1)
    }

    @Test("requests come in pieces of any length, and what is no sound request is dropped")
    func pieces() throws {
        var ring = Self.ring(.viatom)
        let request = try Self.octets("AA 14 EB 00 00 00 00 C6")
        for octet in [0xAA, 0x17] + request.dropLast() {
            #expect(ring.reactions(to: [octet], Self.surroundings()).isEmpty)
        }
        #expect(ring.reactions(to: [0xC6], Self.surroundings()).count == 1)
        #expect(ring.reactions(to: request.dropLast() + [0xC7], Self.surroundings()).isEmpty)
        let live = try Self.octets("AA 17 E8 00 00 00 00 1B")
        #expect(ring.reactions(to: live + live, Self.surroundings()) == [.rules(live), .rules(live)])
    }

    // MARK: The newer rings

    @Test("a newer ring says who it is in the octets of a real one, with its own clock")
    func newerInformation() throws {
        var ring = Self.ring(.oxyII)
        #expect(Self.newer(0xE1, number: 2).last == 0xBF)
        let answer = try Self.answer(&ring, Self.newer(0xE1, number: 2))
        #expect(answer.prefix(7) == [0xA5, 0xE1, 0x1E, 1, 2, 60, 0])
        let payload = try Self.octets(
            """
            42 00 05 00 01 02 00 00 00 32 44 30 31 30 30 30 31 01 40 08 52 16 01 00 EA 07 09 1C 16 0F 07 E0 07 00 00 00 \
            00 0A 32 36 33 32 33 30 30 35 34 31 00 00 00 00 00 00 00 00 00 00 00 00
            """)
        #expect(Array(answer[7..<67]) == payload)
    }

    @Test("a newer ring lists files after its login, and hands one over from any place")
    func places() throws {
        var ring = Self.ring(.oxyII)
        let list = try Self.octets("A5 F1 0E 00 00 00 00 C5")
        #expect(ring.reactions(to: list, Self.surroundings()) == [.silence])
        try Self.begin(&ring)
        let names = try Self.answer(&ring, list)
        #expect(names[7] == 1 && names[8..<24] == Array("20260928211507".utf8) + [0, 0])
        #expect(try Self.answer(&ring, Self.octets("A5 F4 0B 00 00 00 00 A5"))[3] == 1)
        #expect(try Self.answer(&ring, Self.opening("20260928211507"))[7..<11] == [0xF2, 0x0B, 0, 0])
        // A second one must wait until this one is closed.
        #expect(ring.reactions(to: Self.opening("20260928211507"), Self.surroundings()) == [.silence])
        var read: [UInt8] = []
        while read.count < 10 + 3 * 1000 + 48 {
            let place = (0..<4).map { UInt8(truncatingIfNeeded: read.count >> (8 * $0)) }
            let answer = try Self.answer(&ring, Self.newer(0xF3, number: 9, place))
            #expect(answer[3...4] == [1, 9] && answer.count <= 520)
            try #require(answer.count > 8)
            read += answer[7..<(answer.count - 1)]
        }
        #expect(try ViatomNightFile(read).samples.count == 1000)
        let behind = try Self.octets("A5 F3 0C 00 00 04 00 F2 0B 00 00 00").dropLast()
        #expect(try Self.answer(&ring, behind + [Checksum.crc8(behind)]).count == 8)
        #expect(try Self.answer(&ring, Self.newer(0xF4))[3] == 1)
        let unknown = try Self.octets(
            "A5 F2 0D 00 00 14 00 32 30 32 36 30 39 32 38 32 32 31 35 30 37 00 00 00 00 00 00 3F")
        #expect(try Self.answer(&ring, unknown).dropLast() == [0xA5, 0xF2, 0x0D, 0xE0, 0, 0, 0])
    }

    @Test("a newer ring opens no file before its login, the end of pushes and the configuration")
    func order() throws {
        for missing in 0..<3 {
            var ring = Self.ring(.oxyII)
            let steps = [try Self.octets(Self.login), Self.newer(0x10, [0]), Self.newer(0x00)]
            for (index, step) in steps.enumerated() where index != missing {
                _ = ring.reactions(to: step, Self.surroundings())
            }
            #expect(ring.reactions(to: Self.opening("20260928211507"), Self.surroundings()) == [.silence])
        }
        var ring = Self.ring(.oxyII)
        // A login of other octets is no login.
        _ = ring.reactions(to: Self.newer(0xFF, [UInt8](repeating: 7, count: 16)), Self.surroundings())
        #expect(ring.reactions(to: Self.newer(0xF1), Self.surroundings()) == [.silence])
    }

    @Test("after live values a newer ring refuses files until the link has ended")
    func live() throws {
        var ring = Self.ring(.oxyII)
        try Self.begin(&ring)
        let poll = try Self.octets("A5 04 FB 00 00 00 00 93")
        #expect(ring.reactions(to: poll, Self.surroundings()) == [.rules(poll)])
        #expect(try Self.answer(&ring, Self.opening("20260928211507"))[3] == 0xF2)
        ring.beginLink()
        #expect(ring.reactions(to: Self.newer(0xF1), Self.surroundings()) == [.silence])
        try Self.begin(&ring)
        #expect(try Self.answer(&ring, Self.opening("20260928211507"))[3] == 1)
    }

    @Test("a newer ring's clock is set, a battery is the scenario's, and what it does not know is unsupported")
    func others() throws {
        var ring = Self.ring(.oxyII)
        let clock = try Self.octets("A5 C0 3F 00 00 08 00 EA 07 09 1C 16 0F 07 14 3A")
        #expect(try Self.answer(&ring, clock).dropLast() == [0xA5, 0xC0, 0x3F, 1, 0, 0, 0])
        #expect(ring.clockToSet == DateTime(ringText: Self.clock)?.octets)
        let battery = try Self.octets("A5 E4 1B 00 00 00 00 09")
        #expect(ring.reactions(to: battery, Self.surroundings()) == [.rules(battery)])
        #expect(try Self.answer(&ring, Self.newer(0x05))[3] == 0xFD)
    }

    // MARK: Which nights there are

    @Test("four nights are kept; the oldest goes when the next one begins, which a newer ring has at once")
    func capacity() throws {
        let nights = (0..<5).map { index in
            NightDescription(
                start: .seconds([-4000, -3000, -2000, -1000, 100][index]), length: 400, interval: 1,
                saturation: Quantity(constant: 97), pulseRate: Quantity(constant: 61))
        }
        func begins(_ ring: RingProtocol, _ seconds: Double) -> [Double] {
            Self.ring(ring, nights).stored(at: seconds).map(\.begin)
        }
        #expect(begins(.oxyII, 99) == [-4000, -3000, -2000, -1000])
        #expect(begins(.oxyII, 100) == [-3000, -2000, -1000, 100])
        #expect(begins(.viatom, 100) == [-3000, -2000, -1000] && begins(.viatom, 500).count == 4)
        var ring = Self.ring(.oxyII, nights)
        func isComplete(_ seconds: Double) throws -> [Bool] {
            try ring.stored(at: seconds).map { try ViatomNightFile(ring.octets(of: $0, at: seconds)).isComplete }
        }
        // The end is written two minutes after the night.
        #expect(try isComplete(619) == [true, true, true, false] && isComplete(620) == [true, true, true, true])
        let newest = try #require(ring.stored(at: 160).last)
        #expect(try ViatomNightFile(ring.octets(of: newest, at: 160)).samples.count == 60)
        ring.beginLink()
        #expect(ring.stored(at: 160).count == 4)
    }

    @Test("a time of day is that of the evening so many days before the last noon", arguments: [(13, 27), (9, 26)])
    func evenings(hour: Int, day: UInt8) throws {
        let clock = try #require(DateTime(ringText: "2026-09-28 \(hour < 10 ? "0" : "")\(hour):00:00")?.clockSeconds)
        let night = NightDescription(
            start: .evening(22 * 3600, daysAgo: 1), length: 25_200, interval: 1, saturation: Quantity(constant: 97),
            pulseRate: Quantity(constant: 61))
        let ring = StoredNights(
            StoredNightsDescription(ring: .oxyII, nights: [night]), clock: clock, noise: Noise(seed: 1))
        #expect(ring.stored(at: 0).map(\.name) == ["202609\(day)220000"])
    }

    // MARK: What goes wrong

    @Test("a link breaks once after so many blocks, and the next one gets the whole file")
    func breaking() throws {
        var ring = Self.ring(.viatom)
        let surroundings = Self.surroundings(["breakAfter": 2, "chunkDelay": 1.5])
        let opening = Self.older(0x03, Array("20260928211507".utf8) + [0])
        _ = try Self.answer(&ring, opening, surroundings)
        for block in 0..<2 {
            guard
                case .answer(_, let delay)? = ring.reactions(
                    to: Self.older(0x04, block: UInt16(block)), surroundings
                ).first
            else {
                Issue.record("block \(block) does not come")
                return
            }
            #expect(delay == 1.5)
        }
        #expect(ring.reactions(to: Self.older(0x04, block: 2), surroundings) == [.breakLink])
        ring.beginLink()
        #expect(ring.opened == nil)
        _ = try Self.answer(&ring, opening, surroundings)
        for block in 0..<3 { _ = try Self.answer(&ring, Self.older(0x04, block: UInt16(block)), surroundings) }
        #expect(ring.counts.chunks == 5)
    }

    @Test("a ring that is busy opens the file at a later attempt")
    func busy() throws {
        var ring = Self.ring(.oxyII)
        try Self.begin(&ring)
        let surroundings = Self.surroundings(["busyAnswers": 2])
        let flags = try (0..<3).map { _ in try Self.answer(&ring, Self.opening("20260928211507"), surroundings)[3] }
        #expect(flags == [0xFB, 0xFB, 1])
    }

    @Test("a file can be announced with a wrong length, and have any name")
    func lies() throws {
        var night = NightDescription(
            start: .seconds(-1000), length: 100, interval: 1, saturation: Quantity(constant: 97),
            pulseRate: Quantity(constant: 61))
        (night.defect, night.name) = (.wrongSize, "../../etc/\u{1B}[2Jpasswd")
        var ring = Self.ring(.oxyII, [night])
        try Self.begin(&ring)
        // The list of a newer ring has 16 octets for a name.
        let name = Array("../../etc/\u{1B}[2Jpa".utf8)
        #expect(try Self.answer(&ring, Self.newer(0xF1))[8..<24] == name[...])
        let size = try Self.answer(&ring, Self.newer(0xF2, name + [0, 0, 0, 0]))
        #expect(Int(size[7]) | Int(size[8]) << 8 == 10 + 3 * 100 + 48 + 100)
        var older = Self.ring(.viatom, [night])
        let json = try Self.answer(&older, Self.older(0x14))
        #expect(String(decoding: json, as: UTF8.self).contains("\"FileList\":\"../../etc/\\u001b[2Jpasswd,\""))
    }

    @Test(
        "a command that erases nights or ends a ring is recorded, and the ring answers nothing any more",
        arguments: [
            (RingProtocol.viatom, [0x18, 0x19, 0x1A]),
            (.oxyII, [0xE2, 0xE3, 0xE5, 0xE6, 0xE7, 0xEA, 0xEB, 0xEE, 0xF5, 0xF6, 0xF7, 0xF8, 0xFA]),
        ] as [(RingProtocol, [UInt8])])
    func forbidden(protocol: RingProtocol, commands: [UInt8]) {
        #expect(`protocol`.forbidden == Set(commands))
        for command in commands {
            var ring = Self.ring(`protocol`)
            let marker: UInt8 = `protocol` == .viatom ? 0xAA : 0xA5
            #expect(ring.reactions(to: Self.request(marker, command), Self.surroundings()) == [.die])
            #expect(ring.counts.forbidden == [command] && ring.isDead)
            let live = Self.request(marker, `protocol` == .viatom ? 0x17 : 0x04)
            #expect(ring.reactions(to: live, Self.surroundings()).isEmpty)
        }
    }
}
