import Appearance
import BlueZSimulator
import CommandLineInterface
import Foundation
import Monitoring
import TestSupport
import Testing
import Wording

@Suite("Documents for users")
struct UserDocumentTests {
    private func article(_ name: String) throws -> String {
        try Repository.text("Sources/Program/bedside/Bedside.docc/\(name).md")
    }

    @Test("README is short enough to be read")
    func length() throws {
        let readme = try Repository.text("README.md")
        #expect(readme.split(whereSeparator: \.isWhitespace).count <= 900)
        // How it works is found without scrolling.
        let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(try #require(lines.firstIndex(of: "## How it works")) < 30)
    }

    @Test("README leads to an article with everything, and that to every article for users")
    func linked() throws {
        let everything = "Sources/Program/bedside/Bedside.docc/Everything.md"
        #expect(try Repository.text("README.md").contains("](\(everything))"))
        let text = try Repository.text(everything)
        for path in try UserDocuments.paths().dropFirst() where path != everything {
            let name = path.split(separator: "/").last ?? ""
            #expect(text.contains("](\(name))"), "\(path)")
        }
    }

    @Test("their keys are those that the program knows")
    func keys() throws {
        let rows = try article("Keys").tableRows(after: "| Key | Does |")
        let documented = Set(rows.flatMap { $0[0].quoted })
        var known: Set<String> = []
        for key in KeyBinding.table.flatMap(\.keys) { if case .character = key { known.insert(key.name) } }
        #expect(documented == known)
        let important = try article("Everything").tableRows(after: "| Press | To |").flatMap { $0[0].quoted }
        #expect(!important.isEmpty && known.isSuperset(of: important))
    }

    @Test("their kinds of alarms are those that the program knows")
    func alarmKinds() throws {
        let documented = try article("OtherPrograms").tableRows(after: "| Kinds of alarms | About |").flatMap {
            $0[0].quoted
        }
        #expect(Set(documented) == Set(AlarmKind.allCases.map(\.rawValue)))
    }

    @Test("their options are those that the program takes")
    func options() throws {
        let known = Set(Subcommand.allCases.flatMap(\.options).map(\.name))
        // Other programs' options are theirs, also where their commands go on in the next line.
        let own = try UserDocuments.paths()
            .flatMap { try Repository.text($0).replacing(#/[\\|]\n */#, with: "").split(separator: "\n") }
            .map { $0.replacing(#/\b(systemctl|journalctl|curl|sha256sum|gpg|usermod|aplay|alsamixer) .*/#, with: "") }
        let options = own.flatMap { $0.matches(of: #/--([a-z0-9][a-z0-9-]*)/#).map { String($0.1) } }
        #expect(!options.isEmpty)
        for option in options { #expect(known.contains(option), "--\(option)") }
    }

    @Test("the limits of the record that they show are the defaults")
    func limits() throws {
        let all = try Repository.text("Sources/Program/Configuration/Configuration.docc/SettingsReference.md")
        // Other sections have settings of the same name.
        let start = try #require(all.firstRange(of: "[recording]")).upperBound
        let rest = all[start...]
        let reference = rest.prefix(upTo: rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)
        let shown = try article("RecordingAndExport").matches(of: #/\n(\w+) = ("\w+"|\w+) *#/#)
        #expect(shown.count == 6)
        for setting in shown {
            let row = try #require(
                reference.matches(of: #/\| `(\w+)` \|[^|]*\| `([^`]*)` \|/#).first { $0.1 == setting.1 })
            #expect(row.2 == setting.2, "\(setting.1)")
        }
    }

    @Test("they quote the words that the screen shows")
    func troubles() throws {
        let words = try Repository.text("Sources/Patient/Wording/EnvironmentWarning.swift")
        let rows = try article("Troubleshooting").tableRows(after: "| The screen says | Remedy |")
        #expect(!rows.isEmpty)
        for row in rows {
            for quoted in row[0].matches(of: #/\*\*(.+?)\*\*/#) {
                #expect(words.contains("\"\(quoted.1)\""), "\(quoted.1)")
            }
            for command in row[1].quoted { #expect(words.contains(command), "\(command)") }
        }
    }

    @Test("the article about scenarios has what their manual page has, row by row")
    func scenarioReference() throws {
        let article = try Repository.text(
            "Libraries/Sources/Bluetooth/BlueZSimulator/BlueZSimulator.docc/WritingScenarios.md")
        typealias Reference = ScenarioReference
        for row in Reference.whole + Reference.sensor + Reference.event + Reference.places + Reference.conversation
            + Reference.night
        {
            #expect(article.contains("\n| \(row.name) | \(row.meaning) |\n"), "\(row.name)")
        }
    }

    @Test("the help names the scenarios that are built in, and of each family for waves and nights the first one")
    func scenarios() {
        let first = Scenario.builtInNames.filter {
            !$0.hasPrefix("ecg-") && !$0.hasPrefix("pleth-") && !$0.hasSuffix("-damaged")
        }
        for name in first {
            #expect(Option.simulate.explanation.contains(name), "\(name)")
        }
    }
}
