import Foundation
import Testing

/// The documents for people who use the program: README.md and the articles under *Using Bedside*.
public enum UserDocuments {
    /// The project's folder.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let catalogue = "Sources/Program/bedside/Bedside.docc"

    /// The paths of the documents from the project's folder, README.md first.
    public static func paths() throws -> [String] {
        let page = try text("\(catalogue)/Bedside.md")
        let topics = try #require(page.components(separatedBy: "### Using Bedside\n").dropFirst().first)
        let articles = topics.prefix { $0 != "#" }.matches(of: #/<doc:(\w+)>/#)
        try #require(articles.count > 5)
        return ["README.md"] + articles.map { "\(catalogue)/\($0.1).md" }
    }

    /// The text of a file, by its path from the project's folder.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
