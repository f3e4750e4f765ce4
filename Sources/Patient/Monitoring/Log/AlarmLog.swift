import Base
import Vitals

/// The newest part of the alarm log, for the screen: bounded, of the present patient only, the oldest first.
public struct AlarmLog: Hashable, Sendable {
    /// The number of kept entries; older ones are in the store.
    public static let limit = 2000

    /// The entries, the oldest first.
    public private(set) var entries: [AlarmLogEntry]
    /// The number of entries ever added, so that a change is recognised without comparing all.
    public private(set) var addedCount = 0

    /// The episodes in the entries.
    public private(set) var episodes = AlarmEpisodes()

    /// Creates a log.
    ///
    /// - Parameter entries: The entries of earlier runs, the oldest first.
    public init(_ entries: [AlarmLogEntry] = []) {
        self.entries = []
        for entry in entries.suffix(Self.limit) { append(entry) }
    }

    /// Adds an entry at the end.
    public mutating func add(_ entry: AlarmLogEntry) {
        addedCount += 1
        append(entry)
        // Rarely and many at a time, so that adding takes constant time on average.
        if entries.count > Self.limit + Self.limit / 4 { entries.removeFirst(entries.count - Self.limit) }
    }

    /// Inserts the entries of an earlier run at the beginning.
    public mutating func prepend(_ earlier: [AlarmLogEntry]) {
        let all = (earlier + entries).suffix(Self.limit)
        entries = []
        episodes = AlarmEpisodes()
        for entry in all { append(entry) }
        addedCount += 1
    }

    /// Adds an entry; a change of patient begins a new log, without the alarms that end with it.
    private mutating func append(_ entry: AlarmLogEntry) {
        episodes.add(entry)
        if entry.isPatientChange { entries = [] }
        if let change = entries.first, change.isPatientChange, case .change = entry.content,
            entry.moment == change.moment
        {
            return
        }
        entries.append(entry)
    }

    /// The entries that match a filter, the newest first.
    public func filtered(_ filter: AlarmLogFilter) -> [AlarmLogEntry] {
        filter == AlarmLogFilter() ? entries.reversed() : entries.reversed().filter(filter.admits)
    }
}

/// A filter for entries of the alarm log.
public struct AlarmLogFilter: Hashable, Sendable {
    /// Only alarms of this class, and no actions.
    public var alarmClass: AlarmClass?
    /// Only alarms of this priority or a higher one, and no actions.
    public var leastPriority: AlarmPriority?
    /// Only alarms about this condition, and no actions.
    public var kind: AlarmKind?
    /// Only actions, and no alarms.
    public var isActionsOnly = false
    /// Entries whose text or sensor contains this, ignoring case.
    public var text = ""

    public init() {}

    /// Whether an entry matches.
    public func admits(_ entry: AlarmLogEntry) -> Bool {
        switch entry.content {
        case .change(let change):
            guard !isActionsOnly, alarmClass.map({ $0 == change.alarmClass }) ?? true,
                leastPriority.map({ $0 <= change.priority }) ?? true, kind.map({ $0 == change.kind }) ?? true
            else { return false }
            return contains(change.text) || contains(change.sensor?.name ?? "")
                || contains(change.sensor?.address ?? "")
        case .action(let action):
            guard alarmClass == nil, leastPriority == nil, kind == nil else { return false }
            return contains(action.text)
        }
    }

    private func contains(_ haystack: String) -> Bool {
        text.isEmpty || haystack.lowercased().holds(text.lowercased())
    }
}

extension AlarmLogEntry {
    /// Whether another patient's record begins with it.
    public var isPatientChange: Bool {
        if case .action(let action) = content { action.name == .newPatient } else { false }
    }
}

extension MonitorState {
    /// The log entries at the end of the program: the end of ongoing alarms is unknown.
    ///
    /// Pending alarms are not logged, and the end of latched ones is in the log already.
    public func interruptions(at moment: Moment) -> [AlarmLogEntry] {
        alarms.filter { $0.activeSince != nil }.map { alarm in
            AlarmLogEntry(moment: moment, content: .change(AlarmLogEntry.Change(AlarmReport(alarm), .interrupted)))
        }
    }
}
