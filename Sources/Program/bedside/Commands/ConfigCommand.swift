import Appearance
import Base
import CommandLineInterface
import Configuration
import Engine
import UserFiles
import Vitals

/// `bedside config`: the default file, a check of a file, and where the file is.
enum ConfigCommand {
    private static let actions = ["check", "create", "path", "themes", "upgrade"]

    /// Runs the action of the operands.
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
        case ("upgrade", 1):
            guard let file = ConfigurationFile.usual else { return complainOfHome() }
            return upgrade(file)
        case ("upgrade", 2): return upgrade(ConfigurationFile(path: operands[1]))
        case ("path", _), ("themes", _), ("create", _), ("check", _), ("upgrade", _):
            complain(
                UsageError(
                    "'\(operands[operands[0] == "check" || operands[0] == "upgrade" ? 2 : 1])' is one argument too many",
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

    /// Creates the default file and its folder; an existing file is left unchanged.
    private static func create() -> ExitStatus {
        guard let file = ConfigurationFile.usual else { return complainOfHome() }
        // A file of the old name would be hidden by the new one.
        let path = file.path
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

    /// Rewrites a file of the form or the name before TOML, with every comment; the old file is kept.
    private static func upgrade(_ file: ConfigurationFile) -> ExitStatus {
        do throws(ConfigurationFileError) {
            guard let (document, _) = try file.read() else {
                return printText("There is no \(file.path), so there is nothing to upgrade.\n")
            }
            guard file.isOld(document) else { return printText("\(file.path) is TOML already.\n") }
            let backup = try file.write(document)
            return printText(
                "\(file.newPath) is TOML now." + (backup.map { " The old file is \($0)." } ?? "") + "\n")
        } catch {
            for sentence in error.sentences { complain(sentence) }
            return error.status
        }
    }

    private static func check(_ file: ConfigurationFile) -> ExitStatus {
        do throws(ConfigurationFileError) {
            guard let (document, _) = try file.read() else {
                return printText("There is no \(file.path); all settings have their defaults.\n")
            }
            var text = "\(file.path) is valid.\n"
            if file.isOld(document) {
                text += "It is from before settings were TOML. It is read as it is; this rewrites it: "
                text += file.isNamed ? "bedside config upgrade FILE\n" : "bedside config upgrade\n"
            }
            if let ignored = file.ignoredPath {
                text += "\(ignored) is not read, because the other file is there.\n"
            }
            return printText(text)
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
