import Testing

/// The command-line program `sqlite3`: a second pair of eyes on the store.
enum SQLiteTool {
    /// The rows of a query, each as the texts of its columns.
    static func rows(
        _ query: String, in path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [[String]] {
        let outcome = try await ProgramWithPipes.run(
            ["-batch", "-cmd", ".timeout 10000", "-separator", "\u{1F}", path, query], program: "/usr/bin/sqlite3",
            sourceLocation: sourceLocation)
        guard outcome.status == .exited(0) else {
            throw HarnessError("sqlite3: \(outcome.errorOutput)", at: sourceLocation)
        }
        return outcome.output.split(separator: "\n").map {
            $0.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
