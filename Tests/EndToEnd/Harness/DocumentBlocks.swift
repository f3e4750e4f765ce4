import Foundation
import TestSupport

/// The blocks of the documents for users that somebody may paste.
struct DocumentBlocks {
    /// A block.
    struct Block: Sendable {
        /// The language of a fenced one; `nil` for one that is indented.
        var language: String?
        var lines: [String]
        /// Its file and its first line there.
        var place: String
    }

    /// All blocks, in their order.
    let all: [Block]

    /// The blocks of README.md and of the articles for users, in this order.
    static func ofProject() throws -> DocumentBlocks {
        DocumentBlocks(try UserDocuments.paths().flatMap { try blocks(of: UserDocuments.text($0), in: $0) })
    }

    private init(_ blocks: [Block]) {
        all = blocks
    }

    /// Reads the blocks of a text in Markdown.
    private static func blocks(of text: String, in file: String) -> [Block] {
        var blocks: [Block] = []
        var current: Block?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if let block = current, block.language != nil {
                if line.hasPrefix("```") {
                    blocks.append(block)
                    current = nil
                } else {
                    current?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                if let block = current { blocks.append(block) }
                current = Block(language: String(line.dropFirst(3)), lines: [], place: "\(file):\(index + 2)")
            } else if line.hasPrefix("    ") {
                if current == nil { current = Block(language: nil, lines: [], place: "\(file):\(index + 1)") }
                current?.lines.append(String(line.dropFirst(4)))
            } else if let block = current {
                blocks.append(block)
                current = nil
            }
        }
        if let current { blocks.append(current) }
        return blocks
    }

    /// The words with which a block of commands begins.
    private static let programs = [
        "bedside", "make", "sudo", "systemctl", "loginctl", "journalctl", "sqlite3", "mkdir", "$",
    ]

    /// The blocks of commands.
    var commandBlocks: [Block] {
        all.filter { block in
            block.language == nil && Self.programs.contains(block.lines[0].prefix { $0 != " " }.description)
        }
    }

    /// The indented blocks that are something else: output, or a piece of another program's configuration.
    var otherIndentedBlocks: [Block] {
        let commands = Set(commandBlocks.map(\.place))
        return all.filter { $0.language == nil && !commands.contains($0.place) }
    }

    /// The commands, each once, as it is pasted, without the comment behind it.
    var commands: [String] {
        let own = commandBlocks.flatMap { block -> [String] in
            // Where there are prompts the rest is output.
            let hasPrompts = block.lines.contains { $0.hasPrefix("$ ") }
            return hasPrompts
                ? block.lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) } : block.lines
        }
        // What other programs run.
        let others = otherIndentedBlocks.flatMap(\.lines).flatMap { line in
            line.matches(of: /bedside status --format [a-z]+( --follow)?/).map { String($0.0) }
        }
        var known: Set<String> = []
        return (own + others).map { command in
            command.replacing(#/ +# .*$/#, with: "").trimmingCharacters(in: .whitespaces)
        }.filter { known.insert($0).inserted }
    }
}
