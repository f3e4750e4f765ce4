import Formats
import Monitoring
import Vitals

/// An alarm at a bed, as its own monitor evaluates it, and what a ward must know besides.
@dynamicMemberLookup
public struct WardAlarm: FieldCodable, Hashable, Sendable, Identifiable {
    /// The alarm; its number is unique within a session.
    public var report: AlarmReport
    /// Who acknowledged it; empty for the user at the bed.
    public var acknowledgedBy = ""
    /// Whether its kind is snoozed at the bed.
    public var isSnoozed = false
    /// Who is going there, if anyone.
    public var going: WardGoing?
    /// How long it has been active, in milliseconds.
    public var ageMilliseconds: Int64 = 0

    public init(_ report: AlarmReport) {
        self.report = report
    }

    /// Describes an alarm of a monitor at a moment.
    ///
    /// - Parameters:
    ///   - alarm: The alarm.
    ///   - acknowledgedBy: Who acknowledged it, if that was from a ward.
    ///   - going: Who is going there.
    ///   - isSnoozed: Whether its kind is snoozed.
    ///   - now: The present moment.
    public init(
        _ alarm: Alarm, acknowledgedBy: String = "", going: WardGoing? = nil, isSnoozed: Bool = false, at now: Moment
    ) {
        self.init(AlarmReport(alarm))
        ageMilliseconds = max(0, now.since(alarm.activeSince ?? alarm.since).nanoseconds / 1_000_000)
        self.acknowledgedBy = acknowledgedBy
        self.isSnoozed = isSnoozed
        self.going = going
    }

    // By name, because a key path through the subscripts below is made anew at each use.
    /// Whether a screen shows it.
    public var isShown: Bool { report.isShown }
    /// Whether it is active or suspended, and unanswered.
    public var wantsAttention: Bool { report.wantsAttention }

    public var id: Int {
        get { report.id }
        set { report.id = newValue }
    }

    // Inlined, or each access would look its key path up: a tenth of a ward's processor time.
    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember field: WritableKeyPath<AlarmReport, Value>) -> Value {
        get { report[keyPath: field] }
        set { report[keyPath: field] = newValue }
    }

    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember field: KeyPath<AlarmReport, Value>) -> Value { report[keyPath: field] }

    /// Orders alarms by what must be seen first, as the bed's own screen does.
    public func isWorse(than other: WardAlarm) -> Bool { report.isWorse(than: other.report) }

    package static var unread: WardAlarm { WardAlarm(AlarmReport.unread) }

    package mutating func code<Fields: FieldCoder>(_ fields: inout Fields) throws(Fields.Failure) {
        try report.code(&fields)
        var by: String? = acknowledgedBy.isEmpty ? nil : acknowledgedBy
        try fields.text("by", &by, limit: WardBounds.nameLimit)
        acknowledgedBy = by ?? ""
        try fields.flag("snoozed", &isSnoozed)
        try fields.integer("active_ms", &ageMilliseconds, in: WardBounds.ages)
        try fields.object("going", &going)
    }
}

/// The answer "I am going" to an alarm: somebody is responsible, and nothing is silenced.
public struct WardGoing: FieldCodable, Hashable, Sendable {
    /// Who.
    public var who: String
    /// The place of the answering user.
    public var place: String
    /// The age of the answer in milliseconds.
    public var ageMilliseconds: Int64

    public init(who: String, place: String, ageMilliseconds: Int64) {
        self.who = who
        self.place = place
        self.ageMilliseconds = ageMilliseconds
    }

    package static var unread: WardGoing { WardGoing(who: "", place: "", ageMilliseconds: 0) }

    package mutating func code<Fields: FieldCoder>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.text("who", &who, limit: WardAnswer.nameLimit)
        try fields.text("where", &place, limit: WardAnswer.nameLimit)
        try fields.integer("age_ms", &ageMilliseconds, in: WardBounds.ages)
    }
}

/// A hash of the states of all shown alarms, by which a ward detects missed messages.
///
/// It is FNV-1a of 64 bits over one line for each alarm of which `isShown` holds, in the order of their
/// numbers: `<id> <priority> <state> <marks>` and a line feed; the marks are the letters `a` (acknowledged), `h` (held for
/// care), `l` (latched), `s` (snoozed), `g` (somebody is going), in this order. It is written as sixteen hexadecimal
/// digits in lower case.
public struct WardDigest: Hashable, Sendable, CustomStringConvertible {
    /// The sixteen digits.
    public let description: String

    /// Hashes alarms, in any order.
    public init(_ alarms: some Sequence<WardAlarm>) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for alarm in alarms.filter(\.isShown).sorted(by: { $0.id < $1.id }) {
            let marks = [
                (alarm.isAcknowledged, "a"), (alarm.isHeld, "h"), (alarm.isLatched, "l"), (alarm.isSnoozed, "s"),
                (alarm.going != nil, "g"),
            ].filter(\.0).map(\.1).joined()
            let line = "\(alarm.id) \(alarm.priority.rawValue) \(alarm.state.rawValue) \(marks)\n"
            hash = line.utf8.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        description = WardToken.hexadecimal(hash)
    }

    init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        description = text
    }
}
