import Foundation

/// A folder of its own for one test, removed with this value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("bedside-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = url.path
        Leftovers.add(folder: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        Leftovers.remove(folder: path)
    }

    /// Writes a file into the folder.
    ///
    /// - Returns: The file's path.
    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }
}
