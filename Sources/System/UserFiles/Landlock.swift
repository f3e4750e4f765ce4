import CSystem
import Glibc
import Synchronization

/// How a process that restricts itself may still use a file, or a folder with all below it.
public struct FileAccess: Hashable, Sendable {
    /// What may be done there.
    public enum Extent: Hashable, Sendable {
        /// Read, list and run.
        case read
        /// Read and write what is there, and control devices.
        case use
        /// Anything, also create and remove.
        case change
    }

    /// The file or folder.
    public var path: String
    /// What may be done there.
    public var extent: Extent

    public init(_ extent: Extent, _ path: String) {
        (self.extent, self.path) = (extent, path)
    }
}

/// Restricts a process to some files for the rest of its life, where the kernel has Landlock (Linux 5.13).
///
/// Source: landlock(7), and `Documentation/userspace-api/landlock.rst` of Linux. What is open already stays usable, and
/// sockets can be reached by path as before.
public enum Landlock {
    private static let force = Atomic(false)

    /// Whether this process has restricted itself.
    public static var isInForce: Bool { force.load(ordering: .relaxed) }

    /// The version of the kernel's interface; `nil` where it has none, or it is switched off.
    public static var version: Int? {
        let version = csystem_landlock_version()
        return version > 0 ? Int(version) : nil
    }

    /// Restricts this thread, and all threads and programs that it starts from now on.
    ///
    /// They also cannot accept TCP connections, where the kernel knows how to forbid that. Paths that do not exist are left
    /// out. The thread must have given up new privileges.
    ///
    /// - Returns: Whether it is restricted now; where it is not, nothing has changed.
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

    /// The uses of files that a version of the interface can forbid.
    static func files(_ version: Int) -> UInt64 {
        // Execute, write, read, list, remove (2), make (7); then moving between folders, truncating, controlling devices.
        switch version {
        case ...1: 1 << 13 - 1
        case 2: 1 << 14 - 1
        case 3, 4: 1 << 15 - 1
        default: 1 << 16 - 1
        }
    }

    /// The uses of TCP that a version of the interface can forbid and that nothing here needs: to be called.
    ///
    /// Calling is left: sound and speech may be on another computer.
    static func tcp(_ version: Int) -> UInt64 { version >= 4 ? 1 : 0 }

    /// The uses that an access allows; a file has no more than these.
    static func uses(_ extent: FileAccess.Extent, isFolder: Bool) -> UInt64 {
        let ofFile = execute | writeFile | readFile | truncate | controlDevice
        let uses =
            switch extent {
            case .read: execute | readFile | readFolder
            case .use: writeFile | readFile | readFolder | truncate | controlDevice
            // Nothing that was written may be run, or reach a device.
            case .change: (1 << 16 - 1) & ~(execute | controlDevice | makeDevice)
            }
        return isFolder ? uses : uses & ofFile
    }

    /// The creation of character and of block devices.
    private static let makeDevice: UInt64 = 1 << 6 | 1 << 11
}
