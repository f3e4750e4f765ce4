import Foundation
import Glibc

/// A script in Python that answers each line with a line: an independent computation, or an independent peer.
///
/// It ends with this value.
public final class PythonScript {
    private let process = Process()
    private let input = Pipe.keptFromChildren()
    private let output = Pipe.keptFromChildren()
    private let stream: UnsafeMutablePointer<FILE>

    /// Why a script does not answer.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private static let interpreter = "/usr/bin/python3"

    /// Whether Python is here, with a module that a script needs.
    public static func isHere(with module: String = "sys") -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: interpreter)
        process.arguments = ["-c", "import \(module)"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Starts a script.
    ///
    /// - Parameters:
    ///   - path: The script's path.
    ///   - arguments: What it is given.
    ///   - interpreter: The path of the Python that runs it; Debian's by default.
    public init(_ path: String, _ arguments: [String] = [], interpreter: String? = nil) throws {
        let reader = fcntl(output.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard let stream = fdopen(reader, "r") else {
            throw Failure(description: "no stream")
        }
        self.stream = stream
        process.executableURL = URL(filePath: interpreter ?? Self.interpreter)
        process.arguments = [path] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        // A process that was started at the same moment may still hold the other end of its input.
        process.terminate()
        process.waitUntilExit()
        fclose(stream)
    }

    /// Hands over a line, and waits for the answer.
    public func answer(to line: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        guard getline(&buffer, &capacity, stream) > 0, let buffer else {
            throw Failure(description: "the script has ended before it answered “\(line)”")
        }
        return String(String(cString: buffer).dropLast())
    }
}

extension Pipe {
    /// A pipe that only this process has, and the process that it is given to: Foundation lets every child inherit it.
    public static func keptFromChildren() -> Pipe {
        let pipe = Pipe()
        for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }
}
