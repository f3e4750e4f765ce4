import Glibc
import UserFiles

/// A folder that only the user can enter, with a few files.
struct TemporaryDirectory {
    let path: String

    /// The parent of such folders: `TMPDIR`, or `/tmp` if paths of sockets in `TMPDIR` would be unusable.
    static var parent: String {
        guard let parent = Environment.value("TMPDIR") else { return "/tmp" }
        // Quirk socket-paths: they have at most 107 bytes, and are unescaped in the bus's address and configuration.
        let isPlain = parent.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/_-.".utf8.contains(byte)
        }
        return parent.utf8.count > 70 || !isPlain || !parent.hasPrefix("/") ? "/tmp" : parent
    }

    /// Creates a folder below ``parent``.
    init(prefix: String) throws(PrivateBusError) {
        let parent = Self.parent
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .noDirectory(reason: "\(parent): \(String(cString: strerror(errno)))")
        }
        // CChar is signed on amd64 and unsigned on arm64.
        path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Writes a file.
    func write(_ text: String, to name: String) throws(PrivateBusError) {
        guard let file = fopen("\(path)/\(name)", "we") else {
            throw .noDirectory(reason: "\(path)/\(name): \(String(cString: strerror(errno)))")
        }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else {
            throw .noDirectory(reason: "\(path)/\(name) could not be written")
        }
    }

    /// The last line of a file that is not empty.
    func lastLine(of name: String) -> String? {
        guard let file = fopen("\(path)/\(name)", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = fread(&buffer, 1, buffer.count, file)
        let lines = buffer[..<count].split(separator: UInt8(ascii: "\n"))
        return lines.last.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Removes the folder with its files.
    func remove() {
        for name in FolderListing.names(in: path, includesHidden: true) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
