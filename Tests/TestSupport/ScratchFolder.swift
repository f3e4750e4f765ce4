import Foundation

/// A folder of its own for one test, removed with this value.
public final class ScratchFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes the folder.
    ///
    /// - Parameter isInMemory: Whether its files are in memory, so that nobody waits for a disk (`shm_overview(7)`).
    public init(isInMemory: Bool = false) throws {
        let parent = isInMemory ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
        let url = parent.appendingPathComponent("bedside-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file into the folder; answers its path.
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }

    /// The names of what is in the folder.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
