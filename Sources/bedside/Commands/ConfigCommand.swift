import Appearance
import CommandLineInterface
import Configuration
import Monitor
import UserFiles
import Vitals

/// `bedside config`: the default file, a check of a file, and where the file is.
enum ConfigCommand {
    /// Runs the action of the operands.
    static func run(_ arguments: CommandLineArguments) -> ExitStatus {
        let operands = arguments.operands
        switch (operands.first, operands.count) {
        case (nil, _): return printText(SettingTable.defaultFile)
        case ("path", 1):
            guard let path = ConfigurationFile.usualPath else { return complainOfHome() }
            return printText("\(path)\n")
        case ("themes", 1):
            let own = ThemeFolder.names.map { "\($0)\t\(ThemeFolder.path ?? "")/\($0).toml\n" }
            return printText(Theme.builtIn.map { "\($0.name)\tbuilt in\n" }.joined() + own.joined())
        case ("create", 1): return create()
        case ("check", 1):
            guard let path = ConfigurationFile.usualPath else { return complainOfHome() }
            return check(ConfigurationFile(path: path, isNamed: false))
        case ("check", 2): return check(ConfigurationFile(path: operands[1], isNamed: true))
        case ("path", _), ("themes", _), ("create", _):
            complain(UsageError("'\(operands[1])' is one argument too many", subcommand: .config).description)
            return .usage
        case (let word?, _):
            let hint = UsageError.hint(word, ["check", "create", "path", "themes"])
            complain(
                UsageError(
                    "config takes check, create, path or themes, not '\(sanitized(word))'\(hint)",
                    subcommand: .config
                ).description)
            return .usage
        }
    }

    /// Creates the default file and its folder; an existing file is left unchanged.
    private static func create() -> ExitStatus {
        guard let path = ConfigurationFile.usualPath else { return complainOfHome() }
        do throws(UserFileError) {
            try PrivateFile.createFolder(try UserDirectories.current().configuration)
            var file = try NewFile(path, isReplacing: false)
            try file.write(Array(SettingTable.defaultFile.utf8))
            try file.finish(isReplacing: false)
            return printText("\(path) has every setting with its default value.\n")
        } catch {
            complain(error.description)
            return .inputOutputError
        }
    }

    private static func check(_ file: ConfigurationFile) -> ExitStatus {
        do throws(ConfigurationFileError) {
            let isThere = try file.read() != nil
            return printText(
                isThere
                    ? "\(file.path) is valid.\n" : "There is no \(file.path); all settings have their defaults.\n")
        } catch {
            for sentence in error.sentences { complain(sentence) }
            return error.status
        }
    }

    private static func complainOfHome() -> ExitStatus {
        complain("There is no home folder to look for the configuration in. Set HOME, or name the file.")
        return .noInput
    }
}
