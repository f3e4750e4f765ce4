import Foundation
import TestSupport
import Testing

@testable import bedside

/// Landlock: a monitor that reaches its own files only.
@Suite("A monitor's own files", .startsPrograms)
struct ConfinementTests {
    /// A folder in which a monitor that restricts itself reaches nothing; `nil` where there is none to write to.
    ///
    /// Such a monitor reaches the folders for temporary files, and whoever tries something out puts the project there.
    private static let unreachable: String? = {
        let reachable = Confinement.system.map(\.path) + [Confinement.temporaryFolder]
        let folders = [
            URL(filePath: Harness.program).deletingLastPathComponent(), FileManager.default.homeDirectoryForCurrentUser,
            URL(filePath: "/var/lib"), URL(filePath: "/srv"),
        ]
        return folders.map { $0.resolvingSymlinksInPath().path }.first { folder in
            access(folder, W_OK) == 0 && !reachable.contains { folder == $0 || folder.hasPrefix("\($0)/") }
        }
    }()

    /// Has a monitor read its configuration again, which leads out of its folders by now.
    private func rereadElsewhere(
        _ environment: [String: String] = [:], settings: String = "", waitingFor text: String
    ) async throws {
        guard let unreachable = Self.unreachable else {
            return print(
                "NOT CHECKED: a configuration elsewhere, because a monitor may reach all that this user may write")
        }
        let folder = try TemporaryFolder()
        let file = try folder.write(settings, to: "bedside.toml")
        let elsewhere = "\(unreachable)/bedside-test-\(UUID().uuidString).conf"
        try "[screen]\nbed = \"elsewhere\"\n\(settings)".write(toFile: elsewhere, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: elsewhere) }
        let record = try await ProgramWithPipes.start(
            ["record", "--simulate=steady", "--config", file], environment: environment)
        try await record.waitForWarning("Bluetooth works")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: elsewhere)
        await record.send(signal: SIGHUP)
        try await record.waitForWarning(text)
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    /// Whether the doctor says that a monitor restricts itself here.
    private func isRestricted() async throws -> Bool {
        let outcome = try await ProgramWithPipes.run(["doctor", "--json"])
        let hasLandlock = outcome.output.contains(#""name":"own_files","verdict":"ok""#)
        if !hasLandlock { print("NOT CHECKED: the restriction of a monitor, because this kernel has no Landlock") }
        return hasLandlock
    }

    @Test("are all that it can read")
    func refusal() async throws {
        guard try await isRestricted() else { return }
        try await rereadElsewhere(waitingFor: "the earlier settings still hold: ")
    }

    @Test("are not all where the user has switched that off, or has a command for alarms")
    func exceptions() async throws {
        try await rereadElsewhere(["BEDSIDE_LANDLOCK": "off"], waitingFor: "the configuration was read again")
        try await rereadElsewhere(
            settings: "[alarms]\nhook = \"true\"\n", waitingFor: "the configuration was read again")
    }

    @Test("say so when a command for alarms is set too late to reach more", arguments: [true, false])
    func lateCommand(isRestricted: Bool) async throws {
        if isRestricted, try await !self.isRestricted() { return }
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady"], environment: isRestricted ? [:] : ["BEDSIDE_LANDLOCK": "off"])
        try await bedside.waitUntil("it runs") { !$0.sensorRows.isEmpty }
        await bedside.type(",")
        try await bedside.waitFor("SETTINGS")
        await bedside.type("/alarms.hook\r")
        try await bedside.waitFor("SETTINGS · /alarms.hook")
        await bedside.press(.enter)
        try await bedside.waitFor("Command at alarms:")
        await bedside.type("true\r")
        let warning = "The command for alarms reaches none of your own files"
        let screen = try await bedside.waitUntil("it is set") { screen in
            isRestricted ? screen.shows(warning) : screen.shows("SETTINGS 1 not kept")
        }
        // Where nothing is restricted, nobody is warned.
        #expect(screen.shows(warning) == isRestricted)
        await bedside.press(.escape)
        try await bedside.waitUntil("the page is closed") { !$0.shows("SETTINGS") }
        await bedside.type("q")
        try await bedside.waitFor("not kept")
        await bedside.type("y")
        #expect(try await bedside.waitForExit() == .exited(0))
    }
}
