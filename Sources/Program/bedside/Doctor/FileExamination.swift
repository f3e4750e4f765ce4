import CommandLineInterface
import Configuration
import Doctor
import Glibc
import Engine
import Recording
import UserFiles

/// Examines the user's folders and the configuration, without creating any.
enum FileExamination {
    /// Completes facts with the folders and the configuration.
    static func run(_ facts: inout Facts, _ arguments: CommandLineArguments) {
        do throws(UserFileError) {
            let folders = try UserDirectories.current()
            facts.folders = [
                FolderFacts(purpose: "state", path: folders.state, state: state(of: folders.state)),
                FolderFacts(purpose: "data", path: folders.data, state: state(of: folders.data)),
                FolderFacts(
                    purpose: "config", path: folders.configuration, state: state(of: folders.configuration)),
            ]
            facts.damagedStores = damagedStores(folders)
        } catch {
            facts.folderProblem = error.description
        }
        facts.configuration = configuration(arguments)
        facts.confinement = confinement(arguments)
    }

    /// The damaged stores of all patients, real and simulated.
    private static func damagedStores(_ folders: UserDirectories) -> [String] {
        let patients = (FolderListing.names(in: folders.data + "/patients") ?? []).map { "patients/\($0)/" }
        return ([""] + patients).flatMap { patient in
            ["", "simulated/"].flatMap { kind in
                let folder = "\(folders.data)/\(patient)\(kind)"
                return StoreFile.damagedStores(beside: folder + StoreFile.name).map { folder + $0 }
            }
        }
    }

    private static func configuration(_ arguments: CommandLineArguments) -> ConfigurationFact {
        guard let file = ConfigurationFile(arguments) else { return .unknown }
        do throws(ConfigurationFileError) {
            return try file.read() == nil ? .absent(path: file.path) : .valid(path: file.path)
        } catch {
            return .invalid(path: file.path, sentence: error.sentences.first ?? "", count: error.sentences.count)
        }
    }

    private static func confinement(_ arguments: CommandLineArguments) -> ConfinementFact {
        guard let version = Landlock.version else { return .unavailable }
        if Confinement.isSwitchedOff { return .switchedOff(variable: Confinement.variable) }
        let settings = (try? ConfigurationFile(arguments)?.read()?.settings) ?? Settings()
        return Confinement.suits(settings) ? .restricts(version: version) : .unsuitable
    }

    private static func state(of path: String) -> FolderFacts.State {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { return .unusable(reason: "it is not a folder") }
            guard access(path, W_OK | X_OK) == 0 else { return .unusable(reason: String(cString: strerror(errno))) }
            return .usable(mode: UInt16(truncatingIfNeeded: status.st_mode & 0o777))
        }
        guard errno == ENOENT else { return .unusable(reason: String(cString: strerror(errno))) }
        // It would be created in the nearest existing parent.
        let parent = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        guard !parent.isEmpty else {
            return access("/", W_OK) == 0 ? .missing : .unusable(reason: String(cString: strerror(errno)))
        }
        switch state(of: parent) {
        case .usable, .missing: return .missing
        case .unusable(let reason): return .unusable(reason: reason)
        }
    }
}
