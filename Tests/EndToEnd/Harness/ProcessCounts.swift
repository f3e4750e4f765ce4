import Foundation
import Testing

/// What the kernel has counted of a process and all its threads.
struct ProcessCounts {
    /// How often a thread waited for something.
    var waits = 0
    /// How often something was written: files, pipes, terminals and sockets by `write`.
    var writes = 0

    /// Reads the counts of a running process (proc(5): `status` of each task, `io`).
    init(of process: pid_t, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let folder = "/proc/\(process)"
        for task in try FileManager.default.contentsOfDirectory(atPath: folder + "/task") {
            // A thread may have ended meanwhile.
            guard let status = try? String(contentsOfFile: "\(folder)/task/\(task)/status", encoding: .utf8) else {
                continue
            }
            waits += Self.number("voluntary_ctxt_switches", in: status) ?? 0
        }
        let file = try String(contentsOfFile: folder + "/io", encoding: .utf8)
        writes = try #require(Self.number("syscw", in: file), sourceLocation: sourceLocation)
    }

    private static func number(_ name: String, in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix(name + ":") }.flatMap {
            Int($0.drop { $0 != ":" }.dropFirst().drop(while: \.isWhitespace))
        }
    }
}
