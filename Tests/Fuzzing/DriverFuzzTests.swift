import Foundation
import TestSupport
import Testing

@testable import KnownSensors

/// Octet strings that no sensor sends, for every driver: 8 000, or as many as `BEDSIDE_STRINGS` says.
@Suite("Drivers among nonsense")
struct DriverFuzzTests {
    private static let count = RandomCases.count("BEDSIDE_STRINGS", usually: 8_000)

    private static func seeds(of target: Int) throws -> [[UInt8]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "corpus.txt")
        return FuzzCorpus.inputs(try String(contentsOf: file, encoding: .utf8)).filter { Int($0[0]) == target }
    }

    /// Steps in which lengths fit, so that most of an input is used.
    private static func steps(_ random: inout SeededGenerator) -> [UInt8] {
        var octets: [UInt8] = []
        for _ in 0..<Int.random(in: 4...40, using: &random) {
            let head = UInt8.random(in: 0...0x7F, using: &random)
            let length = Int.random(in: 0...10, using: &random) == 0 ? 60 : Int.random(in: 0...20, using: &random)
            octets += [head, UInt8(length)]
            if head & 3 != 2 { octets += (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
        }
        return octets
    }

    @Test("report values where the sensor sends what it should", arguments: DriverFuzz.drivers.indices)
    func reached(place: Int) throws {
        let driver = DriverFuzz.drivers[place]
        let values = try Self.seeds(of: FuzzInput.linesTarget + 1 + place).map { seed in
            seed.dropFirst(2).withUnsafeBufferPointer { DriverFuzz.play(driver, plan: seed[1], $0).values }
        }
        // The bridge's values need a calibration, so it reports none.
        #expect(values.contains { $0 > 0 } == (driver != XDripBridgeDriver.self), "\(driver)")
    }

    @Test(
        "stream or are over in the end, and report only what can be measured", .computing,
        arguments: DriverFuzz.drivers.indices)
    func hold(place: Int) throws {
        let driver = DriverFuzz.drivers[place]
        let seeds = try Self.seeds(of: FuzzInput.linesTarget + 1 + place)
        try #require(!seeds.isEmpty)
        var random = SeededGenerator(seed: UInt64(place))
        var mutator = Mutator(seed: UInt64(place))
        var (strings, round) = (0, 0)
        while strings < Self.count {
            round += 1
            var input = mutator.changed(seeds[round % seeds.count])
            // Half of the inputs go on from what a sensor really sends, so that they get further.
            if round % 2 == 0 { input += Self.steps(&random) }
            if round % 4 == 1 { input = Array(input.prefix(2)) + Self.steps(&random) }
            let link = input.dropFirst(2).withUnsafeBufferPointer { DriverFuzz.play(driver, plan: input[1], $0) }
            strings += link.strings
            if let problem = link.problem {
                Issue.record("\(problem)")
                return
            }
        }
        if Self.count > 20_000 { print("\(driver): \(strings) octet strings in \(round) conversations") }
    }
}
