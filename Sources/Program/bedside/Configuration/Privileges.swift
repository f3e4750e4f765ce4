import CSystem
import Configuration

/// Privileges that a program could get from a file that it starts, as from that of `sudo`.
///
/// Bedside needs none. The user's command for alarms may: `mail` hands a message to a mail server by such a file, and an
/// alarm that reaches nobody would be worse.
enum Privileges {
    /// Gives them up for this thread, and for all threads and programs that it starts from now on.
    static func giveUp() {
        // A kernel that knows nothing of it refuses, which changes nothing.
        _ = csystem_forbid_new_privileges()
    }

    /// Gives them up unless there is a command for alarms.
    static func giveUp(_ settings: Settings) {
        if settings.alarms.hook.isEmpty { giveUp() }
    }
}
