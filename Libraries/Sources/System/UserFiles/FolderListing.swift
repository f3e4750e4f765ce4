import Glibc

public enum FolderListing {
    /// The names in a folder, sorted; `nil` when it cannot be read.
    ///
    /// - Parameter includesHidden: Whether names that begin with a dot are among them; the folder and its parent never are.
    public static func names(in folder: String, includesHidden: Bool = false) -> [String]? {
        guard let listing = opendir(folder) else { return nil }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { includesHidden ? $0 != "." && $0 != ".." : !$0.hasPrefix(".") }.sorted()
    }
}

/// Splits a path into its folder, which is `.` for a mere name, and the name in it.
public func splitPath(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
}

/// The absolute path of a file without symbolic links; `nil` where there is no such file.
public func resolvedPath(_ path: String) -> String? {
    realpath(path, nil).map { resolved in
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// The path of the program of this process.
public var ownProgramPath: String? { resolvedPath("/proc/self/exe") }
