import Vitals

/// The limits that hold: the ordinary ones or those of a profile, with what the user has changed on top.
struct LimitBook: Codable, Hashable, Sendable {
    /// The limits that hold.
    private(set) var current: MonitorSettings.Limits
    /// The same in the unit of the reducer's arithmetic, in the order of the vitals.
    private(set) var bounds: [LimitBounds?] = []
    /// The place of the profile that holds.
    private(set) var profile: Int?
    /// What the user has changed.
    private(set) var changes: [Change] = []
    private var base: MonitorSettings.Limits

    /// A rule that the user has put in the place of another.
    typealias Change = MonitorMemory.ChangedLimit

    init(_ limits: MonitorSettings.Limits) {
        base = limits
        current = limits
        findBounds()
    }

    func isChanged(_ name: LimitSetting.Name, of vital: Vital) -> Bool {
        changes.contains { $0.vital == vital && $0.setting.name == name && base[vital]?[name] != $0.setting }
    }

    /// Puts a rule in the place of another, unless it contradicts the others.
    mutating func set(_ setting: LimitSetting, of vital: Vital) throws(LimitError) {
        guard var limits = current[vital] else { throw .noLimits(vital) }
        limits.set(setting)
        try limits.validate(of: vital)
        changes.removeAll { $0.vital == vital && $0.setting.name == setting.name }
        if base[vital]?[setting.name] != setting { changes.append(Change(vital: vital, setting: setting)) }
        current[vital] = limits
        findBounds()
    }

    /// Takes back what the user has changed.
    mutating func reset() {
        changes = []
        current = base
        findBounds()
    }

    /// Lets a profile hold, or the ordinary limits.
    ///
    /// What the user had changed stays changed even where these limits say the same: the next ones may not.
    ///
    /// - Returns: What the user had changed and what contradicts the limits that now hold; it is taken back.
    mutating func hold(_ limits: MonitorSettings.Limits, profile: Int?) -> [Refusal] {
        self.profile = profile
        base = limits
        current = limits
        let before = changes
        changes = []
        return restore(before)
    }

    /// Puts what the user has changed before on top of the limits that hold.
    ///
    /// - Returns: What contradicts them; it is left out.
    mutating func restore(_ earlier: [Change]) -> [Refusal] {
        var refused: [Refusal] = []
        for change in earlier {
            do throws(LimitError) {
                guard var limits = current[change.vital] else { throw .noLimits(change.vital) }
                limits.set(change.setting)
                try limits.validate(of: change.vital)
                current[change.vital] = limits
                changes.removeAll { $0.vital == change.vital && $0.setting.name == change.setting.name }
                changes.append(change)
            } catch {
                refused.append(Refusal(change: change, conflict: error))
            }
        }
        findBounds()
        return refused
    }

    /// Forgets changes that the limits of the settings have taken over.
    mutating func forgetKept() {
        changes.removeAll { base[$0.vital]?[$0.setting.name] == $0.setting }
    }

    /// A change that cannot hold, and why.
    struct Refusal {
        var change: Change
        var conflict: LimitError
    }

    private mutating func findBounds() {
        bounds = Vital.allCases.map { vital in current[vital].map { LimitBounds($0) } }
    }
}

extension LimitBook {
    /// Whether its parts fit together; what was sent by another program may be anything.
    func isCoherent(_ profiles: [LimitProfile]) -> Bool {
        bounds == Vital.allCases.map { vital in current[vital].map { LimitBounds($0) } }
            && profile.map(profiles.indices.contains) ?? true
    }
}
