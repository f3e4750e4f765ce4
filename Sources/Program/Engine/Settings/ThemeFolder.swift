import Appearance
import Base
import Configuration
import Glibc
import JSON
import UserFiles

/// The themes: the built-in ones, and the user's in files.
package enum ThemeFolder {
    private static let ending = ".toml"

    /// The folder of the user's themes; `nil` without a home folder.
    package static var path: String? {
        (try? UserDirectories.current()).map { "\($0.configuration)/themes" }
    }

    /// The names of the user's themes, in alphabetical order.
    package static var names: [String] {
        let files = path.flatMap { FolderListing.names(in: $0) } ?? []
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }

    /// The names of all themes: first the built-in ones, then the user's.
    package static var allNames: [String] {
        Theme.names + names.filter { !Theme.names.contains($0) }
    }

    /// The theme of some settings, with the user's colours.
    ///
    /// - Parameter ground: The terminal's own background, for `auto` and `terminal`; `nil` if it is unknown.
    /// - Throws: ``ConfigurationFileError`` when there is no such theme, or its file is invalid.
    package static func theme(
        for screen: Settings.Screen, on ground: Theme.Color? = nil
    ) throws(ConfigurationFileError) -> Theme {
        let base = if let known = Theme.named(screen.theme, on: ground) { known } else { try read(screen.theme) }
        var settings = Settings()
        settings.screen = screen
        if let fault = settings.fault(onTop: base) {
            throw ConfigurationFileError(["\(fault.setting): \(fault.reason)"], cause: .invalid)
        }
        return base.with(screen.ownColors)
    }

    private static func read(_ name: String) throws(ConfigurationFileError) -> Theme {
        let unknown = ConfigurationFileError([unknownSentence(name)], cause: .invalid)
        guard let path else { throw unknown }
        let file = "\(path)/\(name)\(ending)"
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(file, limit: ConfigurationDocument.sizeLimit)
        } catch {
            throw ConfigurationFileError([error.description], cause: .unreadable)
        }
        guard let bytes else { throw unknown }
        do throws(ConfigurationErrors) {
            return try ThemeFile(ConfigurationDocument(bytes: bytes)).theme
        } catch {
            throw ConfigurationFileError(error.list.map { $0.sentence(file: file) }, cause: .invalid)
        }
    }

    /// Reports an unknown theme, with a suggestion.
    private static func unknownSentence(_ name: String) -> String {
        let known = allNames
        let hint = nearestWord(to: name, among: known).map { "did you mean \"\($0)\"?" }
        let place = path.map { " (and no \($0)/\(name)\(ending))" } ?? ""
        return
            "screen.theme: there is no theme \"\(name)\"\(place); \(hint ?? "there are \(known.joined(separator: ", "))")"
    }
}
