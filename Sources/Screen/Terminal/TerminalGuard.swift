import CSystem
import EventLoops
import Glibc

/// The guard of the terminal, as the program sees it: a process that restores the terminal if the program is killed.
///
/// A killed program cannot do that: its last picture would stay, with numbers that are not measured any longer.
final class TerminalGuard {
    private let process: pid_t
    /// The writing end of the guard's pipe, which nothing but this process has.
    let descriptor: CInt

    /// Starts the process; `nil` where that is not possible, which leaves a terminal without a guard.
    ///
    /// - Parameters:
    ///   - command: The guard's program and arguments.
    ///   - terminal: The terminal's descriptor, which it writes to.
    ///   - message: How to restore the terminal.
    init?(_ command: [String], terminal: CInt, _ message: TerminalGuardMessage) {
        var ends: [CInt] = [-1, -1]
        guard csystem_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let started = try? ChildProcess.start(command, input: .descriptor(ends[0]), output: .descriptor(terminal))
        guard let started else {
            close(ends[1])
            return nil
        }
        (process, descriptor) = (started, ends[1])
        // A pipe takes the message and all changes; should it ever not, nothing waits for that.
        _ = csystem_set_nonblocking(descriptor)
        send(message.octets)
        report(.program)
    }

    /// Reports who has the terminal.
    func report(_ owner: TerminalGuardMessage.Owner) { send([owner.rawValue]) }

    /// Ends the process, which writes nothing more.
    func end() {
        report(.nobody)
        close(descriptor)
        ChildProcess.end(process)
    }

    private func send(_ octets: [UInt8]) {
        // Without its reader there is nothing to guard with, and SIGPIPE is ignored.
        _ = write(descriptor, octets, octets.count)
    }
}

extension Terminal {
    /// Starts the process that restores the terminal if this program is killed while its screen is shown.
    ///
    /// - Parameters:
    ///   - sentence: What it writes then, before the time of day.
    ///   - command: The process, which runs ``TerminalGuardProcess/run()``.
    public func beginGuard(
        sentence: String, command: [String] = ["/proc/self/exe", TerminalGuardProcess.command]
    ) {
        guard terminalGuard == nil, let message = restoration.guardMessage(sentence: sentence) else { return }
        terminalGuard = TerminalGuard(command, terminal: restoration.descriptor, message)
        restoration.guardDescriptor = terminalGuard?.descriptor ?? -1
    }

    /// Ends the process that guards the terminal.
    func endGuard() {
        restoration.guardDescriptor = -1
        terminalGuard?.end()
        terminalGuard = nil
    }
}
