import CSystem
import Glibc
import Synchronization

/// How a process that restricts itself may still use a file, or a folder and everything below it.
public struct FileAccess: Hashable, Sendable {
    public enum Extent: Hashable, Sendable {
        /// Read, list and run.
        case read
        /// Read and write existing files, and control devices.
        case use
        /// Everything, including create and remove.
        case change
    }

    public var path: String
    public var extent: Extent

    public init(_ extent: Extent, _ path: String) {
        (self.extent, self.path) = (extent, path)
    }
}

/// Restricts a process to some files for the rest of its life, where the kernel has Landlock (Linux 5.13).
///
/// Source: landlock(7), and `Documentation/userspace-api/landlock.rst` of Linux. Open files stay usable, and sockets
/// can still be reached by path.
public enum Landlock {
    private static let force = Atomic(false)

    /// Whether this process has restricted itself.
    public static var isInForce: Bool { force.load(ordering: .relaxed) }

    /// The version of the kernel's interface; `nil` where it is missing or switched off.
    public static var version: Int? {
        let version = csystem_landlock_version()
        return version > 0 ? Int(version) : nil
    }

    /// Restricts this thread, and all threads and programs that it starts from now on.
    ///
    /// They also cannot accept TCP connections, where the kernel can forbid that. Missing paths are left out. The thread
    /// must have given up new privileges.
    ///
    /// - Returns: Whether it is restricted now; if not, nothing has changed.
    public static func restrict(to accesses: [FileAccess]) -> Bool {
        guard let version, let rules = Descriptor(csystem_landlock_create(files(version), tcp(version))) else {
            return false
        }
        for access in accesses {
            guard let place = Descriptor(opening: access.path, pathOnly) else { continue }
            var status = stat()
            guard fstat(place.number, &status) == 0 else { return false }
            let uses = uses(access.extent, isFolder: status.st_mode & S_IFMT == S_IFDIR) & files(version)
            guard csystem_landlock_allow(rules.number, uses, place.number) == 0 else { return false }
        }
        guard csystem_landlock_restrict(rules.number) == 0 else { return false }
        force.store(true, ordering: .relaxed)
        return true
    }

    /// `O_PATH`, a GNU extension that the Glibc module does not show.
    private static let pathOnly: Int32 = 0o10000000

    private static let execute: UInt64 = 1 << 0
    private static let writeFile: UInt64 = 1 << 1
    private static let readFile: UInt64 = 1 << 2
    private static let readFolder: UInt64 = 1 << 3
    private static let truncate: UInt64 = 1 << 14
    private static let controlDevice: UInt64 = 1 << 15

    /// The accesses to files that a version of the interface can forbid.
    static func files(_ version: Int) -> UInt64 {
        // Execute, write, read, list, remove (2), make (7); later versions: move between folders, truncate, control
        // devices.
        switch version {
        case ...1: 1 << 13 - 1
        case 2: 1 << 14 - 1
        case 3, 4: 1 << 15 - 1
        default: 1 << 16 - 1
        }
    }

    /// The accesses to TCP that are forbidden where possible: only to accept connections.
    ///
    /// Outgoing connections stay allowed, because sound and speech may be on another computer.
    static func tcp(_ version: Int) -> UInt64 { version >= 4 ? 1 : 0 }

    /// The accesses of an extent; fewer for a file than for a folder.
    static func uses(_ extent: FileAccess.Extent, isFolder: Bool) -> UInt64 {
        let ofFile = execute | writeFile | readFile | truncate | controlDevice
        let uses =
            switch extent {
            case .read: execute | readFile | readFolder
            case .use: writeFile | readFile | readFolder | truncate | controlDevice
            // Written files must not be run, and must not be devices.
            case .change: (1 << 16 - 1) & ~(execute | controlDevice | makeDevice)
            }
        return isFolder ? uses : uses & ofFile
    }

    /// The creation of character and of block devices.
    private static let makeDevice: UInt64 = 1 << 6 | 1 << 11
}
