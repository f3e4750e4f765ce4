import TestSupport

/// How many damaged files of each kind are tried.
enum Mutants {
    /// The seeds of the mutants: a hundred, or as many as the environment asks for, as `make fuzz` does.
    static let seeds = 0..<RandomCases.count("BEDSIDE_MUTANTS", usually: 50)
}
