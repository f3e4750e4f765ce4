import Foundation
import Testing

/// The files of the repository that these tests belong to.
enum Repository {
    /// Its folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file, by its path from the root.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The paths of the files below a folder, hidden ones and what was built left out.
    static func files(below folder: String = "", endingIn endings: [String] = [""]) throws -> [String] {
        let start = folder.isEmpty ? root : root.appending(path: folder)
        let walk = try #require(
            FileManager.default.enumerator(
                at: start, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles))
        var paths: [String] = []
        for case let file as URL in walk
        where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            if endings.contains(where: { file.path.hasSuffix($0) }) {
                paths.append(String(file.path.dropFirst(root.path.count).drop { $0 == "/" }))
            }
        }
        return paths.sorted()
    }

    /// The folders of the sources of both packages.
    static let sourceFolders = ["Sources", "Libraries/Sources"]

    /// The paths of the files below ``sourceFolders``.
    static func sources(endingIn endings: [String] = [""]) throws -> [String] {
        try sourceFolders.flatMap { try files(below: $0, endingIn: endings) }
    }

    /// The articles, and the documents in the folders of both packages.
    static func documents() throws -> [String] {
        try sources(endingIn: [".md"]) + [
            "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Libraries/README.md",
            "screenshots/README.md",
        ]
    }

    /// Whether there is a file or folder at a path from the root.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }
}

extension String {
    /// The fenced blocks of a language in a Markdown text.
    func codeBlocks(_ language: String) -> [String] {
        components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    /// The lines without the blanks around them, so that indentation does not matter.
    var trimmedLines: String {
        split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    /// The rows of a Markdown table that follow the row of its headings, each as its cells.
    func tableRows(after heading: String) -> [[String]] {
        guard let table = range(of: heading) else { return [] }
        return self[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
            .prefix { $0.hasPrefix("|") }
            .map { row in
                row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }

    /// What stands between backticks.
    var quoted: [String] {
        components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }
}
