import Glibc
import UserFiles

/// A process that was stopped by a signal or a debugger.
package struct StoppedProcess: Hashable {
    /// The process number.
    package let process: pid_t

    /// - Returns: `nil` for a process that runs, does not exist, or is unknown to the system.
    package init?(_ process: pid_t) {
        // proc_pid_stat(5): the state follows the name, which is in parentheses and may contain any character.
        guard process > 0, let bytes = try? PrivateFile.read("/proc/\(process)/stat", limit: 4096),
            let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < bytes.count,
            [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2])
        else { return nil }
        self.process = process
    }

    /// The consequence for a patient, and the remedy.
    package var consequence: String {
        """
        It is stopped: it measures nothing, records nothing and gives no alarm. Let it go on with: kill -CONT \(process) \
        (or fg in its shell). To end it: kill -TERM \(process); kill -CONT \(process).
        """
    }
}
