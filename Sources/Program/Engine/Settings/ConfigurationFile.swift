import Configuration
import Glibc
import UserFiles

/// The user's configuration file, `bedside.toml`: its path, its content, and how it is changed.
package struct ConfigurationFile {
    /// The path of the file.
    package let path: String
    /// Whether the user named it, so that it must exist.
    package let isNamed: Bool

    /// A file that the user names.
    package init(path: String) {
        (self.path, isNamed) = (path, true)
    }

    private init(folder: String) {
        (path, isNamed) = ("\(folder)/bedside.toml", false)
    }

    /// The default file; `nil` without a home folder.
    package static var usual: ConfigurationFile? {
        (try? UserDirectories.current()).map { ConfigurationFile(folder: $0.configuration) }
    }

    /// Whether the default file exists.
    package static var isUsualThere: Bool { usual.map { access($0.path, F_OK) == 0 } ?? false }

    /// Reads and checks the file, unless another user can change it: it names programs to run, and limits of alarms.
    ///
    /// - Returns: The document and its settings; `nil` when there is no such file and none was named.
    /// - Throws: ``ConfigurationFileError``.
    package func read() throws(ConfigurationFileError) -> (document: ConfigurationDocument, settings: Settings)? {
        if let fault = FileTrust.fault(path, acceptsForeign: isNamed) {
            throw ConfigurationFileError([fault.sentence], cause: .invalid)
        }
        guard let bytes = try bytes(path) else {
            if !isNamed { return nil }
            throw ConfigurationFileError(["There is no file \(path)."], cause: .unreadable)
        }
        let read: (document: ConfigurationDocument, settings: Settings)
        do throws(ConfigurationErrors) {
            let document = try ConfigurationDocument(bytes: bytes)
            read = (document, try Settings(document))
        } catch {
            throw ConfigurationFileError(error.list.map { $0.sentence(file: path) }, cause: .invalid)
        }
        try checkTheme(read.settings, read.document)
        return read
    }

    /// Refuses a theme whose file is missing or invalid.
    private func checkTheme(_ settings: Settings, _ document: ConfigurationDocument) throws(ConfigurationFileError) {
        if settings.builtInTheme != nil { return }
        do throws(ConfigurationFileError) {
            _ = try ThemeFolder.theme(for: settings.screen)
        } catch {
            // Errors in the theme's file have that file's lines; an error here has the line that names the theme.
            guard let sentence = error.sentences.first, sentence.hasPrefix("screen.theme"),
                let entry = document.entries.first(where: { $0.section == "screen" && $0.key == "theme" })
            else { throw error }
            let reason = String(sentence.dropFirst("screen.".count))
            throw ConfigurationFileError(
                [ConfigurationError(entry.valuePosition, reason).sentence(file: path)], cause: error.cause)
        }
    }

    private func bytes(_ path: String) throws(ConfigurationFileError) -> [UInt8]? {
        do throws(UserFileError) {
            return try PrivateFile.read(path, limit: ConfigurationDocument.sizeLimit)
        } catch {
            throw ConfigurationFileError([error.description], cause: .unreadable)
        }
    }

    /// The present document; an empty one if there is no file.
    package func documentToChange() throws(ConfigurationFileError) -> ConfigurationDocument {
        // The first change may also create a file that the user named.
        if isNamed, access(path, F_OK) != 0, errno == ENOENT { return ConfigurationDocument() }
        return try read()?.document ?? ConfigurationDocument()
    }

    /// Writes the settings that differ between two, and nothing else.
    ///
    /// The file is read again first, so that an editor's changes stay; only the changed keys are set.
    ///
    /// - Throws: ``ConfigurationFileError`` when the file cannot be read, is invalid, or cannot be written; then it is
    ///   unchanged.
    package func save(changesFrom old: Settings, to new: Settings) throws(ConfigurationFileError) {
        var document = try documentToChange()
        document.apply(changesFrom: old, to: new)
        try write(document)
    }

    /// Writes a document, if it is right.
    ///
    /// - Throws: ``ConfigurationFileError``; then the file is as before.
    package func write(_ document: ConfigurationDocument) throws(ConfigurationFileError) {
        do throws(ConfigurationErrors) {
            // Our changes may contradict those of an editor since the file was read.
            _ = try Settings(ConfigurationDocument(document.text))
        } catch {
            throw ConfigurationFileError(error.list.map { $0.sentence(file: path) }, cause: .invalid)
        }
        if PrivateFile.isReadOnly(path) {
            throw ConfigurationFileError(
                ["\(path) is read-only. It is used as it is; its administrator must change it."],
                cause: .unwritable)
        }
        do throws(UserFileError) {
            try PrivateFile.replace(path, with: Array(document.text.utf8))
        } catch {
            throw ConfigurationFileError([error.description], cause: .unwritable)
        }
    }
}

/// Why the settings cannot be read or saved, with sentences for the user.
package struct ConfigurationFileError: Error {
    package enum Cause: Hashable, Sendable {
        /// A file has invalid content, or cannot be trusted.
        case invalid
        case unreadable
        case unwritable
        /// A value from the start of the program is invalid.
        case invalidStart
    }

    package let sentences: [String]
    package let cause: Cause

    package init(_ sentences: [String], cause: Cause) {
        self.sentences = sentences
        self.cause = cause
    }
}
