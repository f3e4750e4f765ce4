import Base
import CommandLineInterface
import Foundation
import Testing
import TestSupport

@testable import Configuration

@Suite("The default file")
struct DefaultFileTests {
    @Test("is as reviewed")
    func golden() throws {
        try expectGolden(SettingTable.defaultFile, "bedside.toml")
    }

    @Test("is documented in an article that is generated from the table")
    func article() throws {
        let folder = UserDocuments.root
        let file = folder.appending(path: "Sources/Program/Configuration/Configuration.docc/SettingsReference.md")
        if ProcessInfo.processInfo.environment["BEDSIDE_UPDATE_GOLDEN"] == "1" {
            try SettingTable.markdown.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == SettingTable.markdown)
    }

    @Test("gives every setting, each with its usual value")
    func complete() throws {
        let document = try ConfigurationDocument(SettingTable.defaultFile)
        #expect(try Settings(document) == Settings())
        #expect(document.entries.map { "\($0.section).\($0.key)" } == SettingTable.settings.map(\.name))
        for entry in document.entries {
            #expect(entry.value == SettingTable.setting(entry.key, in: entry.section)?.defaultValue)
        }
    }

    @Test("has a short form to begin with: thirty settings at most, each of which exists, with its usual value")
    func common() throws {
        let document = try ConfigurationDocument(SettingTable.commonFile)
        #expect(try Settings(document) == Settings())
        #expect(Set(document.entries.map { "\($0.section).\($0.key)" }) == SettingTable.commonNames)
        #expect((10...30).contains(document.entries.count))
        // After its first sentence it has nothing that the whole file has not.
        let whole = Set(SettingTable.defaultFile.split(separator: "\n"))
        #expect(SettingTable.commonFile.split(separator: "\n").dropFirst(2).allSatisfy(whole.contains))
    }

    @Test("no line is longer than 100 columns")
    func width() {
        for line in (SettingTable.defaultFile + SettingTable.commonFile).split(separator: "\n") {
            #expect(line.count <= 100, "\(line)")
        }
    }

    @Test("every setting has a name of its own, in a section that is declared")
    func names() {
        #expect(Set(SettingTable.settings.map(\.name)).count == SettingTable.settings.count)
        let sections = Set(SettingTable.sections.map(\.name))
        #expect(Set(SettingTable.settings.map(\.section)) == sections)
    }

    @Test("every option that a setting names is one of the program's")
    func options() {
        for setting in SettingTable.settings {
            guard let name = setting.option else { continue }
            #expect(Subcommand.dashboard.options.contains { $0.name == name }, "--\(name)")
        }
    }

    @Test("every rule is about settings that there are, and the usual values obey it")
    func rules() {
        for rule in SettingTable.rules(for: Settings()) {
            #expect(SettingTable.setting(named: rule.first) != nil, "\(rule.first)")
            #expect(SettingTable.setting(named: rule.second) != nil, "\(rule.second)")
            #expect(rule.holds(Settings()), "\(rule.first), \(rule.second)")
        }
    }
}
