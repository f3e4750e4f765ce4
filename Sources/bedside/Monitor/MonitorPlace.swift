import Glibc
import UserFiles

/// Where the running monitor of a patient is found.
struct MonitorPlace {
    static func simulatedSocket(_ directories: UserDirectories) -> String {
        "\(directories.runtime ?? "\(directories.state)/run")/simulated-\(getpid()).sock"
    }

    static func socket(_ directories: UserDirectories) -> String {
        "\(directories.runtime ?? "\(directories.state)/run")/monitor.sock"
    }

    static func paths() -> [String] {
        guard let directories = try? UserDirectories.current() else { return [] }
        let folder = directories.runtime ?? "\(directories.state)/run"
        var found: [(path: String, made: Int)] = []
        if let listing = opendir(folder) {
            defer { closedir(listing) }
            while let entry = readdir(listing) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard name.hasPrefix("simulated-"), name.hasSuffix(".sock") else { continue }
                var status = stat()
                let path = "\(folder)/\(name)"
                if lstat(path, &status) == 0 { found.append((path, status.st_mtim.tv_sec)) }
            }
        }
        return [socket(directories)] + found.sorted { ($0.made, $0.path) > ($1.made, $1.path) }.map(\.path)
    }
}
