import Base
import CSystem
import Glibc
import Synchronization

/// A serial executor that is one thread in `poll`: it runs jobs, watches descriptors and keeps timers.
///
/// An actor that returns this loop as its `unownedExecutor` runs on the loop's thread, so whatever arrives on a watched
/// descriptor reaches the actor without a hop to another thread. A job that is enqueued from the loop's own thread costs
/// no system call; from another thread it costs one write to a wake-up descriptor.
///
/// Quirk resumed-through-the-pool: so is a task that waits for a continuation or a stream, even when its actor runs
/// here, unless the loop is also the executor that it prefers: `Task(executorPreference: loop)` saves both switches of
/// threads.
///
/// Threading: `enqueue` and `stop` may be called from anywhere; everything else only on the loop's own thread, or
/// before the loop runs.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // `@unchecked Sendable`: `pending` and `thread` have their own locks; only the loop's thread touches the descriptor
    // and timer tables, and every entry point checks that.

    private struct Pending {
        var jobs: [UnownedJob] = []
        /// Whether the loop waits, or is about to, so that the next job must wake it.
        var isAsleep = false
        var isStopped = false
    }

    private let pending = Mutex(Pending())
    private let wakeUp: Int32
    private let thread = Atomic<UInt>(0)
    private var running: [UnownedJob] = []
    private var turnHandlers: [() -> Void] = []

    var descriptors = DescriptorTable()
    var timers = TimerQueue()
    var stalls: StallDetector?
    var stallHandler: ((Int64) -> Void)?

    /// Creates a loop that does not run yet; jobs can already be enqueued.
    ///
    /// Traps when the process has no descriptor left for the wake-up, because nothing can work then.
    public init() {
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(wakeUp >= 0, "no descriptor is left for the event loop")
        pending.withLock { $0.jobs.reserveCapacity(64) }
    }

    deinit {
        close(wakeUp)
    }

    // MARK: Executor

    /// Queues a job for the loop's thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let onLoop = isOnLoop
        let mustWake = pending.withLock { pending in
            pending.jobs.append(unowned)
            if onLoop || !pending.isAsleep { return false }
            pending.isAsleep = false
            return true
        }
        if mustWake { wake() }
    }

    /// This loop as an actor's executor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Traps when the caller is not on the loop's thread.
    public func checkIsolated() {
        precondition(isOnLoop, "not on the event loop's thread")
    }

    /// Whether the caller is on the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? {
        isOnLoop
    }

    /// Traps when the tables would be touched by two threads.
    func checkOwnership() {
        let owner = thread.load(ordering: .relaxed)
        precondition(owner == 0 || owner == UInt(pthread_self()), "not on the event loop's thread")
    }

    /// Whether the caller is on the loop's thread.
    public var isOnLoop: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    /// Calls a handler in every turn of the loop, after the events and before the next wait.
    ///
    /// Use it for work that is needed once per turn rather than once per event. Called on the loop's thread, as long as
    /// the loop runs.
    public func onEachTurn(_ handler: @escaping () -> Void) {
        checkOwnership()
        turnHandlers.append(handler)
    }

    // MARK: Running

    /// Starts a thread that runs the loop until ``stop()``.
    ///
    /// - Parameter name: The thread's name in the system's tools, at most 15 characters.
    public func startThread(named name: String) {
        let box = Unmanaged.passRetained(ThreadStart(loop: self, name: name))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, threadMain, box.toOpaque())
        precondition(status == 0, "no thread is left for the event loop")
        pthread_detach(thread)
    }

    /// Runs the loop on the calling thread until ``stop()``.
    public func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        runJobs()
        while runOnce() {}
        thread.store(0, ordering: .relaxed)
    }

    /// Ends ``run()`` permanently, after the jobs that are already queued.
    ///
    /// Later jobs never run, so the actors of the loop should have ended before.
    public func stop() {
        let mustWake = pending.withLock { pending in
            pending.isStopped = true
            defer { pending.isAsleep = false }
            return pending.isAsleep
        }
        if mustWake { wake() }
    }

    /// Fires due timers, waits once, and handles events; returns whether to continue.
    ///
    /// The jobs that a handler enqueues run right after it, before the next handler.
    private func runOnce() -> Bool {
        checkForStall()
        runDueTimers()
        for handler in turnHandlers { handler() }
        // From here on other threads see the loop as asleep: a job enqueued before the wait begins already writes the
        // wake-up.
        let (hasJobs, isStopped) = pending.withLock { pending in
            pending.isAsleep = pending.jobs.isEmpty
            return (!pending.isAsleep, pending.isStopped)
        }
        if isStopped && !hasJobs { return false }
        let isAnyReady = descriptors.wait(
            wakeUp: wakeUp, timeoutMilliseconds: hasJobs ? 0 : timers.pollTimeout(longest: stalls?.longestWait))
        // First, because ready events may have waited while the loop was stalled.
        checkForStall()
        let isWoken = isAnyReady && descriptors.isWakeUpReady
        if isWoken { drainWakeUp() }
        if isWoken || hasJobs { runJobs() }
        guard isAnyReady else { return true }
        // Handlers may add and end watches, so the table is not accessed while one is called.
        for index in descriptors.ready.indices {
            let (watch, readiness) = descriptors.ready[index]
            guard let handler = descriptors.handler(of: watch) else { continue }
            handler(readiness)
            runJobs()
        }
        return true
    }

    /// Fires every timer that is due; one that is added meanwhile waits for the next turn.
    private func runDueTimers() {
        guard !timers.isEmpty else { return }
        let now = Timestamp.monotonicNow()
        let newest = timers.newest
        while let handler = timers.takeDue(now: now, upTo: newest) {
            handler()
            runJobs()
        }
    }

    /// Runs queued jobs until none is left or a bound is reached, so that jobs cannot starve descriptors.
    private func runJobs() {
        for _ in 0..<32 {
            pending.withLock { pending in
                swap(&pending.jobs, &running)
                pending.isAsleep = false
            }
            if running.isEmpty { return }
            let executor = asUnownedSerialExecutor()
            for job in running { job.runSynchronously(on: executor) }
            running.removeAll(keepingCapacity: true)
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }

    private func drainWakeUp() {
        var count: UInt64 = 0
        _ = read(wakeUp, &count, MemoryLayout<UInt64>.size)
    }
}

