import CommandLineTool
import EventLoop
import Monitoring
import Vitals

/// What a monitor without a screen says, and to whom: that in which `watch` and `record` differ.
///
/// It belongs to the thread of the monitor's loop.
protocol HeadlessVoice: AnyObject {
    /// Whether the data are simulated, which must be said.
    var isSimulated: Bool { get set }
    /// The local time's distance from UTC in seconds.
    var timeZoneOffset: Int { get set }
    /// When there will be something to say though nothing happens.
    var nextDue: Moment? { get }

    /// Begins to speak.
    ///
    /// - Parameter end: Ends the monitor.
    func begin(on loop: EventLoop, end: @escaping (ExitStatus) -> Void)

    /// Tells what happened.
    ///
    /// - Parameters:
    ///   - event: What; `nil` when time passed, or somebody did something.
    ///   - effects: What it brought about.
    ///   - state: The state with it.
    func tell(_ event: MonitorEvent?, _ effects: [Effect], _ state: MonitorState)

    /// Tells a sentence about trouble.
    func complain(_ sentence: String)

    /// The sensors are being looked for, and the store is open.
    func isReady(_ state: MonitorState)

    /// The settings are about to be read again.
    func willReload()

    /// The settings were read again, or could not be.
    func hasReloaded(_ sentence: String, isGood: Bool)

    /// A recording begins to be played, and will be over, which must be said.
    func begin(_ replay: ReplayFeed)

    /// The recording is over.
    func end(_ replay: ReplayFeed)

    /// Everything of one turn of the loop was told.
    func turnEnds(_ state: MonitorState)

    /// The monitor ends.
    func isEnding()

    /// Says the last of it.
    func finish()
}

extension HeadlessVoice {
    var nextDue: Moment? { nil }

    func isReady(_ state: MonitorState) {}

    func willReload() {}

    func hasReloaded(_ sentence: String, isGood: Bool) {}

    func begin(_ replay: ReplayFeed) {}

    func end(_ replay: ReplayFeed) {}

    func isEnding() {}

    func finish() {}
}
