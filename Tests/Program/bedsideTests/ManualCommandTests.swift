import CommandLineInterface
import Configuration
import Foundation
import TestSupport
import Testing

@testable import bedside

@Suite("The manual pages about files")
struct ManualCommandTests {
    private static var pages: [(name: String, text: String)] {
        [
            ("bedside.toml", ManualPage.configurationText()),
            ("bedside-scenario", ManualPage.scenarioText(ManualCommand.scenarioParts)),
        ]
    }

    @Test("are as reviewed")
    func text() throws {
        try expectGolden(Self.pages.map(\.text).joined(separator: "\n"), "section-5.roff")
    }

    @Test("have every setting of the configuration")
    func settings() {
        let page = ManualPage.configurationText()
        for setting in SettingTable.settings {
            #expect(page.contains("\n.B \(setting.key.replacing("-", with: "\\-"))\n"), "\(setting.name)")
        }
    }

    @Test("are what roff's own check wants, as is that of the program")
    func lint() throws {
        let folder = try ScratchFolder()
        for page in Self.pages + [("bedside", ManualPage.text())] {
            let file = try folder.write(page.text, to: page.name)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/mandoc")
            process.arguments = ["-T", "lint", "-W", "warning", file]
            let output = Pipe()
            process.standardOutput = output
            guard (try? process.run()) != nil else {
                return print("NOT CHECKED: the manual pages, because there is no mandoc (Debian package mandoc)")
            }
            let warnings = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(warnings.isEmpty, "\(warnings)")
            #expect(process.terminationStatus == 0)
        }
    }
}