/// The arguments of a new thread.
private final class ThreadStart {
    let loop: EventLoop
    let name: String

    init(loop: EventLoop, name: String) {
        self.loop = loop
        self.name = name
    }
}

private let threadMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    // Signals are handled by the thread that waits for them, never by a loop's.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    csystem_set_thread_name(String(start.name.prefix(15)))
    start.loop.run()
    return nil
}

extension EventLoop {
    /// Makes a handler of an actor of this loop callable, synchronously, from the loop's own handlers.
    ///
    /// A call does the same as the actor's `assumeIsolated`, which asks the concurrency runtime for the current executor
    /// and allocates memory for its closure; both cost more than everything else between a message and its handler. So
    /// make it once, for all calls.
    ///
    /// - Parameter body: What to run, isolated to an actor whose executor is this loop.
    /// - Returns: The same to be called on the loop's thread; the program traps on another one.
    public func handler<Isolation: Actor, Element: ~Copyable, Result>(
        _ body: @escaping @Sendable (isolated Isolation, borrowing Element) -> Result
    ) -> @Sendable (Isolation, borrowing Element) -> Result {
        // Isolation is a matter of the type only, as in the standard library's own `assumeIsolated`.
        let unchecked = unsafeBitCast(body, to: (@Sendable (Isolation, borrowing Element) -> Result).self)
        return { actor, element in
            self.checkIsolated()
            // Whether the actor is of this loop. `assertIsolated` would ask in a release build, too, for each value.
            #if DEBUG
            actor.preconditionIsolated()
            #endif
            return unchecked(actor, element)
        }
    }
}

