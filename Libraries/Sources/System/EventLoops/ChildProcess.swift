import CSystem
import Glibc
import UserFiles

/// Starts and ends other programs.
public enum ChildProcess {
    /// The target of a standard stream.
    public enum Stream: Hashable, Sendable {
        /// `/dev/null`.
        case nothing
        /// A new file, readable by the user only; replaces an existing one.
        case newFile(String)
        /// A descriptor, which stays the caller's.
        case descriptor(Int32)
    }

    /// The path of a program in one of the folders of `PATH`, else in the usual ones; `nil` where there is none.
    public static func find(_ name: String) -> String? {
        let folders = (Environment.value("PATH") ?? "") + ":/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Starts a program.
    ///
    /// It inherits no other descriptors and no blocked signals, and leads a process group of its own, so Ctrl-C in the
    /// terminal does not reach it.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - input: Its standard input.
    ///   - output: Its standard output.
    ///   - errors: Its standard error.
    /// - Throws: ``SystemError``.
    public static func start(
        _ arguments: [String], input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        direct(0, input, O_RDONLY, &actions)
        direct(1, output, O_WRONLY, &actions)
        direct(2, errors, O_WRONLY, &actions)
        csystem_spawn_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A loop's thread blocks all signals; a program that inherited that would never receive SIGTERM.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var process = pid_t()
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let status = posix_spawn(&process, arguments[0], &actions, &attributes, &pointers, csystem_environment())
        guard status == 0 else { throw SystemError(number: status) }
        return process
    }

    /// Runs a program to its end, with the standard output and error of this one.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - limit: How long it may take; then it is ended.
    /// - Returns: Its exit status; `nil` where it could not be started, took too long or was ended by a signal.
    public static func run(_ arguments: [String], within limit: Duration) -> Int32? {
        guard let process = try? start(arguments, output: .descriptor(1), errors: .descriptor(2)) else { return nil }
        let end = ContinuousClock.now + limit
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < end else {
                Self.end(process)
                return nil
            }
            usleep(10_000)
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// Terminates a process, kills it after a second, and waits until it has ended.
    public static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        for attempt in 0..<200 {
            if waitpid(process, nil, WNOHANG) != 0 { return }
            if attempt == 100 { kill(process, SIGKILL) }
            usleep(10_000)
        }
    }

    private static func direct(
        _ number: Int32, _ stream: Stream, _ access: Int32, _ actions: inout posix_spawn_file_actions_t
    ) {
        switch stream {
        case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", access, 0)
        case .newFile(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, access | O_CREAT | O_TRUNC, 0o600)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
    }
}
