import CSystem
import Glibc

/// Starts and ends other programs.
package enum Executable {
    /// The path of a program in one of the folders of `PATH`, else in the usual ones.
    package static func find(_ name: String) -> String? {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "") + ":/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Starts a program.
    ///
    /// It reads nothing, gets none of our descriptors, takes every signal, and does not get the terminal's Ctrl-C.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - errors: The file that its standard error goes to.
    /// - Returns: The process, and a descriptor that its standard output comes from.
    package static func start(
        _ arguments: [String], errors: String
    ) throws(PrivateBusFailure) -> (process: pid_t, output: Int32) {
        var pipe: [Int32] = [-1, -1]
        guard csystem_pipe(&pipe) == 0 else { throw .cannotStart(reason: String(cString: strerror(errno))) }
        let status = spawn(arguments, output: pipe[1], errors: errors)
        close(pipe[1])
        guard case .success(let process) = status else {
            close(pipe[0])
            if case .failure(let error) = status { throw .cannotStart(reason: error.description) }
            throw .cannotStart(reason: "unknown")
        }
        return (process, pipe[0])
    }

    /// Asks a process to end, and ends it after a second; waits until it is gone.
    package static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        for attempt in 0..<200 {
            if waitpid(process, nil, WNOHANG) != 0 { return }
            if attempt == 100 { kill(process, SIGKILL) }
            usleep(10_000)
        }
    }

    private static func spawn(
        _ arguments: [String], output: Int32, errors: String
    ) -> Result<pid_t, SystemFailure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        csystem_spawn_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A loop's thread blocks all signals, which the program would inherit and never hear SIGTERM.
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
        return status == 0 ? .success(process) : .failure(SystemFailure(number: status))
    }
}

/// An error number of the system.
struct SystemFailure: Error, CustomStringConvertible {
    let number: Int32

    var description: String { String(cString: strerror(number)) }
}
