import CSpawn
import EventLoops
import Glibc

/// How a process ended.
enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    var description: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "killed by signal \(signal)"
        }
    }
}

/// What to give to a process as one of its standard streams.
enum StandardStream {
    /// An open descriptor.
    case descriptor(Int32)
    /// A path, opened for reading and writing by the child itself.
    case path(String)
}

/// A program that was started and is watched until it ends; nothing of it outlives this value or the tests.
///
/// Threading: only on the loop's thread.
final class ChildProcess {
    /// What ends the program when it is not needed any more.
    enum Ending {
        /// At once.
        case kill
        /// By SIGTERM, and a moment to clear up what it made.
        case terminate
    }

    let identifier: pid_t
    private(set) var exitStatus: ExitStatus?
    private let loop: EventLoop
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private let ending: Ending

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, the program's path first.
    ///   - environment: All of its environment.
    ///   - streams: Its standard input, output and error.
    ///   - startsSession: Whether it leads a session of its own, whose terminal is the first one it opens.
    init(
        _ arguments: [String], environment: [String: String], streams: [StandardStream], startsSession: Bool,
        ending: Ending, on loop: EventLoop
    ) throws {
        identifier = try Self.spawn(arguments, environment, streams, startsSession)
        self.loop = loop
        self.ending = ending
        Leftovers.add(process: identifier)
        descriptor = pidfd_open(identifier, 0)
        guard descriptor >= 0 else {
            kill(identifier, SIGKILL)
            throw HarnessError("a process that was started cannot be watched")
        }
    }

    deinit {
        if let watch { loop.unwatch(watch) }
        if exitStatus == nil {
            if ending == .terminate {
                kill(identifier, SIGTERM)
                var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&ended, 1, 5000)
            }
            kill(identifier, SIGKILL)
            var status: Int32 = 0
            waitpid(identifier, &status, 0)
            Leftovers.remove(process: identifier)
        }
        close(descriptor)
    }

    /// Calls `handler` on the loop's thread when the process has ended.
    func onExit(_ handler: @escaping () -> Void) {
        watch = loop.watch(descriptor, for: .readable) { [weak self] _ in
            guard let self, self.reap() else { return }
            handler()
        }
    }

    /// Sends a signal, unless the process has ended.
    func send(signal: Int32) {
        if exitStatus == nil { kill(identifier, signal) }
    }

    private func reap() -> Bool {
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return false }
        exitStatus =
            cspawn_has_exited(status)
            ? .exited(cspawn_exit_status(status)) : .killed(signal: cspawn_ending_signal(status))
        Leftovers.remove(process: identifier)
        if let watch { loop.unwatch(watch) }
        watch = nil
        return true
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ streams: [StandardStream], _ startsSession: Bool
    ) throws -> pid_t {
        guard let program = arguments.first else { throw HarnessError("no program was named") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            switch stream {
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            case .path(let path): posix_spawn_file_actions_addopen(&actions, Int32(number), path, O_RDWR, 0)
            }
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child begins with every signal unblocked and at its default, whatever the test runner did to its own.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, cspawn_flags(startsSession))

        var argumentPointers = arguments.map { strdup($0) } + [nil]
        var environmentPointers = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, program, &actions, &attributes, &argumentPointers, &environmentPointers)
        guard status == 0 else { throw HarnessError("\(program): \(String(cString: strerror(status)))") }
        return identifier
    }
}
