import CSystem
import Glibc

/// A discontinuity of the computer's clocks.
public enum ClockJump: Hashable, Sendable {
    /// The computer slept for this long, until just now.
    case slept(nanoseconds: Int64)
    /// The wall clock was set forward by this much, or back if negative.
    case wasSet(milliseconds: Int64)
}

/// What three clocks showed at one moment, in nanoseconds.
struct ClockReadings: Hashable {
    /// `CLOCK_BOOTTIME`, which counts while the computer sleeps.
    var bootTime: Int64
    /// `CLOCK_MONOTONIC`, which does not.
    var awake: Int64
    /// `CLOCK_REALTIME`, which can be set.
    var wall: Int64

    /// Shorter differences arise because the clocks are read one after the other, and are ignored.
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

    /// The jumps since an earlier reading; a clock that a time server slows down or speeds up does not jump.
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

/// Reports when the computer has slept and when its clock was set, without polling.
public final class ClockWatch {
    private let loop: EventLoop
    private let descriptor: Int32
    private let watch: DescriptorWatch

    /// Calls a handler on the loop's thread with each jump, as soon as the computer is awake again.
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

    /// Asks the kernel for an event when the wall clock jumps, also after a sleep (`timerfd_create(2)`,
    /// `TFD_TIMER_CANCEL_ON_SET`); the expiry time, in ten years, does not matter.
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
