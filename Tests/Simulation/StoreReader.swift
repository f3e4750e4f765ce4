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
