import Glibc
import UserFiles

/// The socket of speech-dispatcher.
package enum SpeechSocket {
    /// The path of its socket; `nil` if it is unknown or another kind of socket is configured.
    ///
    /// Source: the manual of speech-dispatcher 0.11, and its library for clients.
    ///
    /// - Parameter environment: The value of an environment variable.
    package static func path(environment: (String) -> String?) -> String? {
        func folder(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if let address = environment("SPEECHD_ADDRESS"), !address.isEmpty {
            let scheme = "unix_socket:"
            return address.hasPrefix(scheme + "/") ? String(address.dropFirst(scheme.count)) : nil
        }
        let parent = folder("XDG_RUNTIME_DIR") ?? folder("XDG_CACHE_HOME") ?? folder("HOME").map { "\($0)/.cache" }
        return parent.map { "\($0)/speech-dispatcher/speechd.sock" }
    }

    /// The path for this process.
    package static var current: String? { path(environment: Environment.value) }
}
