import BlueZSimulator
import CommandLineInterface
import Foundation
import Monitoring
import Testing

@testable import Dashboard

@Suite("README")
struct ReadmeTests {
    let readme: String

    init() throws {
        readme = try Repository.text("README.md")
    }

    @Test("its keys are those that the program knows")
    func keys() throws {
        let rows = readme.tableRows(after: "| Key | Does |")
        let told = Set(rows.flatMap { $0[0].quoted })
        var known: Set<String> = []
        for key in KeyBinding.table.flatMap(\.keys) { if case .character = key { known.insert(key.name) } }
        #expect(told == known)
    }

    @Test("its kinds of alarms are those that the program knows")
    func alarmKinds() {
        let told = readme.tableRows(after: "| Kinds of alarms | About |").flatMap { $0[0].quoted }
        #expect(Set(told) == Set(AlarmKind.allCases.map(\.rawValue)))
    }

    @Test("its options are those that the program takes")
    func options() throws {
        let known = Set(Subcommand.allCases.flatMap(\.options).map(\.name))
        // Other programs' options are theirs.
        let own = readme.split(separator: "\n").filter { $0.wholeMatch(of: #/ +(systemctl|journalctl) .*/#) == nil }
        let told = own.flatMap { $0.matches(of: #/--([a-z0-9][a-z0-9-]*)/#).map { String($0.1) } }
        #expect(!told.isEmpty)
        for option in told { #expect(known.contains(option), "--\(option)") }
    }

    @Test("it quotes the words that the screen shows")
    func troubles() throws {
        let words = try Repository.text("Sources/Dashboard/Words/EnvironmentTrouble.swift")
        let rows = readme.tableRows(after: "| The screen says | What helps |")
        #expect(!rows.isEmpty)
        for row in rows {
            for quoted in row[0].matches(of: #/\*\*(.+?)\*\*/#) {
                #expect(words.contains("\"\(quoted.1)\""), "\(quoted.1)")
            }
            for command in row[1].quoted { #expect(words.contains(command), "\(command)") }
        }
    }

    @Test("the help names the scenarios that are built in")
    func scenarios() {
        for name in Scenario.builtInNames { #expect(Option.simulate.explanation.contains(name), "\(name)") }
    }
}
