import Glibc
import Synchronization

/// A `dbus-daemon` of a test's own, with a policy that allows everything.
///
/// It ends with this object and, through a pipe, also when the test's process dies in any way.
public final class PrivateBusDaemon: Sendable {
    /// The D-Bus address, the same after ``stop()`` and ``start()``.
    public let address: String

    private struct Running {
        var shell: pid_t
        /// The write end of the pipe whose closing ends the daemon.
        var lifeline: Int32
    }

    private let directory: String
    private let running = Mutex<Running?>(nil)

    /// Starts a daemon in a new temporary directory and waits until it listens.
    ///
    /// - Parameter forbidden: A name whose owner receives no messages.
    public init(forbidding forbidden: String? = nil) throws {
        var template = Array("/tmp/bedside-bus-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw TestSupportError("mkdtemp", errno) }
        directory = String(cString: made)
        address = "unix:path=\(directory)/bus"
        try Self.write(Self.configuration(listening: address, forbidding: forbidden), to: "\(directory)/bus.conf")
        try start()
    }

    deinit {
        stop()
        for name in ["bus", "bus.conf"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }

    /// Starts the daemon again, at the same address; does nothing when it runs.
    public func start() throws {
        try running.withLock { running in
            if running != nil { return }
            unlink("\(directory)/bus")
            running = try Self.launch("\(directory)/bus.conf")
        }
    }

    /// Kills the daemon, without a goodbye, and waits until it is gone.
    public func stop() {
        running.withLock { running in
            guard let ending = running else { return }
            running = nil
            close(ending.lifeline)
            while waitpid(ending.shell, nil, 0) < 0, errno == EINTR {}
        }
    }

    private static func launch(_ configuration: String) throws -> Running {
        let lifeline = try connectedDescriptors()
        let listening = try connectedDescriptors()
        defer {
            close(lifeline.0)
            close(listening.0)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, lifeline.0, 0)
        posix_spawn_file_actions_adddup2(&actions, listening.1, 1)
        // A test's thread may have signals blocked, which a child inherits, and the shell waits for SIGCHLD.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let script = """
            dbus-daemon --nofork --config-file='\(configuration)' --print-address=1 & exec >/dev/null
            read -r line; kill -9 $!; wait
            """
        let words = ["sh", "-c", script]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var shell = pid_t()
        let status = posix_spawnp(&shell, "sh", &actions, &attributes, arguments, environ)
        close(listening.1)
        guard status == 0 else {
            close(lifeline.1)
            throw TestSupportError("posix_spawn of sh", status)
        }
        let running = Running(shell: shell, lifeline: lifeline.1)
        var byte: UInt8 = 0
        // The daemon prints its address, a line, when it listens.
        guard read(listening.0, &byte, 1) == 1 else {
            close(running.lifeline)
            waitpid(shell, nil, 0)
            throw TestSupportError("start of dbus-daemon (is the package dbus installed?)", ENOENT)
        }
        return running
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestSupportError("open of \(path)", errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw TestSupportError("write of \(path)", errno)
        }
    }

    private static func configuration(listening address: String, forbidding forbidden: String?) -> String {
        let denial = forbidden.map { "<deny send_destination=\"\($0)\"/>" } ?? ""
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
                \(denial)
              </policy>
              <limit name="max_incoming_bytes">1000000000</limit>
              <limit name="max_outgoing_bytes">1000000000</limit>
              <limit name="max_message_size">1000000000</limit>
              <limit name="max_replies_per_connection">50000</limit>
            </busconfig>
            """
    }
}
