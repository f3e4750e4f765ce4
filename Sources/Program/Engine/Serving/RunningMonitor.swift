import Base
import EventLoops
import Glibc
import JSON
import Vitals

/// The program that monitors a patient, from the note in its lock.
package struct RunningMonitor: Hashable, Sendable {
    package var process: pid_t
    /// Its command, such as `dashboard`.
    package var command: String
    /// The time of its start, in milliseconds since 1970 (UTC).
    package var since: Int64
    /// The path of its socket.
    package var socket: String

    /// The stopped process; `nil` while it runs.
    package var stopped: StoppedProcess? { StoppedProcess(process) }

    /// Describes this process.
    package init(command: String, socket: String) {
        process = getpid()
        self.command = command
        since = Timestamp.now().wallMilliseconds
        self.socket = socket
    }

    /// Reads a note; `nil` when it is invalid.
    package init?(note: [UInt8]) {
        guard let value = try? JSON5Parser.parse(note), let process = value["pid"]?.whole.flatMap(pid_t.init(exactly:)),
            let command = value["command"]?.text, let since = value["since_ms"]?.whole.map({ Int64($0) }),
            let socket = value["socket"]?.text
        else { return nil }
        (self.process, self.command, self.since, self.socket) = (process, sanitized(command), since, socket)
    }

    /// The note to write.
    package var note: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.key("pid")
        json.integer(process)
        json.key("command")
        json.string(command)
        json.key("since_ms")
        json.integer(since)
        json.key("socket")
        json.string(socket)
        json.endObject()
        json.newline()
        return json.bytes
    }
}
