import Vitals

/// All checks, in the order of their dependencies.
public struct Report: Hashable, Sendable {
    /// The checks.
    public let checks: [Check]

    /// The worst verdict.
    public var verdict: Check.Verdict { checks.map(\.verdict).max() ?? .ok }

    /// Evaluates facts.
    public init(_ facts: Facts) {
        let evaluated =
            facts.bluetooth.checks + [facts.terminalCheck, facts.localeCheck, facts.glyphCheck] + facts.folderChecks
            + [facts.configurationCheck, facts.confinementCheck, facts.soundCheck, facts.notificationCheck]
        // Names and reasons come from other programs and must be sanitized before they reach a terminal.
        checks = evaluated.map { check in
            var check = check
            check.finding = sanitized(check.finding, limit: 400)
            check.remedy = check.remedy.map { sanitized($0, limit: 400) }
            return check
        }
    }

    /// Creates a report of evaluated checks.
    init(checks: [Check]) {
        self.checks = checks
    }

    /// The final sentence.
    public var conclusion: String {
        switch verdict {
        case .skipped, .ok: "All is well."
        case .advice: "Bedside works here; see the advice."
        case .trouble:
            switch Set(checks.filter { $0.verdict == .trouble }.map { Self.aboutTheScreen.contains($0.name) }) {
            case [true]: "Bedside cannot start its screen here; see the trouble."
            case [false]:
                "Bedside cannot reach sensors here; see the trouble. \"bedside --simulate\" needs no Bluetooth."
            default: "Bedside can neither start its screen nor reach sensors here; see the trouble."
            }
        }
    }

    private static let aboutTheScreen: Set = ["terminal", "config file"]
}
