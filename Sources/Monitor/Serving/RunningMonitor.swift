import EventLoops
import Glibc
import JSON
import Vitals

/// The program that monitors a patient, from the note in its lock.
package struct RunningMonitor: Hashable, Sendable {
    /// Its process.
    package var process: pid_t
    /// Its command, such as `dashboard`.
    package var command: String
    /// When it began, in milliseconds since 1970 (UTC).
    package var since: Int64
    /// The path of its socket.
    package var socket: String

    /// That its process is stopped; `nil` while it runs.
    package var stopped: StoppedProcess? { StoppedProcess(process) }

    /// Makes a description of this process.
    package init(command: String, socket: String) {
        process = getpid()
        self.command = command
        since = Timestamp.now().wallMilliseconds
        self.socket = socket
    }

    /// Reads a note; `nil` when it is invalid.
    package init?(note: [UInt8]) {
        guard let content = String(validating: note, as: UTF8.self), let value = try? JSON5Parser.parse(content),
            case .object(let members) = value.content
        else { return nil }
        func number(_ name: String) -> Int64? {
            guard case .number(let number)? = members.first(where: { $0.name == name })?.value.content else {
                return nil
            }
            return Int64(exactly: number)
        }
        func text(_ name: String) -> String? {
            guard case .string(let text)? = members.first(where: { $0.name == name })?.value.content else { return nil }
            return text
        }
        guard let process = number("pid").flatMap(pid_t.init(exactly:)), let command = text("command"),
            let since = number("since_ms"), let socket = text("socket")
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
        return json.octets
    }
}
