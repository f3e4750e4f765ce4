import Monitoring
import Vitals

/// One step of a story: what the monitor is given, and what becomes of the program.
enum StoryStep {
    /// An input of the monitor.
    case input(MonitorInput)
    /// Another program looks at the monitor from now on.
    case viewerJoins
    /// The program is killed and started again some seconds later.
    case restart(after: Duration)

    /// An event.
    static func event(_ kind: MonitorEvent.Kind, at moment: Moment) -> StoryStep {
        .input(.event(MonitorEvent(moment: moment, kind: kind)))
    }
}
