import CSystem
import Glibc

/// What happened to the computer's clocks, other than that time passed.
public enum ClockJump: Hashable, Sendable {
    /// The computer slept so many nanoseconds, until just now.
    case slept(nanoseconds: Int64)
    /// The wall clock was set: it shows so many milliseconds more, or fewer, than it would have.
    case wasSet(milliseconds: Int64)
}

/// What three clocks showed at one moment, in nanoseconds.
struct ClockReadings: Hashable {
    /// `CLOCK_BOOTTIME`, which counts while the computer sleeps.
    var bootTime: Int64
    /// `CLOCK_MONOTONIC`, which does not.
    var awake: Int64
    /// `CLOCK_REALTIME`, which people set.
    var wall: Int64

    /// Jumps that are shorter are how far apart the clocks are read, and nobody's concern.
    static let shortestJump: Int64 = 200_000_000

    /// Reads the clocks.
    static func now() -> ClockReadings {
        func read(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        return ClockReadings(
            bootTime: read(CLOCK_BOOTTIME), awake: read(CLOCK_MONOTONIC), wall: read(CLOCK_REALTIME))
    }

    /// What has happened since an earlier reading; a time server that makes a clock run slower or faster is no jump.
    func jumps(since earlier: ClockReadings) -> [ClockJump] {
        let passed = bootTime &- earlier.bootTime
        let slept = passed &- (awake &- earlier.awake)
        let set = wall &- earlier.wall &- passed
        var jumps: [ClockJump] = []
        if slept >= Self.shortestJump { jumps.append(.slept(nanoseconds: slept)) }
        if set >= Self.shortestJump || set <= -Self.shortestJump {
            jumps.append(.wasSet(milliseconds: set / 1_000_000))
        }
        return jumps
    }
}

/// Tells when the computer has slept and when its clock was set, without asking for it again and again.
public final class ClockWatch {
    private let loop: EventLoop
    private let descriptor: Int32
    private let watch: DescriptorWatch

    /// Calls a handler on the loop's thread with each jump, at once when the computer is awake again.
    ///
    /// - Returns: `nil` when the process has no descriptor left.
    public init?(on loop: EventLoop, _ handler: @escaping (ClockJump) -> Void) {
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        self.loop = loop
        self.descriptor = descriptor
        var last = ClockReadings.now()
        Self.arm(descriptor)
        watch = loop.watch(descriptor, for: .readable) { _ in
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
            // Before the clocks are read, so that a jump between the two is not lost.
            Self.arm(descriptor)
            let now = ClockReadings.now()
            for jump in now.jumps(since: last) { handler(jump) }
            last = now
        }
    }

    /// Has the kernel wake us when the wall clock jumps, which it does after a sleep, too (`timerfd_create(2)`,
    /// `TFD_TIMER_CANCEL_ON_SET`); the time that it is set to, in ten years, does not matter.
    private static func arm(_ descriptor: Int32) {
        var due = itimerspec()
        clock_gettime(CLOCK_REALTIME, &due.it_value)
        due.it_value.tv_sec += 10 * 365 * 86_400
        timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), &due, nil)
    }

    /// Ends the watch.
    public func stop() {
        loop.unwatch(watch)
        close(descriptor)
    }
}
