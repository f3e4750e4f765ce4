import BlueZSimulator
import CommandLineInterface
import Configuration
import CSystem
import Engine
import Glibc
import UserFiles

/// The files that a monitor can access, unless it runs a user's program.
///
/// It needs its own folders, the system's programs and libraries, terminal and sound, and the files on the command
/// line. All other files of the user, such as keys, letters and photographs, are inaccessible to it and its child
/// processes.
struct Confinement {
    /// The user's folders of this program.
    var directories: UserDirectories
    /// The user's home; `nil` where it is not known.
    var home: String?
    /// The files on the command line to be read, such as a scenario.
    var read: [String] = []
    /// The files to be replaced: the configuration, and the target of a link in its place.
    var replaced: [String] = []
    /// The files of this process: its program and libraries.
    var loaded: [String] = []
    /// The terminal's device.
    var terminal: String?
    /// The targets of links in the program's own folders, which the user has moved elsewhere.
    var linked: [String] = []
    /// The folders and files in variables of libraries, such as `TERMINFO`.
    var variables: [String] = []
    /// The folder for temporary files, which the simulator's own bus needs; `nil` where nothing is simulated.
    var temporary: String?

    /// The environment variables with paths that libraries read, separated by colons.
    static let readVariables = [
        "TERMINFO", "TERMINFO_DIRS", "LOCPATH", "TZDIR", "TZ", "LD_LIBRARY_PATH", "ALSA_CONFIG_PATH", "ALSA_CONFIG_DIR",
        "ALSA_PLUGIN_DIR", "PULSE_CLIENTCONFIG", "PULSE_COOKIE", "PIPEWIRE_CONFIG_DIR", "XAUTHORITY",
    ]

    /// The program's own folders, which must exist before the restriction.
    var ownFolders: [String] {
        [directories.configuration, directories.state, directories.data] + (directories.runtime.map { [$0] } ?? [])
    }

    /// All allowed accesses.
    var accesses: [FileAccess] {
        var accesses = Self.system + ownFolders.map { FileAccess(.change, $0) }
        accesses += read.map { FileAccess(.read, $0) }
        accesses += replaced.map { FileAccess(.change, splitPath($0).folder) }
        accesses += loaded.map { FileAccess(.read, $0) }
        accesses += linked.map { FileAccess(.change, $0) }
        accesses += variables.map { FileAccess(.read, $0) }
        if let terminal { accesses.append(FileAccess(.use, terminal)) }
        // Files of ALSA's plug-ins, the terminal's database and the message bus in the user's home.
        let settings = splitPath(directories.configuration).folder
        accesses += ["alsa", "pipewire"].map { FileAccess(.read, "\(settings)/\($0)") }
        accesses.append(FileAccess(.change, "\(settings)/pulse"))
        if let home {
            accesses += [".asoundrc", ".terminfo"].map { FileAccess(.read, "\(home)/\($0)") }
            accesses += [".pulse", ".pulse-cookie", ".dbus", ".dbus-keyrings"].map {
                FileAccess(.change, "\(home)/\($0)")
            }
        }
        if let runtime = directories.runtime.map({ splitPath($0).folder }) {
            accesses += ["pulse", "pipewire-0"].map { FileAccess(.change, "\(runtime)/\($0)") }
        } else {
            // Without a runtime folder, the sound server's socket is there.
            accesses.append(FileAccess(.change, Self.temporaryFolder))
        }
        if let temporary { accesses.append(FileAccess(.change, temporary)) }
        return accesses
    }

    /// The files that every program needs.
    static let system: [FileAccess] =
        [
            "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix/store", "/gnu/store", "/proc",
            "/sys",
            "/run", "/var/lib/dbus", "/var/lib/alsa",
        ].map { FileAccess(.read, $0) }
        + [
            "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/pts", "/dev/snd",
            "/dev/rfkill",
        ].map { FileAccess(.use, $0) }
        // The shared memory of a sound server.
        + [FileAccess(.change, "/dev/shm")]

    /// The usual folder for temporary files.
    static let temporaryFolder = "/tmp"
}

extension Confinement {
    /// The environment variable that disables the restriction.
    static let variable = "BEDSIDE_LANDLOCK"

    /// Whether the user has disabled it.
    static var isSwitchedOff: Bool { Environment.value(variable) == "off" }

    /// Whether these settings allow the restriction: they have no command for alarms, and no speech-dispatcher that
    /// Bedside must start.
    static func suits(_ settings: Settings) -> Bool {
        settings.alarms.hook.isEmpty && settings.alarms.speech == .off
    }

    /// Restricts this thread, and everything that it starts later, unless that would break something.
    static func begin(_ settings: Settings, _ arguments: CommandLineArguments) {
        // A view creates no folders, and keeps nothing in any.
        guard !arguments.has(.view), suits(settings), !isSwitchedOff, Landlock.version != nil,
            var confinement = current(arguments)
        else {
            return
        }
        confinement.read += settings.ward.files
        do throws(UserFileError) {
            // A folder that cannot be created now, such as that of a disk that comes later, would be inaccessible.
            for folder in confinement.ownFolders { try PrivateFile.createFolder(folder) }
        } catch {
            return
        }
        _ = Landlock.restrict(to: confinement.accesses)
    }

    /// The restriction for this process; `nil` without a home.
    private static func current(_ arguments: CommandLineArguments) -> Confinement? {
        guard let directories = try? UserDirectories.current() else { return nil }
        var confinement = Confinement(directories: directories, home: Environment.value("HOME"))
        // An operand that is not the path of a file is the name of a scenario.
        if let scenario = arguments.value(of: .simulate) { confinement.read.append(scenario) }
        if arguments.has(.simulate) { confinement.temporary = Simulator.temporaryFolder }
        if let file = ConfigurationFile(arguments)?.path {
            confinement.replaced = [file] + (resolvedPath(file).map { [$0] } ?? [])
        }
        confinement.loaded = loadedFiles
        confinement.terminal = ttyname(STDIN_FILENO).map { String(cString: $0) }
        confinement.variables = readVariables.compactMap(Environment.value).flatMap { text in
            text.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let folders = confinement.ownFolders + ["\(directories.configuration)/themes"]
        confinement.linked = folders.flatMap(linkTargets)
        return confinement
    }

    /// The files that are mapped into this process.
    private static var loadedFiles: [String] {
        guard let bytes = try? PrivateFile.read("/proc/self/maps", limit: 4 << 20) else { return [] }
        let paths = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        return Set(paths).sorted()
    }

    /// The folders of the targets of links in a folder.
    private static func linkTargets(in folder: String) -> [String] {
        (FolderListing.names(in: folder, includesHidden: true) ?? []).compactMap { name in
            var status = stat()
            let path = "\(folder)/\(name)"
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let target = resolvedPath(path) else {
                return nil
            }
            let isFolder = stat(target, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            return isFolder ? target : splitPath(target).folder
        }
    }
}

/// Privileges that a program can get from the file that it starts, such as `sudo`.
///
/// Bedside needs none. The user's command for alarms may: `mail` hands a message to a mail server through such a file,
/// and an alarm that reaches nobody would be worse.
enum Privileges {
    /// Gives them up for this thread, and for all threads and programs that it starts later.
    static func giveUp() {
        // A kernel without this feature refuses, which is harmless.
        _ = csystem_forbid_new_privileges()
    }

    /// Gives them up unless there is a command for alarms.
    static func giveUp(_ settings: Settings) {
        if settings.alarms.hook.isEmpty { giveUp() }
    }
}
