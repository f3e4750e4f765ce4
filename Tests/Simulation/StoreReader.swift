import Foundation

/// Reads the store of a night with the program `sqlite3`, which shares no code with Bedside.
struct StoreReader {
    /// The path of the store.
    let path: String

    /// The rows that a query finds, each as its columns.
    func rows(_ query: String) throws -> [[String]] {
        try output(of: "/usr/bin/sqlite3", ["-batch", "-separator", "|", path, query]).split(separator: "\n").map {
            line in
            line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The RR intervals of a notification, in units of 1/1024 s.
    struct Notified {
        /// Seconds of the machine's clock.
        var time: Double
        var intervals: [Int]
    }

    /// The RR intervals of each sensor, by its address, in their order.
    func intervals() throws -> [String: [Notified]] {
        let query = """
            SELECT s.address, e.monotonic_ns + r.drift_ns + (r.wall_ms - e.wall_ms) * 1000000, hex(r.intervals)
            FROM rr r JOIN epoch e ON e.id = r.epoch JOIN sensor s ON s.id = r.sensor ORDER BY r.wall_ms, r.n
            """
        return try rows(query).reduce(into: [:]) { intervals, row in
            guard row.count == 3, let time = Double(row[1]) else { return }
            let digits = Array(row[2])
            // Two octets each, the lower first.
            let list = stride(from: 0, to: digits.count - 3, by: 4).compactMap { place in
                Int(String(digits[(place + 2)..<(place + 4)] + digits[place..<(place + 2)]), radix: 16)
            }
            intervals[row[0], default: []].append(Notified(time: time / 1e9, intervals: list))
        }
    }
}

/// What a program writes, errors included.
///
/// - Parameter environment: Its environment; `nil` for that of the tests.
func output(of program: String, _ arguments: [String], environment: [String: String]? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    if let environment { process.environment = environment }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
}
