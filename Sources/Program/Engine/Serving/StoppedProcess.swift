import Glibc
import UserFiles

/// A process that is there and does nothing, because a signal or a debugger has stopped it.
package struct StoppedProcess: Hashable {
    /// Its number.
    package let process: pid_t

    /// - Returns: `nil` for a process that runs, does not exist, or is unknown to the system.
    package init?(_ process: pid_t) {
        // proc_pid_stat(5): the state is behind the name, which is in parentheses and may contain anything.
        guard process > 0, let bytes = try? PrivateFile.read("/proc/\(process)/stat", limit: 4096),
            let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < bytes.count,
            [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2])
        else { return nil }
        self.process = process
    }

    /// What follows from it for a patient, and what helps.
    package var consequence: String {
        """
        It is stopped: it measures nothing, records nothing and gives no alarm. Let it go on with: kill -CONT \(process) \
        (or fg in its shell). To end it: kill -TERM \(process); kill -CONT \(process).
        """
    }
}
