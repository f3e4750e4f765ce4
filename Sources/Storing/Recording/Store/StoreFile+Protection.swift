import Glibc
import UserFiles

extension StoreFile {
    /// Whether a file is a store, or a companion file of one, by whatever name.
    ///
    /// Call it only in a process that has none of these files open (quirk sqlite-locks).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - stores: Known stores; others are recognised by their content.
    public static func isPartOfStore(_ path: String, of stores: [String] = []) -> Bool {
        guard let identity = FileIdentity(path) else { return false }
        let real = resolvedPath(path)
        let endings = StoreIdentity.tails + [".use"]
        for store in stores where endings.contains(where: { FileIdentity(store + $0) == identity }) { return true }
        for ending in endings {
            let name = real ?? path
            if name.hasSuffix(ending), isStore(String(name.dropLast(ending.count))) { return true }
        }
        return false
    }

    /// Whether the header of a file marks it as a store, or a checkpoint may turn it into one.
    private static func isStore(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: StoreHeader.size)
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count,
            let identifier = StoreHeader(bytes)?.applicationIdentifier
        else { return false }
        return [Schema.applicationIdentifier, Schema.developmentIdentifier].contains(identifier)
            || identifier == 0 && access(path + "-wal", F_OK) == 0
    }
}
