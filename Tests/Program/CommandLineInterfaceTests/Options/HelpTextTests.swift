import Testing
import TestSupport

@testable import CommandLineInterface

@Suite("Help and manual")
struct HelpTextTests {
    @Test("the help of every subcommand is as reviewed")
    func help() throws {
        // The shortest stand in one file.
        let short: [Subcommand] = [.simulate, .sound, .help, .completions]
        let others = Subcommand.allCases.filter { !short.contains($0) }
        try expectGoldenFolder(
            others.map { ("\($0.rawValue).txt", HelpText.text(for: $0, width: 80)) }
                + [("help.txt", short.map { HelpText.text(for: $0, width: 80) }.joined(separator: "\n"))], "Help")
    }

    @Test("the manual page is as reviewed")
    func manual() throws {
        try expectGolden(ManualPage.text(), "bedside.1")
    }

    @Test("help fits into any width from 40 on, but for commands that are to be copied; no line has more than 100")
    func width() {
        for subcommand in Subcommand.allCases {
            let commands = Set(subcommand.examples.map { "  \($0.command)" })
            #expect(commands.allSatisfy { $0.count <= 80 }, "\(subcommand)")
            for width in [40, 60, 69, 70, 80, 100, 200] {
                for line in HelpText.text(for: subcommand, width: width).split(separator: "\n").map(String.init)
                where !commands.contains(line) {
                    #expect(line.count <= min(width, 100), "\(subcommand), \(width): \(line)")
                }
            }
        }
    }

    @Test("help uses a wide terminal, and says the same in every width")
    func sameWords() {
        for subcommand in Subcommand.allCases {
            let texts = [30, 80, 120].map { HelpText.text(for: subcommand, width: $0) }
            #expect(Set(texts.map { $0.split { $0.isWhitespace } }).count == 1, "\(subcommand)")
            #expect(texts[0].count { $0 == "\n" } > texts[1].count { $0 == "\n" })
            #expect(texts[1].count { $0 == "\n" } >= texts[2].count { $0 == "\n" })
        }
    }

    @Test("every subcommand has examples, in its help and in the manual, that call it with options it has")
    func examples() throws {
        let manual = ManualPage.text()
        for subcommand in Subcommand.allCases {
            #expect(!subcommand.examples.isEmpty, "\(subcommand)")
            for example in subcommand.examples {
                #expect(manual.contains(ManualPage.escaped(example.command)))
                let words = example.command.split(separator: " ").map(String.init)
                if let start = words.firstIndex(of: "bedside") {
                    #expect(subcommand.isDefault || words[start + 1] == subcommand.rawValue, "\(example.command)")
                }
            }
        }
    }

    @Test("every option of every subcommand is in its help and in the manual")
    func completeness() {
        let manual = ManualPage.text()
        for subcommand in Subcommand.allCases {
            for option in subcommand.options {
                #expect(HelpText.text(for: subcommand, width: 80).contains(option.usage))
                #expect(manual.contains("\\-\\-" + option.name.replacing("-", with: "\\-")))
            }
        }
    }
}
