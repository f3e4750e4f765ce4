import Vitals

/// What of the state must outlive the program, so that its next run does not judge the patient otherwise.
///
/// Episodes, with what somebody has acknowledged, are in the log (``EarlierRun``). Pauses and snoozes are not kept: no
/// alarm is silent because of what somebody pressed before a restart, except the very one that was acknowledged.
public struct MonitorMemory: Codable, Hashable, Sendable {
    /// The rules that the user has changed.
    public var limits: [ChangedLimit]
    /// The newest neutrophil count that was entered.
    public var neutrophils: NeutrophilCount?

    /// Makes a memory.
    public init(limits: [ChangedLimit] = [], neutrophils: NeutrophilCount? = nil) {
        self.limits = limits
        self.neutrophils = neutrophils
    }

    /// A rule that the user has put in the place of another.
    public struct ChangedLimit: Codable, Hashable, Sendable {
        /// The vital.
        public var vital: Vital
        /// What holds for it now.
        public var setting: LimitSetting

        /// Makes a changed rule.
        public init(vital: Vital, setting: LimitSetting) {
            self.vital = vital
            self.setting = setting
        }
    }

    /// Whether there is nothing to remember.
    public var isEmpty: Bool { self == MonitorMemory() }

    /// What is remembered: "heart rate high 130 (medium), ANC 450/µL".
    public var text: String {
        let changes = limits.map { "\($0.vital.shortText) \($0.setting.name.text) \($0.setting.text(of: $0.vital))" }
        return (changes + (neutrophils.map { ["ANC \($0.perMicrolitre)/µL"] } ?? [])).joined(separator: ", ")
    }
}

extension MonitorState {
    /// What must outlive the program.
    public var memory: MonitorMemory {
        // What the settings say comes with the settings.
        let count = neutrophils == settings.fever.neutrophils ? nil : neutrophils
        return MonitorMemory(limits: limitBook.changes, neutrophils: count)
    }

    /// Goes on from what an earlier run of the program left.
    ///
    /// - Parameters:
    ///   - memory: What was changed on the screen and still holds.
    ///   - moment: When.
    /// - Returns: What is in force again, which changed limits contradict the settings that hold now, and what that
    ///   brings about.
    public mutating func resume(_ memory: MonitorMemory, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        guard !memory.isEmpty else { return effects + settle() }
        let refused = limitBook.restore(memory.limits)
        let resumed = MonitorMemory(limits: limitBook.changes, neutrophils: memory.neutrophils)
        if let count = memory.neutrophils { effects += weighFevers(by: count) }
        if !resumed.isEmpty { effects += report(.resumed(resumed), by: .program) }
        for refusal in refused { effects += report(.limitRefused(refusal.conflict), by: .program) }
        return effects + evaluateAllValues() + settle()
    }
}
