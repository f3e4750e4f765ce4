import EventLoops
import Synchronization

/// Writes the user's small files on a thread of its own, because a disk or a lock may block for seconds.
///
/// Changes are written in the order in which they came, except that one that waits gives way to a newer one with the
/// same key. Nobody waits before the end of the program, and then no longer than a limit.
final class FileWriting<Change: Sendable>: Sendable {
    private struct State {
        var order: [String] = []
        var changes: [String: Change] = [:]
        var isPlanned = false
        var onError: (@Sendable (String) -> Void)?
        /// Messages that came before there was a receiver.
        var untold: [String] = []
    }

    private let state = Mutex(State())
    private let loop: EventLoop
    private let write: @Sendable (Change) -> String?

    /// Begins without anything to write.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread it is written.
    ///   - write: Writes a change; returns a sentence for the user when it could not.
    init(on loop: EventLoop = FileThread.loop, _ write: @escaping @Sendable (Change) -> String?) {
        (self.loop, self.write) = (loop, write)
    }

    /// Has errors reported from now on.
    ///
    /// - Parameter report: Called with a sentence for the user, on the thread that writes.
    func onError(_ report: @escaping @Sendable (String) -> Void) {
        let untold = state.withLock { state in
            state.onError = report
            defer { state.untold = [] }
            return state.untold
        }
        for sentence in untold { report(sentence) }
    }

    /// Plans to write a change; waits for nothing.
    func put(_ change: Change, for key: String) {
        let mustPlan = state.withLock { state in
            if state.changes.updateValue(change, forKey: key) == nil { state.order.append(key) }
            defer { state.isPlanned = true }
            return !state.isPlanned
        }
        guard mustPlan else { return }
        Task(executorPreference: loop) { self.writeAll() }
    }

    /// Waits until everything is written.
    ///
    /// - Parameter limit: The longest wait for the disk.
    /// - Returns: Whether it is.
    func finish(within limit: Duration) async -> Bool {
        // An idle thread is not waited for, so that another file's lock does not matter.
        if state.withLock({ !$0.isPlanned }) { return true }
        return await loop.result(within: limit) { self.writeAll() } != nil
    }

    private func writeAll() {
        while let change = next() {
            guard let sentence = write(change) else { continue }
            let report = state.withLock { state in
                if state.onError == nil { state.untold.append(sentence) }
                return state.onError
            }
            report?(sentence)
        }
    }

    private func next() -> Change? {
        state.withLock { state in
            guard !state.order.isEmpty else {
                state.isPlanned = false
                return nil
            }
            return state.changes.removeValue(forKey: state.order.removeFirst())
        }
    }
}

/// The thread on which the user's small files are read and written.
enum FileThread {
    /// Its loop, which runs from the first use to the end of the program.
    static let loop: EventLoop = {
        let loop = EventLoop()
        loop.startThread(named: "files")
        return loop
    }()
}
