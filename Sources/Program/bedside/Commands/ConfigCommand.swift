import Appearance
import Base
import CommandLineInterface
import Configuration
import Engine
import UserFiles
import Vitals

/// `bedside config`: creates the default file, checks a file, or prints where the file is.
enum ConfigCommand {
    private static let actions = ["check", "create", "path", "themes"]

    /// Runs the action in the operands.
    static func run(_ arguments: CommandLineArguments) -> ExitStatus {
        let operands = arguments.operands
        switch (operands.first, operands.count) {
        case (nil, _): return printText(SettingTable.defaultFile)
        case ("path", 1):
            guard let file = ConfigurationFile.usual else { return complainOfHome() }
            return printText("\(file.path)\n")
        case ("themes", 1):
            let own = ThemeFolder.names.map { "\($0)\t\(ThemeFolder.path ?? "")/\($0).toml\n" }
            return printText(Theme.builtIn.map { "\($0.name)\tbuilt in\n" }.joined() + own.joined())
        case ("create", 1): return create()
        case ("check", 1):
            guard let file = ConfigurationFile.usual else { return complainOfHome() }
            return check(file)
        case ("check", 2): return check(ConfigurationFile(path: operands[1]))
        case ("path", _), ("themes", _), ("create", _), ("check", _):
            complain(
                UsageError(
                    "'\(operands[operands[0] == "check" ? 2 : 1])' is one argument too many",
                    subcommand: .config
                ).description)
            return .usage
        case (let word?, _):
            let hint = UsageError.hint(word, Self.actions)
            complain(
                UsageError(
                    "config takes \(Self.actions.dropLast().joined(separator: ", ")) or \(Self.actions.last ?? ""), not '\(sanitized(word))'\(hint)",
                    subcommand: .config
                ).description)
            return .usage
        }
    }

    /// Creates the file to begin with, and its folder; an existing file is left unchanged.
    private static func create() -> ExitStatus {
        guard let file = ConfigurationFile.usual else { return complainOfHome() }
        do throws(UserFileError) {
            try PrivateFile.createFolder(try UserDirectories.current().configuration)
            var new = try NewFile(file.path, isReplacing: false)
            try new.write(Array(SettingTable.commonFile.utf8))
            try new.finish(isReplacing: false)
            return printText(
                "\(file.path) has what people change most, with default values.\nThe manual has every setting: man bedside.toml\n"
            )
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
