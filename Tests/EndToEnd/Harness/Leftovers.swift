import Foundation
import Synchronization

/// What must be gone when the tests have ended, even if they end before they could clear it up themselves.
enum Leftovers {
    private struct State {
        var processes: Set<pid_t> = []
        var folders: Set<String> = []
        var isRegistered = false
    }

    private static let state = Mutex(State())

    static func add(process: pid_t) {
        change { $0.processes.insert(process) }
    }

    static func remove(process: pid_t) {
        change { $0.processes.remove(process) }
    }

    static func add(folder: String) {
        change { $0.folders.insert(folder) }
    }

    static func remove(folder: String) {
        change { $0.folders.remove(folder) }
    }

    private static func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            if !state.isRegistered {
                state.isRegistered = true
                atexit { Leftovers.clear() }
            }
            body(&state)
        }
    }

    private static func clear() {
        let left = state.withLock { $0 }
        // A simulator that is ended by SIGTERM takes its bus with it.
        for process in left.processes { kill(process, SIGTERM) }
        for folder in left.folders { try? FileManager.default.removeItem(atPath: folder) }
    }
}
