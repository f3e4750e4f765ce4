import Monitoring
import Vitals

/// How an alarm looks at a moment: flashing, steady, or answered.
enum AlarmLook {
    /// The style of its line.
    ///
    /// An unanswered alarm fills its line: active or suspended ones flash by their priority, clearing or ended ones are
    /// steady. Acknowledged alarms and those held for care keep their colour only.
    static func style(of alarm: Alarm, scene: Scene) -> Style {
        let style = Style(alarm.priority.role, .bold)
        if alarm.acknowledgedAt != nil || alarm.heldUntil != nil { return style }
        guard alarm.isFlashing else { return style.reversed }
        return isLit(alarm.priority, scene.state, at: scene.now) ? style.reversed : style
    }

    /// Whether what flashes is lit.
    static func isLit(_ priority: AlarmPriority, _ state: MonitorState, at now: Moment) -> Bool {
        AlarmFlash.isLit(priority, at: now, isMotionReduced: state.settings.alarmSignals.isMotionReduced)
    }
}
