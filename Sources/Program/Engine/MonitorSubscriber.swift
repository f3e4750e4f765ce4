import Vitals

/// A subscriber of a monitor: a screen, lines of text, a journal, views over the socket, the status.
///
/// A subscriber is called on the engine's thread, within the call that changed the state, and must not wait.
package protocol MonitorSubscriber: AnyObject {
    /// Takes an update.
    ///
    /// - Parameter monitor: The engine, whose state contains the update already.
    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine)

    /// When the subscriber wants time to pass though nothing happens; `nil` when it does not.
    var nextDue: Moment? { get }
}

extension MonitorSubscriber {
    package var nextDue: Moment? { nil }
}
