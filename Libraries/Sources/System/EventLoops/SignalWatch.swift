import CSystem
import Glibc

/// Signals of the process, received as events of a loop.
///
/// The signals must be blocked in every thread, so ``block(_:)`` comes before the first thread is started.
public final class SignalWatch {
    private let loop: EventLoop
    private let descriptor: Int32
    private let watch: DescriptorWatch

    /// Blocks signals in the calling thread and in every thread that it starts from now on.
    public static func block(_ signals: [Int32]) {
        var set = Self.set(of: signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Lets signals through again in the calling thread.
    public static func unblock(_ signals: [Int32]) {
        var set = Self.set(of: signals)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Calls a handler on the loop's thread with the number of each signal that comes.
    ///
    /// - Returns: `nil` when the process has no descriptor left.
    public init?(_ signals: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void) {
        var set = Self.set(of: signals)
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        self.loop = loop
        self.descriptor = descriptor
        watch = loop.watch(descriptor, for: .readable) { _ in
            var information = signalfd_siginfo()
            while read(descriptor, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
                handler(Int32(bitPattern: information.ssi_signo))
            }
        }
    }

    /// Ends the watch; the signals stay blocked.
    public func stop() {
        loop.unwatch(watch)
        close(descriptor)
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
