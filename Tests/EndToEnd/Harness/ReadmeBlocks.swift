import Foundation

/// The blocks of README.md that somebody may paste.
struct ReadmeBlocks {
    /// A block.
    struct Block: Sendable {
        /// The language of a fenced one; `nil` for one that is indented.
        var language: String?
        var lines: [String]
        /// Its first line in the file.
        var number: Int
    }

    /// All blocks, in their order.
    let all: [Block]

    /// The blocks of the project's README.
    static func ofProject() throws -> ReadmeBlocks {
        ReadmeBlocks(try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8))
    }

    /// The project's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Reads the blocks of a text in Markdown.
    init(_ text: String) {
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
                current = Block(language: String(line.dropFirst(3)), lines: [], number: index + 2)
            } else if line.hasPrefix("    ") {
                if current == nil { current = Block(language: nil, lines: [], number: index + 1) }
                current?.lines.append(String(line.dropFirst(4)))
            } else if let block = current {
                blocks.append(block)
                current = nil
            }
        }
        if let current { blocks.append(current) }
        all = blocks
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
        let commands = Set(commandBlocks.map(\.number))
        return all.filter { $0.language == nil && !commands.contains($0.number) }
    }

    /// The commands, each as it is pasted, without what is said about it.
    var commands: [String] {
        let own = commandBlocks.flatMap { block -> [String] in
            // Where there are prompts the rest is output.
            let hasPrompts = block.lines.contains { $0.hasPrefix("$ ") }
            return hasPrompts
                ? block.lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) } : block.lines
        }
        // What other programs are told to run.
        let others = otherIndentedBlocks.flatMap(\.lines).flatMap { line in
            line.matches(of: /bedside status --format [a-z]+( --follow)?/).map { String($0.0) }
        }
        return (own + others).map { command in
            command.replacing(#/ +# .*$/#, with: "").trimmingCharacters(in: .whitespaces)
        }
    }
}
