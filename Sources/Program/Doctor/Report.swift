import Base
import Vitals

/// All checks, in the order of their dependencies.
public struct Report: Hashable, Sendable {
    public let checks: [Check]

    /// The worst verdict.
    public var verdict: Check.Verdict { checks.map(\.verdict).max() ?? .ok }

    /// Evaluates facts.
    public init(_ facts: Facts) {
        let evaluated =
            facts.bluetooth.checks + [facts.refusalCheck, facts.terminalCheck, facts.localeCheck, facts.glyphCheck]
            + facts.folderChecks + [facts.diskCheck, facts.clockCheck]
            + [facts.configurationCheck, facts.confinementCheck, facts.soundCheck, facts.notificationCheck]
            + facts.wardChecks
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
            trouble
        }
    }

    /// What cannot be done, as a sentence.
    private var trouble: String {
        let names = checks.filter { $0.verdict == .trouble }.map(\.name)
        let screen = names.contains(where: Self.aboutTheScreen.contains) ? "start its screen" : nil
        let ward = names.contains { $0.hasPrefix("ward") } ? "use the ward's broker" : nil
        let isAboutSensors = names.contains { !Self.aboutTheScreen.contains($0) && !$0.hasPrefix("ward") }
        let actions = [screen, isAboutSensors ? "reach sensors" : nil, ward].compactMap(\.self)
        let clause = actions.count > 1 ? "can neither " + actions.joined(separator: " nor ") : "cannot \(actions[0])"
        let hint = isAboutSensors && screen == nil ? " \"bedside --simulate\" needs no Bluetooth." : ""
        return "Bedside \(clause) here; see the trouble.\(hint)"
    }

    private static let aboutTheScreen: Set = ["terminal", "config file"]
}

/// A check with its result.
public struct Check: Hashable, Sendable {
    /// A stable name, such as `adapter`.
    public var name: String
    public var verdict: Verdict
    /// The finding, as a sentence.
    public var finding: String
    /// The remedy, a command or a sentence; `nil` when none is needed.
    public var remedy: String?
    /// Sample characters, which only the user can check visually.
    public var sample: String?

    /// The verdicts, from the best to the worst.
    public enum Verdict: String, CaseIterable, Hashable, Sendable, Comparable {
        /// Not checked, because it was impossible or unnecessary.
        case skipped
        /// No problem.
        case ok
        /// Bedside works, but could work better.
        case advice
        /// Bedside cannot work.
        case trouble

        /// Orders verdicts from the best to the worst.
        public static func < (lhs: Verdict, rhs: Verdict) -> Bool { lhs.rank < rhs.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    init(_ name: String, _ verdict: Verdict, _ finding: String, remedy: String? = nil, sample: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.remedy = remedy
        self.sample = sample
    }
}
