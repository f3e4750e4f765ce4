import Foundation
import TestSupport
import Testing
import VitalDecoders

/// What `make fuzz` looks for, for a fixed number of inputs and without libFuzzer, so that every test run does.
@Suite("Fuzzing")
struct FixedCountTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The inputs of the repository: vectors, and what fuzzing found worth keeping.
    private static func seeds() throws -> [[UInt8]] {
        try FuzzCorpus.inputs(text("corpus.txt"))
            + FuzzCorpus.inputs(vectors: text("../Bluetooth/VitalDecodersTests/Vectors/vectors.txt"))
    }

    private func problem(_ octets: [UInt8]) -> String? {
        octets.withUnsafeBufferPointer { FuzzInput($0)?.problem() }
    }

    @Test("there are seeds for every decoder, every driver and lines of text, and all of them hold")
    func seedsHold() throws {
        let seeds = try Self.seeds()
        let targets = Set(seeds.map { Int($0[0]) })
        #expect(targets == Set(0..<FuzzInput.targetCount))
        for seed in seeds {
            #expect(problem(seed) == nil)
        }
    }

    @Test("changed seeds hold, for every target", .computing, arguments: 0..<FuzzInput.targetCount)
    func changedSeedsHold(target: Int) throws {
        let seeds = try Self.seeds().filter { Int($0[0]) == target }
        var mutator = Mutator(seed: UInt64(target))
        for round in 0..<RandomCases.count("BEDSIDE_CHANGES", usually: 1500) {
            let octets = mutator.changed(seeds[round % seeds.count])
            #expect(problem(octets) == nil)
        }
    }

    @Test("a line of the corpus is the line of its own input")
    func corpusLines() throws {
        for line in try Self.text("corpus.txt").split(separator: "\n") {
            let inputs = FuzzCorpus.inputs(String(line))
            #expect(inputs.count == 1)
            #expect(inputs.first.flatMap(FuzzCorpus.line) == String(line))
        }
    }
}
