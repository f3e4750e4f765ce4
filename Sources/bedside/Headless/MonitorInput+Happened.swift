import Monitoring
import Vitals

extension MonitorInput {
    /// The event that it is; `nil` for what came without one: an answer of somebody's, or that time passed.
    var happened: MonitorEvent? {
        guard case .event(let event) = self, event.kind != .tick else { return nil }
        return event
    }
}
