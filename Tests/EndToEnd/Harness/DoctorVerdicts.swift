import Foundation
import Testing

/// What `bedside doctor --json` says of each thing.
struct DoctorVerdicts {
    /// One verdict.
    struct Verdict {
        var verdict: String
        var finding: String
        var remedy: String?
    }

    private let checks: [String: Verdict]

    /// What it says of a thing, such as `adapter`.
    subscript(name: String) -> Verdict? { checks[name] }

    /// Has this computer examined, and checks what every report must have.
    ///
    /// - Parameters:
    ///   - arguments: What follows `doctor --json`.
    ///   - status: The exit status that is expected.
    static func examine(
        _ arguments: [String] = [], on world: World? = nil, environment: [String: String] = [:], status: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> DoctorVerdicts {
        // Where the tests run in a terminal, the doctor looks at it.
        let environment = environment.merging(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]) { first, _ in first }
        let outcome = try await ProgramWithPipes.run(
            ["doctor", "--json"] + arguments, on: world, environment: environment)
        #expect(outcome.status == .exited(status), "\(outcome.output)", sourceLocation: sourceLocation)
        #expect(outcome.errorOutput.isEmpty, sourceLocation: sourceLocation)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(report["v"] as? Int == 1)
        var checks: [String: Verdict] = [:]
        for check in try #require(report["checks"] as? [[String: String]]) {
            let verdict = Verdict(
                verdict: try #require(check["verdict"]), finding: try #require(check["finding"]),
                remedy: check["remedy"])
            if ["advice", "trouble"].contains(verdict.verdict) { #expect(verdict.remedy != nil) }
            checks[try #require(check["name"])] = verdict
        }
        return DoctorVerdicts(checks: checks)
    }
}
