import Foundation
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

/// The driver against a transmitter in Python, with another implementation of AES and of the checksum.
@Suite(
    "A Dexcom transmitter that others have written",
    .enabled(if: PythonScript.isHere(with: "cryptography"), "Debian's package python3-cryptography is missing"))
struct DexcomPeerTests {
    private let peer: PythonScript
    private var random = SeededGenerator(seed: 5)

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        peer = try PythonScript(folder.appending(path: "dexcom_peer.py").path)
    }

    /// Six letters and digits.
    private mutating func identifier() -> String {
        String((0..<6).compactMap { _ in "0123456789ABCDEFGHJKLMNPQRSTUWXY".randomElement(using: &random) })
    }

    /// Lets the driver converse with the peer until neither has more to say.
    private mutating func converse(as identifier: String) throws -> DriverBench {
        let token = (0..<8).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        var bench = DriverBench(DexcomDriver.self, transmitter: identifier, randomOctets: { _ in token })
        bench.connect(Attributes.dexcom)
        var heard = 0
        while heard < bench.requests.count {
            let request = bench.requests[heard]
            heard += 1
            guard case .write(let octets) = request.kind else { continue }
            let name = request.uuid == DexcomDriver.control ? "3534" : "3535"
            let words = try peer.answer(
                to: "write \(name) \(octets.map { String(format: "%02x", $0) }.joined())"
            )
            .split(separator: " ")
            guard words.count == 2 else { continue }
            #expect(words[0] == name)
            bench.receive(try #require(Self.octets(words[1])), from: request.uuid)
        }
        return bench
    }

    private static func octets(_ text: Substring) -> [UInt8]? {
        let digits = Array(text)
        let octets = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return octets.count * 2 == digits.count ? octets : nil
    }

    private static func outcome(glucose: Int, state: Int?) -> Reading.Outcome {
        let value = VitalValue(whole: glucose)
        return switch state {
        case 6: .measured(value, .good)
        case 7: .measured(value, .calibrationWanted)
        case nil, 0, 1: .noMeasurement(.notANumber)
        case 2: .noMeasurement(.calibrating)
        case 3: .noMeasurement(.searching)
        case 4, 5: .noMeasurement(.calibrationWanted)
        default: .noMeasurement(.equipment)
        }
    }

    @Test("accepts our proof, proves itself, and its glucose is read, for two hundred identifiers and tokens")
    mutating func handshakes() throws {
        for seed in 0..<200 {
            let identifier = identifier()
            let words = try peer.answer(to: "begin \(identifier) \(seed) 1").split(separator: " ").map { Int($0) }
            let bench = try converse(as: identifier)
            #expect(bench.state == .finished)
            let outcomes = bench.reports.compactMap { report -> Reading.Outcome? in
                if case .reading(.glucose, let outcome, _) = report { outcome } else { nil }
            }
            #expect(outcomes == [Self.outcome(glucose: try #require(words[0]), state: words[1])], "seed \(seed)")
            // It was told that we leave, and asked nothing that changes a session.
            #expect(bench.written(to: DexcomDriver.control).last == [0x09])
        }
    }

    @Test("with another identifier is recognised as such, and learns nothing from us")
    mutating func anotherIdentifier() throws {
        for seed in 0..<20 {
            _ = try peer.answer(to: "begin \(identifier()) \(seed) 1")
            let bench = try converse(as: identifier())
            guard case .refused = bench.state else {
                Issue.record("\(bench.state)")
                return
            }
            #expect(bench.written(to: DexcomDriver.authentication).count == 1)
        }
    }

    @Test("that is not bonded with us is asked for nothing before somebody has paired it")
    mutating func notBonded() throws {
        let identifier = identifier()
        _ = try peer.answer(to: "begin \(identifier) 1 2")
        let bench = try converse(as: identifier)
        #expect(bench.state == .failed(.pairing(DexcomDriver.warning)))
        #expect(bench.written(to: DexcomDriver.control).isEmpty)
    }
}
