import Vitals

/// The part of the state that must outlive the program, so that the next run uses the same rules.
///
/// Episodes and their acknowledgements are in the log (``EarlierRun``). Pauses and snoozes are not stored: after a
/// restart only the acknowledged alarm itself is silent.
public struct MonitorMemory: Codable, Hashable, Sendable {
    /// The rules that the user has changed.
    public var limits: [ChangedLimit]
    /// The newest entered neutrophil count.
    public var neutrophils: NeutrophilCount?
    /// When the reminder of a blood count was last deferred, in milliseconds since 1970-01-01T00:00:00Z.
    public var labDeferredAt: Int64?
    /// When the record of this patient began after another one's, by the same clock; `nil` for the first patient.
    ///
    /// The store determines it; writing it again changes nothing.
    public var patientSince: Int64?

    public init(
        limits: [ChangedLimit] = [], neutrophils: NeutrophilCount? = nil, labDeferredAt: Int64? = nil,
        patientSince: Int64? = nil
    ) {
        self.limits = limits
        self.neutrophils = neutrophils
        self.labDeferredAt = labDeferredAt
        self.patientSince = patientSince
    }

    /// A rule that the user has changed.
    public struct ChangedLimit: Codable, Hashable, Sendable {
        public var vital: Vital
        /// The changed rule.
        public var setting: LimitSetting

        public init(vital: Vital, setting: LimitSetting) {
            self.vital = vital
            self.setting = setting
        }
    }

    /// Whether there are neither changed limits nor a neutrophil count.
    public var isEmpty: Bool { limits.isEmpty && neutrophils == nil }

    /// The content as text: "heart rate high 130 (medium), ANC 450/µL".
    public var text: String {
        let changes = limits.map { "\($0.vital.shortText) \($0.setting.name.text) \($0.setting.text(of: $0.vital))" }
        return (changes + (neutrophils.map { ["ANC \($0.perMicrolitre)/µL"] } ?? [])).joined(separator: ", ")
    }
}

extension MonitorState {
    /// The part of the state that must outlive the program.
    public var memory: MonitorMemory {
        // A count from the settings is read from the settings again.
        let count = neutrophils == settings.fever.neutrophils ? nil : neutrophils
        return MonitorMemory(
            limits: limitBook.changes, neutrophils: count, labDeferredAt: labReminder.deferredAt,
            patientSince: patientSince)
    }

    /// Resumes the changes of an earlier run.
    ///
    /// - Parameters:
    ///   - memory: The changes that still apply.
    ///   - moment: When.
    /// - Returns: The changes that apply again, the changed limits that contradict the current settings, and the
    ///   effects.
    public mutating func resume(_ memory: MonitorMemory, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        effects += beginRecord(since: memory.patientSince)
        labReminder.resume(deferredAt: memory.labDeferredAt)
        resumeLabDeferral()
        guard !memory.isEmpty else { return effects + settle() }
        let refused = limitBook.restore(memory.limits)
        // An expired count is kept, but does not weight a fever.
        let count = memory.neutrophils.flatMap { $0.isValid(at: now) ? $0 : nil }
        let resumed = MonitorMemory(limits: limitBook.changes, neutrophils: count)
        if let count = memory.neutrophils { effects += weighFevers(by: count) + followLabReminder() }
        if !resumed.isEmpty { effects += report(.resumed(resumed), by: .program) }
        for refusal in refused { effects += report(.limitRefused(refusal.conflict), by: .program) }
        return effects + evaluateAllValues() + settle()
    }
}

extension MonitorState {
    /// Restores the beginning of this patient's record: an older neutrophil count of the settings belongs to another
    /// patient.
    private mutating func beginRecord(since: Int64?) -> [Effect] {
        guard let since, since > patientSince ?? .min else { return [] }
        patientSince = since
        guard let count = neutrophils, count == settings.fever.neutrophils, count.sampledAt <= since else { return [] }
        return weighFevers(by: nil) + followLabReminder()
    }
}
