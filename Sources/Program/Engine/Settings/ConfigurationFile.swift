import Configuration
import Glibc
import UserFiles

/// The user's configuration file, `bedside.toml`: its path, its content, and how it is changed.
package struct ConfigurationFile {
    /// Where it is.
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

    /// The configuration unless the command line names another file; `nil` without a home folder.
    package static var usual: ConfigurationFile? {
        (try? UserDirectories.current()).map { ConfigurationFile(folder: $0.configuration) }
    }

    /// Whether there is a file at the usual place.
    package static var isUsualThere: Bool { usual.map { access($0.path, F_OK) == 0 } ?? false }

    /// Reads and checks the file, unless somebody else can change it: it names programs to run, and limits of alarms.
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

    /// The document as it is now; an empty one where there is none.
    package func documentToChange() throws(ConfigurationFileError) -> ConfigurationDocument {
        // A file that the user named may be made by the first change, too.
        if isNamed, access(path, F_OK) != 0, errno == ENOENT { return ConfigurationDocument() }
        return try read()?.document ?? ConfigurationDocument()
    }

    /// Writes the settings that differ between two, and nothing else.
    ///
    /// The file is read again first, so that an editor's changes stay; only the changed keys are set.
    ///
    /// - Throws: ``ConfigurationFileError`` when the file cannot be read, is wrong by now, or cannot be written; then it
    ///   is as before.
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
            // Together with what an editor has written meanwhile, ours may be a contradiction.
            _ = try Settings(ConfigurationDocument(document.text))
        } catch {
            throw ConfigurationFileError(error.list.map { $0.sentence(file: path) }, cause: .invalid)
        }
        if PrivateFile.isReadOnly(path) {
            throw ConfigurationFileError(
                ["\(path) is read-only. It is used as it is; whoever looks after it must change it."],
                cause: .unwritable)
        }
        do throws(UserFileError) {
            try PrivateFile.replace(path, with: Array(document.text.utf8))
        } catch {
            throw ConfigurationFileError([error.description], cause: .unwritable)
        }
    }
}

/// Why the settings cannot be read or kept, with sentences for the user.
package struct ConfigurationFileError: Error {
    package enum Cause: Hashable, Sendable {
        /// A file has invalid content, or cannot be trusted.
        case invalid
        case unreadable
        case unwritable
        /// A value that the program was started with is invalid.
        case invalidStart
    }

    package let sentences: [String]
    package let cause: Cause

    package init(_ sentences: [String], cause: Cause) {
        self.sentences = sentences
        self.cause = cause
    }
}
