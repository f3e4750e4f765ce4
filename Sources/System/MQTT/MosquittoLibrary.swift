import CMosquitto
import Synchronization

/// libmosquitto, loaded on first use.
enum MosquittoLibrary {
    private enum State {
        case unknown
        case absent
        case loaded(Functions)
    }

    /// The library's functions; the pointers never change once they are loaded.
    struct Functions: @unchecked Sendable {
        let table: cmosquitto_functions
    }

    private static let state = Mutex(State.unknown)

    static func functions() throws(MQTTError) -> Functions {
        let functions = state.withLock { state in
            if case .loaded(let functions) = state { return functions as Functions? }
            // Tried again each time, because the library may be installed while the monitor runs.
            var table = cmosquitto_functions()
            guard cmosquitto_load(&table) == 0 else {
                state = .absent
                return nil
            }
            let functions = Functions(table: table)
            state = .loaded(functions)
            return functions
        }
        guard let functions else {
            throw MQTTError(.noLibrary, "libmosquitto is not installed; run: sudo apt install libmosquitto1")
        }
        return functions
    }
}
