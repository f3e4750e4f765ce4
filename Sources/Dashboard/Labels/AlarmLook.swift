import Monitoring
import Vitals

/// How an alarm looks at a moment: flashing, steady, or answered.
enum AlarmLook {
    /// The style of its line.
    ///
    /// What nobody has answered fills its line: an alarm that is active or suspended flashing by its priority, one that
    /// is clearing or over and not yet acknowledged steadily. What is acknowledged or held for care keeps its colour only.
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
