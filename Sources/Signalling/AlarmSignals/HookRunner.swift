import CSystem
import EventLoops
import Glibc

/// Runs the user's command for each event, with the event on its standard input.
///
/// The command is a line for `/bin/sh`. It is started once per event, in the order of the events, and never delays the
/// program: at most ``concurrentLimit`` run at a time, at most ``queueLimit`` events wait, and a command that runs for
/// too long is ended with its whole process group. Its output is discarded.
public actor HookRunner {
    /// How many commands may run at a time.
    public static let concurrentLimit = 4
    /// The number of events that may wait for a command to end; a newer one replaces the oldest.
    public static let queueLimit = 64
    /// The usual time limit for a command; it is terminated then, and killed two seconds later.
    public static let usualTimeLimit = Duration.seconds(30)

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let loop: EventLoop
    private let command: String
    private let timeLimit: Duration
    private let onWarning: @Sendable (String) -> Void
    private var waiting: [[UInt8]] = []
    private var running: [pid_t: Run] = [:]
    private var isClosed = false
    /// The callers that wait for the end of all commands.
    private var finishing: [CheckedContinuation<Void, Never>] = []

    private struct Run {
        var descriptor: Int32
        var watch: DescriptorWatch
        var timer: LoopTimer
        var isAskedToEnd = false
    }

    /// Creates a runner that has not run anything yet.
    ///
    /// - Parameters:
    ///   - command: A line for the shell.
    ///   - loop: The loop on whose thread everything happens.
    ///   - timeLimit: How long a command may run.
    ///   - onWarning: Called on the loop's thread with a sentence for the user when a command cannot be started, fails,
    ///     is ended because it takes too long, or is not run because too many events wait.
    public init(
        command: String, loop: EventLoop, timeLimit: Duration = HookRunner.usualTimeLimit,
        onWarning: @escaping @Sendable (String) -> Void
    ) {
        self.command = command
        self.loop = loop
        self.timeLimit = timeLimit
        self.onWarning = onWarning
    }

    /// Runs the command with these bytes, which must fit into a pipe (64 KiB), on its standard input.
    public func run(input: [UInt8]) {
        guard !isClosed else { return }
        if waiting.count >= Self.queueLimit {
            waiting.removeFirst()
            onWarning("The hook is too slow: an event was left out. Have it do its work in the background.")
        }
        waiting.append(input)
        startNext()
    }

    /// Accepts no more events, and waits until all commands have ended.
    ///
    /// Every waiting event gets its command: those that still wait at the limit are started together. Commands that
    /// still run then continue; while this program runs, they are ended at their own time limit and reaped.
    ///
    /// - Parameter limit: How long to wait.
    public func finish(within limit: Duration) async {
        isClosed = true
        if running.isEmpty, waiting.isEmpty { return }
        let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.stopWaiting() } }
        await withCheckedContinuation { finishing.append($0) }
        loop.cancel(timer)
    }

    private func stopWaiting() {
        startNext(limit: .max)
        endWaiting()
    }

    private func endWaiting() {
        for continuation in finishing { continuation.resume() }
        finishing = []
    }

    private func startNext(limit: Int = HookRunner.concurrentLimit) {
        while running.count < limit, !waiting.isEmpty {
            let input = waiting.removeFirst()
            do {
                try start(input)
            } catch {
                onWarning("The hook could not be started: \(error).")
            }
        }
        if running.isEmpty { endWaiting() }
    }

    private func start(_ input: [UInt8]) throws(SystemError) {
        let pipe = try Self.filledPipe(input)
        defer { Glibc.close(pipe) }
        let process = try ChildProcess.start(["/bin/sh", "-c", command], input: .descriptor(pipe))
        let descriptor = pidfd_open(process, 0)
        guard descriptor >= 0 else {
            let failure = SystemError(number: errno)
            ChildProcess.end(process)
            throw failure
        }
        // A strong reference: the owner may release this object, but the command must still be reaped.
        let watch = loop.watch(descriptor, for: .readable) { _ in
            self.assumeIsolated { $0.ended(process) }
        }
        running[process] = Run(
            descriptor: descriptor, watch: watch, timer: timer(for: process, after: timeLimit))
    }

    /// The reading end of a pipe that holds these bytes and then ends.
    private static func filledPipe(_ bytes: [UInt8]) throws(SystemError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard csystem_pipe(&ends) == 0 else { throw SystemError(number: errno) }
        defer { Glibc.close(ends[1]) }
        // A command that reads nothing must not block this program, so everything is written before it starts.
        _ = csystem_set_nonblocking(ends[1])
        let written = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        guard written == bytes.count else {
            let number = written < 0 ? errno : EMSGSIZE
            Glibc.close(ends[0])
            throw SystemError(number: number)
        }
        return ends[0]
    }

    private func timer(for process: pid_t, after delay: Duration) -> LoopTimer {
        loop.schedule(after: delay) {
            self.assumeIsolated { $0.timeIsUp(for: process) }
        }
    }

    private func timeIsUp(for process: pid_t) {
        guard let run = running[process] else { return }
        // The whole group, because a shell does not pass the signal on.
        kill(-process, run.isAskedToEnd ? SIGKILL : SIGTERM)
        if !run.isAskedToEnd {
            onWarning("The hook was ended, because it ran for more than \(timeLimit.components.seconds) s.")
        }
        running[process]?.isAskedToEnd = true
        running[process]?.timer = timer(for: process, after: .seconds(2))
    }

    private func ended(_ process: pid_t) {
        guard let run = running[process] else { return }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return }
        running[process] = nil
        forget(run)
        if !run.isAskedToEnd, let trouble = Self.trouble(waitStatus: status) { onWarning(trouble) }
        startNext()
    }

    private func forget(_ run: Run) {
        loop.unwatch(run.watch)
        loop.cancel(run.timer)
        Glibc.close(run.descriptor)
    }

    /// A sentence about a failure, from its wait status; `nil` for success.
    static func trouble(waitStatus: Int32) -> String? {
        let signal = waitStatus & 0x7F
        let status = (waitStatus >> 8) & 0xFF
        if signal != 0 { return "The hook was ended by signal \(signal)." }
        switch status {
        case 0: return nil
        case 126: return "The hook's command cannot be run (status 126); check the rights of its file."
        case 127: return "The hook's command was not found (status 127); check its name in the configuration."
        default: return "The hook failed with status \(status)."
        }
    }
}
