import Foundation

/// How many damaged files of each kind are tried.
enum Mutants {
    /// The seeds of the mutants: a hundred, or as many as the environment asks for, as `make fuzz` does.
    static let seeds = 0..<(ProcessInfo.processInfo.environment["BEDSIDE_MUTANTS"].flatMap { Int($0) } ?? 100)
}
