import Foundation

/// How many random cases a test tries, and which ones: few by `make test`, other ones each day, and many by `make fuzz`.
public enum RandomCases {
    /// The first of the day's seeds, which is printed: the day as a number, or what `BEDSIDE_SEED` says, to repeat a day.
    public static let firstSeed: UInt64 = {
        let named = environment["BEDSIDE_SEED"].flatMap(UInt64.init)
        let day = UInt64(Date().timeIntervalSince1970 / 86_400)
        // Each day has its own million, so that no two days share a case.
        let seed = named ?? day * 1_000_000
        FileHandle.standardError.write(
            Data("Random cases begin with seed \(seed); BEDSIDE_SEED=\(seed) repeats them.\n".utf8))
        return seed
    }()

    /// The number that an environment variable asks for, or the usual one.
    public static func count(_ variable: String, usually usual: Int) -> Int {
        environment[variable].flatMap { Int($0) } ?? usual
    }

    /// The part of many cases that a day tries: each n-th of them, from another one on each day, so that n days have all.
    ///
    /// All of them with `BEDSIDE_ALL_CASES=1`, as by `make fuzz`.
    public static func share<Case>(_ n: Int, of cases: some Sequence<Case>) -> [Case] {
        let cases = Array(cases)
        if environment["BEDSIDE_ALL_CASES"] == "1" { return cases }
        let first = Int(firstSeed / 1_000_000 % UInt64(n))
        return stride(from: min(first, max(0, cases.count - 1)), to: cases.count, by: n).map { cases[$0] }
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
