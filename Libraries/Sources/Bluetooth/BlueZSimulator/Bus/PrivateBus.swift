import CSystem
import EventLoops
import Glibc
import UserFiles

/// A private message bus: a `dbus-daemon` that ends with this process.
///
/// Its socket is in a folder that only the user can enter, and is reachable only by ``address``.
final class PrivateBus {
    /// The address for programs after ``publish()``; the same after ``stop()`` and ``start()``.
    let address: String
    /// The address for the creator before ``publish()``.
    let privateAddress: String

    let directory: TemporaryDirectory
    /// The daemon; `nil` while it is stopped.
    private(set) var process: pid_t?
    private let arguments: [String]

    /// Starts `dbus-daemon` and waits until it accepts connections, which takes some milliseconds.
    ///
    /// Quirk death-of-a-thread: the kernel ends the daemon together with the calling thread, so that thread must
    /// outlive it.
    init(program name: String = "dbus-daemon") throws(PrivateBusError) {
        guard let program = ChildProcess.find(name) else { throw .notInstalled }
        directory = try TemporaryDirectory(prefix: "bedside-simulator-")
        // Without the identifier that the daemon prints, because it changes at each start.
        address = "unix:path=\(directory.path)/bus"
        privateAddress = "\(address)-private"
        var arguments = [program, "--config-file=\(directory.path)/bus.conf", "--nofork", "--print-address=1"]
        if let guardian = ChildProcess.find("setpriv") { arguments = [guardian, "--pdeathsig", "TERM"] + arguments }
        self.arguments = arguments
        do throws(PrivateBusError) {
            try directory.write(Self.activation, to: "org.bluez.service")
            try permitCalls(true)
            try start()
        } catch {
            directory.remove()
            throw error
        }
    }

    /// Starts the daemon, unless it runs.
    func start() throws(PrivateBusError) {
        if process != nil { return }
        unlink("\(directory.path)/bus-private")
        let (process, output) = try Self.launch(arguments, errors: directory.path + "/log")
        defer { close(output) }
        guard Self.line(from: output, milliseconds: 10_000) != nil else {
            ChildProcess.end(process)
            throw PrivateBusError.noAddress(reason: directory.lastLine(of: "log") ?? "it printed no address")
        }
        self.process = process
    }

    /// Lets programs connect at ``address``.
    ///
    /// Before that, its creator can request the names that identify the bus.
    func publish() throws(PrivateBusError) {
        guard rename("\(directory.path)/bus-private", "\(directory.path)/bus") == 0 else {
            throw .cannotStart(reason: SystemError(number: errno).description)
        }
    }

    /// Ends the daemon; all clients lose the connection.
    func stop() {
        if let process { ChildProcess.end(process) }
        process = nil
        unlink("\(directory.path)/bus")
    }

    /// Ends the daemon and removes its folder.
    func remove() {
        stop()
        directory.remove()
    }

    /// Whether clients may call bluetoothd, from the daemon's next start or `ReloadConfig` on.
    func permitCalls(_ isPermitted: Bool) throws(PrivateBusError) {
        try directory.write(
            Self.configuration(directory: directory.path, arePermitted: isPermitted), to: "bus.conf")
    }

    /// Without bluetoothd, activation of its name fails, as on a computer without systemd.
    private static let activation = """
        [D-BUS Service]
        Name=org.bluez
        Exec=/bin/false

        """

    /// Every process that can open the socket may do everything; the limits are those of a session bus.
    private static func configuration(directory: String, arePermitted: Bool) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>custom</type>
          <keep_umask/>
          <listen>unix:path=\(directory)/bus-private</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(directory)</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>\(arePermitted ? "" : denial)
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">128000000</limit>
          <limit name="max_replies_per_connection">50000</limit>
          <limit name="max_match_rules_per_connection">50000</limit>
        </busconfig>

        """
    }

    /// The effect of a distribution's stricter policy; signals of bluetoothd are still received.
    private static let denial = """

          <policy context="mandatory">
            <deny send_destination="org.bluez"/>
          </policy>
        """

    /// Starts a program; returns the process and the descriptor of its standard output.
    private static func launch(
        _ arguments: [String], errors: String
    ) throws(PrivateBusError) -> (process: pid_t, output: Int32) {
        var pipe: [Int32] = [-1, -1]
        guard csystem_pipe(&pipe) == 0 else { throw .cannotStart(reason: SystemError(number: errno).description) }
        defer { close(pipe[1]) }
        do {
            let process = try ChildProcess.start(arguments, output: .descriptor(pipe[1]), errors: .newFile(errors))
            return (process, pipe[0])
        } catch {
            close(pipe[0])
            throw .cannotStart(reason: error.description)
        }
    }

    /// Reads the first line from a descriptor; `nil` at its end or when the time is over.
    private static func line(from descriptor: Int32, milliseconds: Int32) -> String? {
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "\n")) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, milliseconds) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes.append(contentsOf: buffer[..<count])
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}

/// Why there is no private bus; the description is a sentence, with the remedy if there is one.
public enum PrivateBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `dbus-daemon` is not in any folder of `PATH`.
    case notInstalled
    /// No folder for the socket could be made.
    case noDirectory(reason: String)
    /// `dbus-daemon` could not be started.
    case cannotStart(reason: String)
    /// `dbus-daemon` ended, or did not print its address.
    case noAddress(reason: String)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .notInstalled:
            "The program dbus-daemon is missing, which the simulator needs; install the Debian package dbus-daemon."
        case .noDirectory(let reason): "No folder for the simulator's bus could be made: \(reason)."
        case .cannotStart(let reason): "The simulator's bus could not be started: \(reason)."
        case .noAddress(let reason): "The simulator's bus did not come up: \(reason)."
        }
    }
}

/// A folder that only the user can enter, with a few files.
struct TemporaryDirectory {
    let path: String

    /// The parent of such folders: `TMPDIR`, or `/tmp` if paths of sockets in `TMPDIR` would be unusable.
    static var parent: String {
        guard let parent = Environment.value("TMPDIR") else { return "/tmp" }
        // Quirk socket-paths: they have at most 107 bytes, and are unescaped in the bus's address and configuration.
        let isPlain = parent.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/_-.".utf8.contains(byte)
        }
        return parent.utf8.count > 70 || !isPlain || !parent.hasPrefix("/") ? "/tmp" : parent
    }

    /// Creates a folder below ``parent``.
    init(prefix: String) throws(PrivateBusError) {
        let parent = Self.parent
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .noDirectory(reason: "\(parent): \(String(cString: strerror(errno)))")
        }
        // CChar is signed on amd64 and unsigned on arm64.
        path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Writes a file.
    func write(_ text: String, to name: String) throws(PrivateBusError) {
        guard let file = fopen("\(path)/\(name)", "we") else {
            throw .noDirectory(reason: "\(path)/\(name): \(String(cString: strerror(errno)))")
        }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else {
            throw .noDirectory(reason: "\(path)/\(name) could not be written")
        }
    }

    /// The last line of a file that is not empty.
    func lastLine(of name: String) -> String? {
        guard let file = fopen("\(path)/\(name)", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = fread(&buffer, 1, buffer.count, file)
        let lines = buffer[..<count].split(separator: UInt8(ascii: "\n"))
        return lines.last.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Removes the folder with its files.
    func remove() {
        for name in FolderListing.names(in: path, includesHidden: true) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
