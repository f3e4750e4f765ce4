import Monitoring
import Vitals

/// A message in the lowest line, with its time.
///
/// It answers a key, so it is useless after a few seconds, and less important than any later alarm.
struct ShownMessage: Hashable {
    /// How long it is shown.
    static let time = Duration.seconds(5)

    let text: String
    /// When it was first shown; `nil` before.
    private var since: Moment?
    /// The alarms that were unanswered then, with their priorities.
    private var alarms: [Alarm.ID: AlarmPriority] = [:]

    init(_ text: String) {
        self.text = text
    }

    /// Begins to show it, unless it is shown already.
    mutating func begin(in state: MonitorState, at now: Moment) {
        guard since == nil else { return }
        since = now
        alarms = Self.alarms(in: state)
    }

    /// When it ends by time alone; `time` is longer if seconds pass faster.
    func end(after time: Duration, at now: Moment) -> Moment { (since ?? now).advanced(by: time) }

    /// Whether it has ended: its time has passed, or an alarm has become unanswered or more urgent.
    func isOver(after time: Duration, in state: MonitorState, at now: Moment) -> Bool {
        guard let since else { return false }
        // The time of a recording may go back.
        if now < since || now >= since.advanced(by: time) { return true }
        return Self.alarms(in: state).contains { id, priority in alarms[id].map { priority > $0 } ?? true }
    }

    private static func alarms(in state: MonitorState) -> [Alarm.ID: AlarmPriority] {
        Dictionary(uniqueKeysWithValues: state.alarms.filter(\.isFlashing).map { ($0.id, $0.priority) })
    }
}

extension ScreenState {
    /// Begins to show a new message, and ends an expired one.
    mutating func followMessage(in state: MonitorState, at now: Moment) {
        guard var message = dialogs.shown else { return }
        if message.isOver(after: messageTime, in: state, at: now) {
            dialogs.message = nil
        } else {
            message.begin(in: state, at: now)
            dialogs.shown = message
        }
    }

    /// When the message ends by time alone; `nil` without one.
    func messageEnd(at now: Moment) -> Moment? { dialogs.shown?.end(after: messageTime, at: now) }

    /// How long a message is shown, in the time of the screen: the seconds of a recording may pass faster.
    private var messageTime: Duration {
        guard let replay = session.replay else { return ShownMessage.time }
        return ShownMessage.time * min(max(1, Double(replay.speed) ?? 1000), 1000)
    }
}
