import Monitoring
import Vitals

/// A change of what is spoken.
package enum SpeechOrder: Hashable, Sendable {
    /// Speak this.
    case speak(Utterance)
    /// Stop speaking alarms.
    case silenceAlarms
}

/// Decides which alarms are spoken: each once when it begins, worsens or alerts again, and the worst one after an audio
/// pause.
///
/// An alarm without sound, because it is paused, snoozed, acknowledged or over, is not spoken either.
package struct SpeechDirector: Sendable {
    /// The last spoken alarm, until it is silenced.
    private var spoken: Int?
    private var wasSounding = false

    /// Creates a director that has ordered nothing.
    package init() {}

    /// The orders after a change of the state.
    ///
    /// - Parameters:
    ///   - effects: The effects of the change.
    ///   - state: The state after it.
    ///   - composer: Composes the texts.
    package mutating func orders(
        for effects: [Effect], in state: borrowing MonitorState, composer: SpeechComposer
    ) -> [SpeechOrder] {
        let isSounding = state.signal.sounding != nil
        defer { wasSounding = isSounding }
        if effects.isEmpty, isSounding == wasSounding { return [] }
        let snoozed = state.signal.snoozes.map(\.key)
        // A worse alarm of the same value includes the lesser one.
        let audible = isSounding ? state.shownAlarms.filter { $0.isFlashing && !snoozed.contains($0.snoozeKey) } : []
        var orders: [SpeechOrder] = []
        if let spoken, !audible.contains(where: { $0.id == spoken }) {
            orders.append(.silenceAlarms)
            self.spoken = nil
        }
        guard isSounding else { return orders }
        var alarms: [Alarm] = []
        for effect in effects {
            switch effect {
            case .alarm(let alarm, _), .alarmAgain(let alarm, _):
                guard alarm.state == .active, audible.contains(where: { $0.id == alarm.id }) else { continue }
                alarms.removeAll { $0.id == alarm.id }
                alarms.append(alarm)
            default: break
            }
        }
        // The alarms were silent until now: a pause or a snooze is over.
        if alarms.isEmpty, !wasSounding { alarms = state.audibleAlarm.map { [$0] } ?? [] }
        for alarm in alarms { orders.append(.speak(composer.alarm(alarm, in: state))) }
        spoken = alarms.last?.id ?? spoken
        return orders
    }

    /// The order to repeat the worst alarm, because it may not have been heard; none while no alarm sounds.
    package mutating func repeatedOrders(
        in state: borrowing MonitorState, composer: SpeechComposer
    ) -> [SpeechOrder] {
        guard state.signal.sounding != nil, let alarm = state.audibleAlarm else { return [] }
        spoken = alarm.id
        return [.speak(composer.alarm(alarm, in: state))]
    }
}
