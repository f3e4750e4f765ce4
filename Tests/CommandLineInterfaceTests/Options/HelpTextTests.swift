import Testing
import TestSupport

@testable import CommandLineInterface

@Suite("Help and manual")
struct HelpTextTests {
    @Test("the help of every subcommand is as reviewed")
    func help() throws {
        try expectGoldenFolder(Subcommand.allCases.map { ("\($0.rawValue).txt", HelpText.text(for: $0)) }, "Help")
    }

    @Test("the manual page is as reviewed")
    func manual() throws {
        try expectGolden(ManualPage.text(), "bedside.1")
    }

    @Test("no line of help is wider than 100 columns", arguments: Subcommand.allCases)
    func width(_ subcommand: Subcommand) {
        for line in HelpText.text(for: subcommand).split(separator: "\n") { #expect(line.count <= 100) }
    }

    @Test("every option of every subcommand is in its help and in the manual")
    func completeness() {
        let manual = ManualPage.text()
        for subcommand in Subcommand.allCases {
            for option in subcommand.options {
                #expect(HelpText.text(for: subcommand).contains(option.usage))
                #expect(manual.contains("\\-\\-" + option.name.replacing("-", with: "\\-")))
            }
        }
    }
}
