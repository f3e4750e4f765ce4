import EventLoops
import Vitals

extension Moment {
    /// The moment of a timestamp.
    public init(_ timestamp: Timestamp) {
        self.init(
            monotonicNanoseconds: timestamp.monotonicNanoseconds, wallMilliseconds: timestamp.wallMilliseconds)
    }

    /// Reads both clocks.
    public static func now() -> Moment {
        Moment(Timestamp.now())
    }
}
