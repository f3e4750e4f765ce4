import Glibc

extension StoreFile {
    /// Whether a file is a store, or one of those that SQLite and Bedside keep beside one, by whatever name.
    ///
    /// Only to be asked by a process that has none of these files open (quirk sqlite-locks).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - stores: Stores that are known; others are recognised by what is in them.
    public static func isPartOfStore(_ path: String, of stores: [String] = []) -> Bool {
        guard let identity = FileIdentity(path) else { return false }
        let real = realpath(path, nil).map { resolved -> String in
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let endings = StoreIdentity.tails + [".use"]
        for store in stores where endings.contains(where: { FileIdentity(store + $0) == identity }) { return true }
        for ending in endings {
            let name = real ?? path
            if name.hasSuffix(ending), isStore(String(name.dropLast(ending.count))) { return true }
        }
        return false
    }

    /// Whether the header of a file says that it is a store of ours, or may become one when its log is brought in.
    private static func isStore(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var octets = [UInt8](repeating: 0, count: 100)
        guard pread(descriptor, &octets, octets.count, 0) == octets.count, octets.starts(with: StoreIdentity.magic)
        else { return false }
        let identifier = octets[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return identifier == Schema.applicationIdentifier
            || identifier == 0 && access(path + "-wal", F_OK) == 0
    }
}
