import CSystem
import ChildProcesses
import Glibc

/// A message bus of our own: a `dbus-daemon` that is started here and ends with us.
///
/// Its socket lies in a folder that only the user can enter, and nobody is told of it but by ``address``.
final class PrivateBus {
    /// The address at which programs connect, as `dbus-daemon` printed it.
    let address: String

    let directory: TemporaryDirectory
    let process: pid_t

    /// Starts `dbus-daemon` and waits, some milliseconds, until it takes connections.
    ///
    /// Quirk death-of-a-thread: the kernel ends the daemon with the calling thread, which must be one that stays.
    init(program name: String = "dbus-daemon") throws(PrivateBusFailure) {
        guard let program = ChildProcess.find(name) else { throw .notInstalled }
        let directory = try TemporaryDirectory(prefix: "bedside-simulator-")
        do throws(PrivateBusFailure) {
            let configuration = directory.path + "/bus.conf"
            try directory.write(Self.configuration(directory: directory.path), to: "bus.conf")
            var arguments = [program, "--config-file=\(configuration)", "--nofork", "--print-address=1"]
            if let guardian = ChildProcess.find("setpriv") {
                arguments = [guardian, "--pdeathsig", "TERM"] + arguments
            }
            let log = directory.path + "/log"
            let (process, output) = try Self.start(arguments, errors: log)
            defer { close(output) }
            guard let address = Self.line(from: output, milliseconds: 10_000) else {
                ChildProcess.end(process)
                throw PrivateBusFailure.noAddress(reason: directory.lastLine(of: "log") ?? "it printed no address")
            }
            self.address = address
            self.directory = directory
            self.process = process
        } catch {
            directory.remove()
            throw error
        }
    }

    /// Ends the daemon and removes its folder.
    func stop() {
        ChildProcess.end(process)
        directory.remove()
    }

    /// Everybody who can open the socket may do everything; the limits are those of a session bus.
    private static func configuration(directory: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>custom</type>
          <keep_umask/>
          <listen>unix:path=\(directory)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">128000000</limit>
          <limit name="max_replies_per_connection">50000</limit>
          <limit name="max_match_rules_per_connection">50000</limit>
        </busconfig>

        """
    }

    /// Starts a program; answers with the process and a descriptor that its standard output comes from.
    private static func start(
        _ arguments: [String], errors: String
    ) throws(PrivateBusFailure) -> (process: pid_t, output: Int32) {
        var pipe: [Int32] = [-1, -1]
        guard csystem_pipe(&pipe) == 0 else { throw .cannotStart(reason: SystemFailure(number: errno).description) }
        defer { close(pipe[1]) }
        do {
            let process = try ChildProcess.start(arguments, output: .descriptor(pipe[1]), errors: .newFile(errors))
            return (process, pipe[0])
        } catch {
            close(pipe[0])
            throw .cannotStart(reason: error.description)
        }
    }

    /// The first line that comes out of a descriptor; `nil` at its end or when the time is up.
    private static func line(from descriptor: Int32, milliseconds: Int32) -> String? {
        var octets: [UInt8] = []
        while !octets.contains(UInt8(ascii: "\n")) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, milliseconds) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            octets.append(contentsOf: buffer[..<count])
        }
        let line = octets.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
