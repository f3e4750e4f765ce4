import CSystem
import Configuration

/// Privileges that a program can get from the file that it starts, such as `sudo`.
///
/// Bedside needs none. The user's command for alarms may: `mail` hands a message to a mail server through such a file,
/// and an alarm that reaches nobody would be worse.
enum Privileges {
    /// Gives them up for this thread, and for all threads and programs that it starts later.
    static func giveUp() {
        // A kernel without this feature refuses, which is harmless.
        _ = csystem_forbid_new_privileges()
    }

    /// Gives them up unless there is a command for alarms.
    static func giveUp(_ settings: Settings) {
        if settings.alarms.hook.isEmpty { giveUp() }
    }
}
