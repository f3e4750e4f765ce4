import Foundation
import Testing

@Suite("Quirks have an address")
struct WorkaroundTests {
    @Test("every comment about a quirk has its row in the article, and every row its comments")
    func rowsAndComments() throws {
        let article = try Repository.text("Sources/Program/bedside/Bedside.docc/Workarounds.md")
        var rows: [String: Set<String>] = [:]
        for line in article.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let name = try #require(cells[1].quoted.first)
            #expect(rows[name] == nil, "\(name) has two rows")
            #expect(cells.count == 7 && cells.dropFirst().dropLast().allSatisfy { $0.count > 2 }, "\(name)")
            rows[name] = Set(cells[4].quoted)
        }

        var comments: [String: Set<String>] = [:]
        for file in try Repository.sources(endingIn: [".swift", ".h"]) + ["Package.swift"] {
            for match in try Repository.text(file).matches(of: #/[Qq]uirk ([a-z0-9]+(?:-[a-z0-9]+)+)/#) {
                // A row names the module and what is in it, not its floor.
                let parts = file.split(separator: "/").drop { $0 == "Libraries" }
                let path = parts.first == "Sources" ? parts.dropFirst(2).joined(separator: "/") : file
                comments[String(match.1), default: []].insert(path)
            }
        }

        #expect(!rows.isEmpty)
        for name in Set(rows.keys).union(comments.keys).sorted() {
            #expect(rows[name] == comments[name], "row and comments of \(name)")
        }
    }
}
