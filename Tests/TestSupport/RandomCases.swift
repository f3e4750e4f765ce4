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

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
