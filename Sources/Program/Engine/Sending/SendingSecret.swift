import EventLoops
import Glibc
import UserFiles

/// Where the secret for a server is; it is never in arguments, logs or the configuration.
package enum SendingSecret: Hashable, Sendable {
    case none
    /// The path of a file that only its owner may read; without `/` the name of a credential of systemd.
    case file(String)
    /// A command of the shell that prints it.
    case command(String)

    /// How long a command may take.
    static let limit = Duration.seconds(30)

    /// Reads the secret: the first line.
    ///
    /// - Throws: `SecretFileError`, without the secret.
    package func read() throws(SecretFileError) -> String? {
        let lines: [String]
        let place: String
        switch self {
        case .none: return nil
        case .file(let name):
            (place, lines) = try SecretFile.lines(of: name, credentials: Environment.value("CREDENTIALS_DIRECTORY"))
        case .command(let command):
            place = "the output of the command for the secret"
            lines = SecretFile.lines(of: try Self.output(of: command))
        }
        // It becomes a part of a header's field.
        guard lines.count == 1, let secret = lines.first, secret.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw SecretFileError("\(place) must be one line of ASCII characters")
        }
        return secret
    }

    private static func output(of command: String) throws(SecretFileError) -> [UInt8] {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SecretFileError("there is no pipe for the secret's command") }
        defer { close(ends[0]) }
        let process: pid_t
        do throws(SystemError) {
            process = try ChildProcess.start(
                ["/bin/sh", "-c", command], output: .descriptor(ends[1]), errors: .descriptor(STDERR_FILENO))
        } catch {
            close(ends[1])
            throw SecretFileError("the command for the secret cannot be started")
        }
        close(ends[1])
        guard let bytes = read(ends[0]) else {
            ChildProcess.end(process)
            throw SecretFileError("the command for the secret takes longer than \(limit.components.seconds) s")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw SecretFileError("the command for the secret failed") }
        return bytes
    }

    /// Reads up to the end; `nil` if that does not come in time.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        let end = ContinuousClock.now + limit
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: SecretFile.limit)
        while bytes.count <= SecretFile.limit {
            let left = (end - ContinuousClock.now).components.seconds
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left >= 0, poll(&request, 1, Int32(left * 1000 + 1000)) > 0 else { return nil }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count <= 0 { return bytes }
            bytes += chunk.prefix(count)
        }
        return bytes
    }
}
