import CMosquitto
import Synchronization

/// libmosquitto, loaded on first use.
enum MosquittoLibrary {
    /// The library's functions; the pointers never change once they are loaded.
    struct Functions: @unchecked Sendable {
        let table: cmosquitto_functions
    }

    private static let loaded = Mutex<Functions?>(nil)

    static func functions() throws(MQTTError) -> Functions {
        let functions = loaded.withLock { loaded in
            if loaded == nil {
                // Tried again each time, because it may be installed while the monitor runs.
                var table = cmosquitto_functions()
                if cmosquitto_load(&table) == 0 { loaded = Functions(table: table) }
            }
            return loaded
        }
        guard let functions else {
            throw MQTTError(.noLibrary, "libmosquitto is not installed; run: sudo apt install libmosquitto1")
        }
        return functions
    }
}
