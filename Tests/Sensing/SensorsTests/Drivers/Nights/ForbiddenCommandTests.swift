import SensorDrivers
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

/// The commands that reset a ring, erase its nights, or end its radio until it is charged.
@Suite("The commands that no ring may ever get")
struct ForbiddenCommandTests {
    private static let forbidden: [SensorNights.RingGeneration: Set<UInt8>] = [
        .older: [0x18, 0x19, 0x1A],
        .oxyII: [0xE2, 0xE3, 0xE5, 0xE6, 0xE7, 0xEA, 0xEB, 0xEE, 0xF5, 0xF6, 0xF7, 0xF8, 0xFA],
    ]
    private static let allowed: [SensorNights.RingGeneration: Set<UInt8>] = [
        .older: [0x03, 0x04, 0x05, 0x14, 0x17, 0x1B],
        .oxyII: [0x00, 0x04, 0x10, 0xE1, 0xF1, 0xF2, 0xF3, 0xF4, 0xFF],
    ]

    @Test(
        "are not sent, whatever a ring answers and whatever is wanted of it",
        arguments: SensorNights.RingGeneration.allCases, 0..<40)
    func never(_ generation: SensorNights.RingGeneration, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 2 + (generation == .older ? 1 : 0))
        let names = ["20251230220000", "20251231220000"]
        let start = DateTime(year: 2025, month: 12, day: 30, hour: 22, minute: 0, second: 0)
        var ring = FakeRing(
            generation,
            [
                names[0]: NightFileExample.octets(
                    generation, samples: Int.random(in: 1...900, using: &random), start: start)
            ])
        ring.listed = names
        ring.contact = UInt8.random(in: 0...3, using: &random)
        ring.piecesLeft = Int.random(in: 0...6, using: &random)
        let policy = try #require(NightPolicy.allCases.randomElement(using: &random))
        var bench = ring.connected(
            DriverNights(policy: policy, fetching: Bool.random(using: &random) ? .asked : .none))
        for _ in 0..<60 where !bench.state.isOver {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bench.handle(.nights(.wanted))
            case 1: bench.handle(.nights(.handled(name: names[0], problem: Bool.random(using: &random) ? "no" : nil)))
            case 2: bench.wait(.milliseconds(Int.random(in: 0...9000, using: &random)))
            case 3:
                let octets = Self.octets(upTo: 40, &random)
                bench.receive(octets, from: ring.notifying)
            case 4:
                let command = UInt8.random(in: 0...255, using: &random)
                let data = Self.octets(upTo: 30, &random)
                bench.receive(
                    viatomAnswer(command, data, flag: UInt8.random(in: 0...2, using: &random)), from: ring.notifying)
            default: ring.play(&bench)
            }
        }
        let sent = Self.commands(in: bench.written(to: ring.writing))
        let (never, some) = (try #require(Self.forbidden[generation]), try #require(Self.allowed[generation]))
        #expect(sent.isDisjoint(with: never) && sent.isSubset(of: some), "\(sent)")
        #expect(!sent.isEmpty && some.isDisjoint(with: never))
    }

    private static func octets(upTo most: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var octets: [UInt8] = []
        for _ in 0..<Int.random(in: 0...most, using: &random) {
            octets.append(UInt8.random(in: 0...255, using: &random))
        }
        return octets
    }

    /// The commands of the requests that some writes are the pieces of.
    private static func commands(in writes: [[UInt8]]) -> Set<UInt8> {
        var (commands, rest) = (Set<UInt8>(), writes.flatMap(\.self)[...])
        while rest.count >= 8 {
            let first = rest.startIndex
            commands.insert(rest[first + 1])
            let length = Int(rest[first + 5]) | Int(rest[first + 6]) << 8
            rest = rest.dropFirst(8 + length)
        }
        return commands
    }
}