extension EventLoop {
    /// Runs work on this loop and waits for its result within a limit; longer work is abandoned.
    ///
    /// The limit holds even when this loop's thread hangs in a call of the system.
    ///
    /// - Returns: The result; `nil` when the limit passed first.
    public func result<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let waiting = WaitingForResult<Value>()
        // The time limit has a separate thread, because this loop's and the caller's may be blocked.
        let clock = EventLoop()
        clock.startThread(named: "time limit")
        Task(executorPreference: clock) {
            _ = clock.schedule(after: limit) { waiting.finish(nil) }
        }
        Task(executorPreference: self) { waiting.finish(await work()) }
        let value = await withCheckedContinuation { waiting.begin($0) }
        clock.stop()
        return value
    }
}

/// The caller that waits in `result(within:_:)`, until the first answer.
private final class WaitingForResult<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value?, Never>?
        /// An answer that came before the wait.
        var early: Value??
        var isOver = false
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Value?, Never>) {
        let early = state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(returning: early) }
    }

    func finish(_ value: Value?) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            if !state.isOver, state.continuation == nil { state.early = .some(value) }
            state.isOver = true
            return state.continuation
        }
        continuation?.resume(returning: value)
    }
}

/// An event loop with its thread; both end with this object.
public final class LoopThread: Sendable {
    public let loop = EventLoop()

    /// Starts the thread.
    ///
    /// - Parameter name: The name in debuggers, at most 15 bytes.
    public init(named name: String) {
        loop.startThread(named: name)
    }

    deinit {
        loop.stop()
    }
}

/// Detects from the loop's own turns that its thread was stalled: the process was stopped, traced or starved, or a
/// handler blocked.
///
/// Uses the clock that does not count while the computer sleeps: sleep is not a stall.
struct StallDetector {
    /// The shortest stall that is reported, in nanoseconds; shorter ones are ordinary delays.
    let shortest: Int64
    private var lastSign: Int64

    init(shortest: Int64, now: Int64) {
        self.shortest = shortest
        lastSign = now
    }

    /// The longest wait, in nanoseconds; a pause longer than ``shortest`` was therefore not a wait.
    var longestWait: Int64 { shortest / 2 }

    /// Records that the loop is running.
    ///
    /// - Returns: The length of the stall before, in nanoseconds; `nil` when it is too short to report.
    mutating func alive(now: Int64) -> Int64? {
        defer { lastSign = now }
        let passed = now.subtractingSaturated(lastSign)
        return passed >= shortest ? passed : nil
    }
}

extension EventLoop {
    /// Calls a handler on the loop's thread after each stall of the loop, with its length in nanoseconds.
    ///
    /// The handler is called before any timer and any descriptor that became ready meanwhile, so values read from a
    /// descriptor are known to have waited. While watched, the loop wakes up at least twice in `shortest`, because a
    /// process cannot determine afterwards how long it was stopped.
    ///
    /// - Parameters:
    ///   - shortest: Shorter stalls are not reported; `.zero` ends the watch.
    ///   - handler: Replaces the previous one.
    public func watchStalls(shortest: Duration, _ handler: @escaping (Int64) -> Void) {
        checkOwnership()
        let nanoseconds = shortest.nanoseconds
        stalls = nanoseconds > 0 ? StallDetector(shortest: nanoseconds, now: Timestamp.awakeNow()) : nil
        stallHandler = stalls == nil ? nil : handler
    }

    /// Calls the handler of ``watchStalls(shortest:_:)`` if the loop was stalled since the last check.
    ///
    /// The loop checks before it handles ready descriptors; a handler of many events can check in between.
    public func checkForStall() {
        guard let stalled = stalls?.alive(now: Timestamp.awakeNow()) else { return }
        stallHandler?(stalled)
    }
}
