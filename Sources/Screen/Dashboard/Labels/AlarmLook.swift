import Appearance
import Monitoring
import TextGrid
import Vitals

/// The look of an alarm at a moment: flashing, steady, or answered.
enum AlarmLook {
    /// The style of its line.
    ///
    /// An unanswered alarm fills its line: active or suspended ones flash by their priority, clearing or ended ones are
    /// steady. Acknowledged alarms and those held for care keep only their colour.
    static func style(of alarm: Alarm, scene: Scene) -> Style {
        let style = Style(alarm.priority.role, .bold)
        if alarm.acknowledgedAt != nil || alarm.heldUntil != nil { return style }
        return alarm.isFlashing ? flashing(style, alarm.priority, scene.state, at: scene.now) : style.reversed
    }

    /// The style of a flashing text with a priority, at a moment.
    static func flashing(_ style: Style, _ priority: AlarmPriority, _ state: MonitorState, at now: Moment) -> Style {
        let isLit = AlarmFlash.isLit(priority, at: now, isMotionReduced: state.settings.alarmSignals.isMotionReduced)
        return (isLit ? style.reversed : style).with(.flashing)
    }
}

extension Grid {
    /// Updates everything that flashes for another moment; nothing else changes.
    ///
    /// - Parameters:
    ///   - moment: When it is shown.
    ///   - isMotionReduced: Whether nothing flashes.
    public mutating func flash(at moment: Moment, isMotionReduced: Bool) {
        let lit = AlarmPriority.allCases.filter {
            AlarmFlash.isLit($0, at: moment, isMotionReduced: isMotionReduced)
        }.map(\.role)
        restyleFlashing { lit.contains($0.role) }
    }
}
