import Vitals

/// What of the state must outlive the program, so that its next run does not judge the patient otherwise.
///
/// Episodes are in the log. Acknowledgements, pauses and snoozes are not kept: nobody may be silenced by what somebody
/// pressed before a restart; what still goes on alerts anew, and the log says so.
public struct MonitorMemory: Hashable, Sendable {
    /// The number of the newest alarm, so that no number is given twice.
    public var lastAlarm: Alarm.ID
    /// The limits that the user has changed.
    public var limits: [ChangedLimit]
    /// The newest neutrophil count that was entered.
    public var neutrophils: NeutrophilCount?

    /// Makes a memory.
    public init(lastAlarm: Alarm.ID, limits: [ChangedLimit] = [], neutrophils: NeutrophilCount? = nil) {
        self.lastAlarm = lastAlarm
        self.limits = limits
        self.neutrophils = neutrophils
    }

    /// A limit that the user has put in the place of another.
    public struct ChangedLimit: Hashable, Sendable {
        /// The vital.
        public var vital: Vital
        /// Which of its limits.
        public var kind: LimitKind
        /// What it is now.
        public var limit: AlarmLimit

        /// Makes a changed limit.
        public init(vital: Vital, kind: LimitKind, limit: AlarmLimit) {
            self.vital = vital
            self.kind = kind
            self.limit = limit
        }
    }
}

extension MonitorState {
    /// What must outlive the program.
    public var memory: MonitorMemory {
        let limits = limitBook.changes.map {
            MonitorMemory.ChangedLimit(vital: $0.vital, kind: $0.kind, limit: $0.limit)
        }
        return MonitorMemory(lastAlarm: board.lastID, limits: limits, neutrophils: neutrophils)
    }

    /// Goes on from what an earlier run of the program left; to be called before the first event.
    ///
    /// - Returns: That the program was restarted, and which changed limits contradict the settings that hold now.
    public mutating func resume(_ memory: MonitorMemory, at moment: Moment) -> [Effect] {
        var effects: [Effect] = []
        advance(to: moment, &effects)
        tell(.restarted, by: .program, &effects)
        board.lastID = max(board.lastID, memory.lastAlarm)
        for change in memory.limits {
            do throws(LimitConflict) {
                try limitBook.set(change.limit, change.kind, of: change.vital)
            } catch {
                tell(.limitRefused(error), by: .program, &effects)
            }
        }
        if let count = memory.neutrophils {
            neutrophils = count
            followFeverRisk(&effects)
        }
        judgeAllValues(&effects)
        settle(&effects)
        return effects
    }
}
