import Vitals

/// A subscriber of a monitor: a screen, lines of text, a journal, views over the socket, the status.
///
/// It is called on the engine's thread, within the call that changed the state, and must not block.
package protocol MonitorSubscriber: AnyObject {
    /// Handles an update.
    ///
    /// - Parameter monitor: The engine, whose state contains the update already.
    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine)

    /// When the subscriber needs to be called even if nothing happens; `nil` for never.
    var nextDue: Moment? { get }
}

extension MonitorSubscriber {
    package var nextDue: Moment? { nil }
}
