import Vitals

/// The limits that hold: the ordinary ones or those of a profile, with what the user has changed on top.
struct LimitBook: Hashable, Sendable {
    /// The limits that hold.
    private(set) var current: MonitorSettings.Limits
    /// The same in the unit of the reducer's arithmetic, in the order of the vitals.
    private(set) var bounds: [LimitBounds?] = []
    /// The place of the profile that holds.
    private(set) var profile: Int?
    /// What the user has changed.
    private(set) var changes: [Change] = []
    private var base: MonitorSettings.Limits

    /// A limit that the user has put in the place of another.
    struct Change: Hashable, Sendable {
        var vital: Vital
        var kind: LimitKind
        var limit: AlarmLimit
    }

    init(_ limits: MonitorSettings.Limits) {
        base = limits
        current = limits
        findBounds()
    }

    func isChanged(_ kind: LimitKind, of vital: Vital) -> Bool {
        changes.contains { $0.vital == vital && $0.kind == kind }
    }

    /// Puts a limit in the place of another, unless it contradicts the others.
    mutating func set(_ limit: AlarmLimit, _ kind: LimitKind, of vital: Vital) throws(LimitConflict) {
        guard var limits = current[vital] else { throw .noLimits(vital) }
        limits[kind] = limit
        try limits.validate(of: vital)
        changes.removeAll { $0.vital == vital && $0.kind == kind }
        if base[vital]?[kind] != limit { changes.append(Change(vital: vital, kind: kind, limit: limit)) }
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
    /// - Returns: What the user had changed and what contradicts the limits that now hold; it is taken back.
    mutating func hold(_ limits: MonitorSettings.Limits, profile: Int?) -> [Change] {
        self.profile = profile
        base = limits
        current = limits
        let before = changes
        changes = []
        var refused: [Change] = []
        for change in before {
            do throws(LimitConflict) {
                try set(change.limit, change.kind, of: change.vital)
            } catch {
                refused.append(change)
            }
        }
        findBounds()
        return refused
    }

    private mutating func findBounds() {
        bounds = Vital.allCases.map { vital in current[vital].map { LimitBounds($0) } }
    }
}
