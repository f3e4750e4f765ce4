import Glibc
import Synchronization
import Testing

extension Trait where Self == LimitedTests {
    /// Marks tests that compute for seconds.
    ///
    /// Swift Testing starts every test at once, on as many threads as there are cores; those that compute would hold up
    /// those that wait for programs, buses and timers. So these run on threads of their own, one for each core, which the
    /// kernel lets step back for the others.
    public static var computing: Self { LimitedTests(slots: computingSlots, executor: .shared) }

    /// Marks tests that start whole programs.
    ///
    /// So many programs that begin together would wait for each other, on a slow computer beyond any limit of time; so
    /// only eight for each core run at a time.
    public static var startsPrograms: Self { LimitedTests(slots: programSlots) }

    /// Marks tests that count what a program does, or that tell two seconds of silence from a slow computer.
    ///
    /// `make test` runs tests of whole programs while it compiles other tests, as long as the file exists that
    /// `BEDSIDE_BUSY` names. These tests begin when it is gone, one at a time.
    public static var calm: Self { LimitedTests(slots: calmSlots, waitsForCompiler: true) }
}

/// A trait of a test or suite whose cases run only a limited number at a time, counted over all that have the same mark.
public struct LimitedTests: TestTrait, SuiteTrait, TestScoping {
    fileprivate var slots: Slots
    fileprivate var executor: ComputingThreads?
    fileprivate var waitsForCompiler = false

    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        // A suite as a whole holds no slot, or its own tests would wait for it for ever.
        if testCase == nil { return nil }
        // A calm test runs alone among its kind; while it waits for that it would keep others from running.
        let isCalm = test.traits.contains { ($0 as? Self)?.waitsForCompiler == true }
        return isCalm && !waitsForCompiler ? nil : self
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A test that is marked as well as its suite has its slot already.
        if Self.held.contains(slots.name) { return try await function() }
        await slots.enter()
        do {
            if waitsForCompiler { try await Self.awaitCompiler() }
            try await Self.$held.withValue(Self.held + [slots.name]) {
                try await withTaskExecutorPreference(executor) { try await function() }
            }
        } catch {
            await slots.leave()
            throw error
        }
        await slots.leave()
    }

    /// Waits while `make test` compiles.
    private static func awaitCompiler() async throws {
        guard let busy = getenv("BEDSIDE_BUSY") else { return }
        try await awaitCondition("nothing is compiled", within: .seconds(3600)) {
            if access(busy, F_OK) != 0 { return true }
            try await Task.sleep(for: .milliseconds(200))
            return false
        }
    }

    @TaskLocal private static var held: [String] = []
}

private let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
private let computingSlots = Slots(name: "computing", count: cores)
private let programSlots = Slots(name: "programs", count: 8 * cores)
private let calmSlots = Slots(name: "calm", count: 1)

/// A counting semaphore that holds no thread while it waits; first come, first served.
private actor Slots {
    nonisolated let name: String
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var next = 0

    init(name: String, count: Int) {
        self.name = name
        free = count
    }

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        guard next < waiting.count else {
            free += 1
            return
        }
        waiting[next].resume()
        next += 1
    }
}

/// Threads for tests that compute, one for each core, which step back for all other threads.
private final class ComputingThreads: TaskExecutor {
    static let shared = ComputingThreads()

    private let jobs = Mutex<[UnownedJob]>([])
    /// Counts the jobs.
    nonisolated(unsafe) private let available: UnsafeMutablePointer<sem_t>

    private init() {
        available = .allocate(capacity: 1)
        sem_init(available, 0, 0)
        for _ in 0..<cores {
            var thread = pthread_t()
            // The threads last as long as the process, as this object does.
            pthread_create(
                &thread, nil,
                { executor in
                    // Nice is a property of a thread on Linux.
                    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                    guard let executor else { return nil }
                    Unmanaged<ComputingThreads>.fromOpaque(executor).takeUnretainedValue().work()
                    return nil
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        sem_post(available)
    }

    private func work() {
        while true {
            while sem_wait(available) != 0 {}
            jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
