import EventLoops
import TestSupport
import Testing

@testable import BlueZ

/// An emission as it comes: its octet, the number of its message, the gaps until then, and the milliseconds.
private struct Emission {
    var octet: UInt8
    var serial: UInt32
    var gaps: Int
    var at: Double

    init(_ octet: UInt8, _ serial: UInt32, _ gaps: Int, _ at: Double) {
        (self.octet, self.serial, self.gaps, self.at) = (octet, serial, gaps, at)
    }
}

@Suite("Copies of a value for several listeners")
struct RepeatedEmissionsTests {
    private static func timestamp(_ milliseconds: Double) -> Timestamp {
        Timestamp(monotonicNanoseconds: Int64(milliseconds * 1_000_000), wallMilliseconds: 0)
    }

    /// The number of samples after each emission.
    private func counts(_ emissions: [Emission], alone: Bool = false) -> [Int] {
        var repeated = RepeatedEmissions(gaps: 0)
        if alone { _ = repeated.begin(alone: 0) }
        var samples = 0
        return emissions.map { emission in
            switch repeated.handle(
                [emission.octet], serial: emission.serial, gaps: emission.gaps, at: Self.timestamp(emission.at))
            {
            case .sample: samples += 1
            case .copy: break
            case .burst(let held): samples += held.count + 1
            }
            return samples
        }
    }

    @Test("ten equal values at once are ten samples when no other client listens")
    func alone() {
        let burst = (0..<10).map { (number: Int) -> Emission in
            Emission(7, 10 + UInt32(number), 0, Double(number) * 0.2)
        }
        #expect(counts(burst, alone: true) == Array(1...10))
        // Also when that is not known: from the fifth on it is clear, and what was held back is released.
        #expect(counts(burst) == [1, 1, 1, 1, 1, 1, 1, 1, 9, 10])
    }

    @Test("what comes twice for two listeners is counted once, from the first value on")
    func twoListeners() {
        var pairs: [Emission] = []
        for second in 0..<6 {
            let serial = UInt32(10 + second * 2)
            pairs.append(Emission(7, serial, 1, Double(second * 1000)))
            pairs.append(Emission(7, serial + 1, 1, Double(second * 1000 + 1)))
        }
        #expect(counts(pairs) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
    }

    @Test("a second listener that comes and goes changes nothing in the count")
    func comesAndGoes() {
        // As recorded of bluetoothd 5.66, with its serials; the octets never change.
        let recorded: [Emission] = [
            .init(1, 63, 0, 5407.784), .init(1, 64, 0, 6408.992), .init(1, 65, 0, 7410.528), .init(1, 66, 0, 8412.742),
            .init(1, 67, 0, 9413.373), .init(1, 70, 1, 10_414.083), .init(1, 71, 1, 10_414.310),
            .init(1, 72, 1, 11_416.281),
            .init(1, 73, 1, 11_416.511), .init(1, 74, 1, 12_418.708), .init(1, 75, 1, 12_418.944),
            .init(1, 76, 1, 13_419.768),
            .init(1, 77, 1, 13_419.999), .init(1, 78, 1, 14_422.292), .init(1, 79, 1, 14_422.607),
            .init(1, 81, 2, 15_423.566),
            .init(1, 82, 2, 16_426.567), .init(1, 83, 2, 17_427.401),
        ]
        #expect(counts(recorded) == [1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 12, 13])
    }

    @Test("with two listeners a burst of equal values is counted by half, however late we read it")
    func burstForTwo() {
        var emissions: [Emission] = [
            .init(1, 10, 1, 0), .init(1, 11, 1, 0.2), .init(2, 12, 1, 1000), .init(2, 13, 1, 1000.2),
        ]
        for number in 0..<10 { emissions.append(Emission(3, 14 + UInt32(number), 1, 2000 + Double(number) * 0.1)) }
        #expect(counts(emissions).last == 7)
    }

    @Test("a pair that was a sensor's own costs one sample, and no more")
    func mistakenPair() {
        let emissions: [Emission] = [
            .init(1, 10, 1, 0), .init(1, 11, 1, 1), .init(1, 12, 1, 1000), .init(1, 13, 1, 2000), .init(1, 14, 1, 3000),
            .init(2, 15, 1, 4000),
        ]
        #expect(counts(emissions) == [1, 1, 2, 3, 4, 5])
    }

    @Test("a copy that comes late is not taken for good")
    func lateCopy() {
        let emissions: [Emission] = [
            .init(1, 10, 1, 0), .init(1, 11, 1, 20), .init(1, 12, 1, 1000), .init(1, 13, 1, 1000.2),
            .init(1, 14, 1, 2000), .init(1, 15, 1, 2000.2),
        ]
        #expect(counts(emissions) == [1, 2, 3, 3, 4, 4])
    }

    @Test("for any number of listeners that come and go, every value is counted once", arguments: 0..<20)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var repeated = RepeatedEmissions(gaps: 0)
        var (serial, gaps, listeners, now) = (UInt32(100), 0, 1, 0.0)
        for number in 1...500 {
            if Int.random(in: 0..<10, using: &random) == 0 {
                listeners = Int.random(in: 1...RepeatedEmissions.limit, using: &random)
                serial += 1
                gaps += 1
            }
            // A message of ours that is about something else.
            if Int.random(in: 0..<3, using: &random) == 0 { serial += 1 }
            now += Double.random(in: 100...1500, using: &random)
            let octets = [UInt8.random(in: 70...71, using: &random)]
            var samples = 0
            for _ in 0..<listeners {
                serial += 1
                now += Double.random(in: 0.05...0.4, using: &random)
                switch repeated.handle(octets, serial: serial, gaps: gaps, at: Self.timestamp(now)) {
                case .sample: samples += 1
                case .copy: break
                case .burst(let held): samples += held.count + 1
                }
            }
            #expect(samples == 1, "value \(number) for \(listeners)")
        }
    }
}
