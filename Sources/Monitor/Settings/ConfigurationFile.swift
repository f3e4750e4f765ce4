import CommandLineInterface
import Configuration
import Glibc
import UserFiles

/// The user's configuration file: its path, its content, and how it is changed.
package struct ConfigurationFile {
    /// Its path.
    package let path: String
    /// Whether the user named it, so that it must exist.
    package let isNamed: Bool

    /// The file named on the command line, or the default one; `nil` with `--no-config` or without a home folder.
    package init?(_ arguments: CommandLineArguments) {
        if arguments.has(.noConfiguration) { return nil }
        if let path = arguments.value(of: .configuration) {
            self.init(path: path, isNamed: true)
        } else if let path = Self.usualPath {
            self.init(path: path, isNamed: false)
        } else {
            return nil
        }
    }

    /// A file by its path.
    package init(path: String, isNamed: Bool) {
        (self.path, self.isNamed) = (path, isNamed)
    }

    /// Where the configuration is unless the command line names another file; `nil` without a home folder.
    package static var usualPath: String? {
        (try? UserDirectories.current()).map { "\($0.configuration)/bedside.conf" }
    }

    /// Whether there is a file at the usual place.
    package static var isUsualThere: Bool { usualPath.map { access($0, F_OK) == 0 } ?? false }

    /// Reads and checks the file.
    ///
    /// - Returns: The document and its settings; `nil` when there is no such file and none was named.
    /// - Throws: ``ConfigurationFileError``.
    package func read() throws(ConfigurationFileError) -> (document: ConfigurationDocument, settings: Settings)? {
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(path, limit: ConfigurationDocument.sizeLimit)
        } catch {
            throw ConfigurationFileError([error.description], status: .noInput)
        }
        guard let bytes else {
            if !isNamed { return nil }
            throw ConfigurationFileError(["There is no file \(path)."], status: .noInput)
        }
        let read: (document: ConfigurationDocument, settings: Settings)
        do throws(ConfigurationErrors) {
            let document = try ConfigurationDocument(bytes: bytes)
            read = (document, try Settings(document))
        } catch {
            throw ConfigurationFileError(error.list.map { $0.sentence(file: path) }, status: .configuration)
        }
        try checkTheme(read.settings, read.document)
        return read
    }

    /// Refuses a theme whose file is not there or wrong.
    private func checkTheme(_ settings: Settings, _ document: ConfigurationDocument) throws(ConfigurationFileError) {
        if settings.builtInTheme != nil { return }
        do throws(ConfigurationFileError) {
            _ = try ThemeFolder.theme(for: settings.screen)
        } catch {
            // The theme's own file has its own lines; what is wrong here has the line that asks for it.
            guard let sentence = error.sentences.first, sentence.hasPrefix("screen.theme"),
                let entry = document.entries.first(where: { $0.section == "screen" && $0.key == "theme" })
            else { throw error }
            let reason = String(sentence.dropFirst("screen.".count))
            throw ConfigurationFileError(
                [ConfigurationError(entry.valuePosition, reason).sentence(file: path)], status: error.status)
        }
    }

    /// Writes the settings that differ between two, and nothing else.
    ///
    /// The file is read again first, so that an editor's changes stay; only the changed keys are set.
    ///
    /// - Throws: ``ConfigurationFileError`` when the file cannot be read, is wrong by now, or cannot be written; then it
    ///   is as before.
    package func save(changesFrom old: Settings, to new: Settings) throws(ConfigurationFileError) {
        // A file that the user named may be made by the first change, too.
        var document = try ConfigurationFile(path: path, isNamed: false).read()?.document ?? ConfigurationDocument()
        document.apply(changesFrom: old, to: new)
        do throws(ConfigurationErrors) {
            // Together with what an editor has written meanwhile, ours may be a contradiction.
            _ = try Settings(document)
        } catch {
            throw ConfigurationFileError(error.list.map { $0.sentence(file: path) }, status: .configuration)
        }
        do throws(UserFileError) {
            try PrivateFile.replace(path, with: Array(document.text.utf8))
        } catch {
            throw ConfigurationFileError([error.description], status: .inputOutputError)
        }
    }
}

/// Why a configuration file cannot be used: sentences for the user, and the exit status that they deserve.
package struct ConfigurationFileError: Error {
    package let sentences: [String]
    package let status: ExitStatus

    package init(_ sentences: [String], status: ExitStatus) {
        self.sentences = sentences
        self.status = status
    }
}
