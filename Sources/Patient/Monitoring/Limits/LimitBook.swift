import Base
import Vitals

/// The current limits: the daily ones or those of an entry of the schedule, with the user's changes on top.
struct LimitBook: Codable, Hashable, Sendable {
    @Shared private(set) var current: MonitorSettings.Limits
    /// The same in hundredths, in the order of the vitals.
    private(set) var bounds: [LimitBounds?] = []
    /// The user's changes.
    private(set) var changes: [Change] = []
    @Shared private var base: MonitorSettings.Limits

    /// A rule that the user has changed.
    typealias Change = MonitorMemory.ChangedLimit

    init(_ limits: MonitorSettings.Limits) {
        _base = Shared(wrappedValue: limits)
        _current = _base
        findBounds()
    }

    func isChanged(_ name: LimitSetting.Name, of vital: Vital) -> Bool {
        changes.contains { $0.vital == vital && $0.setting.name == name && base[vital]?[name] != $0.setting }
    }

    /// Replaces a rule, unless the new one contradicts the others.
    mutating func set(_ setting: LimitSetting, of vital: Vital) throws(LimitError) {
        guard var limits = current[vital] else { throw .noLimits(vital) }
        limits.set(setting)
        try limits.validate(of: vital)
        changes.removeAll { $0.vital == vital && $0.setting.name == setting.name }
        if base[vital]?[setting.name] != setting { changes.append(Change(vital: vital, setting: setting)) }
        current[vital] = limits
        findBounds()
    }

    /// Discards the user's changes.
    mutating func reset() {
        changes = []
        current = base
        findBounds()
    }

    /// Switches to other limits.
    ///
    /// The user's changes stay even if they equal these limits, because the next ones may differ.
    ///
    /// - Returns: The user's changes that contradict the new limits; they are discarded.
    mutating func hold(_ limits: MonitorSettings.Limits) -> [Refusal] {
        base = limits
        current = limits
        let before = changes
        changes = []
        return restore(before)
    }

    /// Applies the user's earlier changes on top of the current limits.
    ///
    /// - Returns: The changes that contradict them; they are not applied.
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

    /// Forgets changes that are now part of the settings.
    mutating func forgetKept() {
        let base = base
        changes.removeAll { base[$0.vital]?[$0.setting.name] == $0.setting }
    }

    /// A refused change, and why.
    struct Refusal {
        var change: Change
        var conflict: LimitError
    }

    private mutating func findBounds() {
        bounds = Vital.allCases.map { vital in current[vital].map { LimitBounds($0) } }
    }
}

extension LimitBook {
    /// Whether its parts are consistent; another program may have sent it.
    var isCoherent: Bool {
        bounds == Vital.allCases.map { vital in current[vital].map { LimitBounds($0) } }
    }
}
