import CDecoders

/// A kind of values, and the same decoder twice.
struct Contest {
    var name: String
    var octets: [[UInt8]]
    var swift: (Values, Int) -> UInt64
    var c: (values, Int) -> UInt64
}

let contests = [
    Contest(
        name: "2A1C", octets: (0..<64).map { [0x04, UInt8($0), 0x0E, 0x00, 0xFE, 0x02] },
        swift: { sumOfTemperatures($0, rounds: $1) }, c: { sum_temperatures($0, $1) }),
    Contest(
        name: "2A1C with time stamp",
        octets: (0..<64).map { [0x06, UInt8($0), 0x0E, 0x00, 0xFE, 0xE9, 0x07, 0x03, 0x0A, 0x0E, 0x1E, 0x2D, 0x02] },
        swift: { sumOfTemperatures($0, rounds: $1) }, c: { sum_temperatures($0, $1) }),
    Contest(
        name: "2A37 without RR", octets: (0..<64).map { [0x06, 40 + UInt8($0)] },
        swift: { sumOfHeartRates($0, rounds: $1) }, c: { sum_heart_rates($0, $1) }),
    Contest(
        name: "2A37 with 2 RR", octets: (0..<64).map { [0x16, 40 + UInt8($0), 0x16, 0x03, 0x20, 0x03] },
        swift: { sumOfHeartRates($0, rounds: $1) }, c: { sum_heart_rates($0, $1) }),
    Contest(
        name: "2A5F as a PM100 sends it",
        octets: (0..<64).map { [0x1C, 60 + UInt8($0 & 31), 0, 0x40, 0, 0x20, 0, 0x20, 0, 0, 0x22, 0xF0] },
        swift: { sumOfOximeters($0, rounds: $1) }, c: { sum_oximeters($0, $1) }),
    Contest(
        name: "2A5F with every field",
        octets: (0..<64).map {
            [
                0x1F, UInt8($0), 0xF3, 0xCA, 0xF3, 0xCA, 0xF3, 0x5A, 0xF5, 0xD4, 0xF3, 0xB2, 0xF2, 0x20, 1, 0, 0, 0,
                0x7A, 0xE3,
            ]
        },
        swift: { sumOfOximeters($0, rounds: $1) }, c: { sum_oximeters($0, $1) }),
]

/// The least processor time of one decode in nanoseconds, of several tries.
func nanoseconds(_ decodes: Int, _ body: () -> UInt64) -> Double {
    var best = Double.infinity
    for _ in 0..<7 {
        let start = processor_nanoseconds()
        _ = body()
        best = min(best, Double(processor_nanoseconds() - start) / Double(decodes))
    }
    return best
}

/// The octets of all values in hexadecimal.
func hexadecimal(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

// One line for each contest, as measure.py reads it: name, octets of one value, octets of all, the sum of one round,
// nanoseconds of one decode in Swift and in C, allocations of one decode in Swift.
let rounds = 50_000
for contest in contests {
    let values = Values(octets: contest.octets.flatMap { $0 }, count: contest.octets[0].count)
    let decodes = rounds * contest.octets.count
    values.octets.withUnsafeBufferPointer { buffer in
        let inC = CDecoders.values(
            octets: buffer.baseAddress, stride: values.count, count: values.count, number: contest.octets.count)
        // Every value, and every value cut short at every octet, must say the same in both.
        for count in 0...values.count {
            for octets in contest.octets {
                let cut = Array(octets[..<count])
                let expected = cut.withUnsafeBufferPointer {
                    contest.c(CDecoders.values(octets: $0.baseAddress, stride: count, count: count, number: 1), 1)
                }
                guard count == 0 || contest.swift(Values(octets: cut, count: count), 1) == expected else {
                    fatalError("\(contest.name): Swift and C differ on \(cut)")
                }
            }
        }
        let before = allocation_count()
        let sum = contest.swift(values, 100)
        let allocations = Double(allocation_count() - before) / Double(100 * contest.octets.count)
        guard sum == contest.c(inC, 100) else { fatalError("\(contest.name): Swift and C differ") }
        let swift = nanoseconds(decodes) { contest.swift(values, rounds) }
        let c = nanoseconds(decodes) { contest.c(inC, rounds) }
        let sumOfOne = contest.swift(values, 1)
        print(
            "\(contest.name)\t\(values.count)\t\(hexadecimal(values.octets))\t\(sumOfOne)\t\(swift)\t\(c)\t\(allocations)"
        )
    }
}
