import CommandLineInterface
import EventLoops
import Glibc
import Engine
import SetupPage
import UserFiles

/// The systemd user unit that starts a monitor automatically.
struct LoginService {
    /// The path of the unit; `nil` without systemd or without a home.
    private let path: String?
    private let words: [String]

    /// How long a command may take; the unit is ready when its monitor is.
    private static let limit = Duration.seconds(60)
    private static let name = "bedside"

    /// - Parameter file: The configuration that the monitor reads.
    init(file: ConfigurationFile) {
        words = ["--sound"] + (file.isNamed ? ["--config=\(Self.absolute(file.path))"] : [])
        let folder = (try? UserDirectories.current(for: "systemd"))?.configuration
        path = ChildProcess.find("systemctl") == nil ? nil : folder.map { "\($0)/user/\(Self.name).service" }
    }

    /// The commands for each kind of start; empty without systemd.
    var commands: [SetupStart: [String]] {
        guard let path else { return [:] }
        let unit =
            access(path, F_OK) == 0 ? [] : ["bedside record --systemd-unit \(words.joined(separator: " ")) >\(path)"]
        return Dictionary(
            SetupStart.allCases.map { ($0, unit + Self.calls($0).map { $0.joined(separator: " ") }) }
        ) { $1 }
    }

    private static func calls(_ start: SetupStart) -> [[String]] {
        [["systemctl", "--user", "daemon-reload"], ["systemctl", "--user", "enable", "--now", name]]
            + (start == .boot ? [["loginctl", "enable-linger"]] : [])
    }

    /// Writes the unit if it does not exist, and runs the commands; their output is shown.
    ///
    /// - Throws: ``CommandError`` with the remaining steps.
    func start(_ start: SetupStart) throws(CommandError) {
        guard let path else {
            throw CommandError(
                "Everything is written, but there is no systemd (systemctl) that could start Bedside by itself.",
                status: .systemError)
        }
        do throws(UserFileError) {
            if access(path, F_OK) != 0 {
                guard let program = ownProgramPath else { return }
                try PrivateFile.replace(path, with: Array(SystemdUnit.text(program: program, words).utf8))
                _ = printText("Written: \(path)\n")
            }
        } catch {
            throw CommandError("The settings are written, but the unit is not: \(error)", status: .inputOutputError)
        }
        for call in Self.calls(start) {
            let line = call.joined(separator: " ")
            _ = printText("\(line)\n")
            guard let program = ChildProcess.find(call[0]),
                ChildProcess.run([program] + call.dropFirst(), within: Self.limit) == 0
            else {
                throw CommandError(
                    "The settings are written, but this command failed; try it yourself: \(line)", status: .systemError)
            }
        }
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return (resolvedPath(".") ?? "") + "/\(path)"
    }
}
