import EventLoop
import Vitals

extension Moment {
    /// Reads both clocks.
    static func now() -> Moment {
        let timestamp = Timestamp.now()
        return Moment(
            monotonicNanoseconds: timestamp.monotonicNanoseconds, wallMilliseconds: timestamp.wallMilliseconds)
    }
}
