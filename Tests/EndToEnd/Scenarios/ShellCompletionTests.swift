import EventLoops
import Foundation
import TestSupport
import Testing

/// A shell at whose prompt somebody presses Tab.
struct CompletingShell: Sendable, CustomTestStringConvertible {
    var name: String
    var options: [String]
    var start: String

    var testDescription: String { name }

    static let all = [
        CompletingShell(
            name: "bash", options: ["--norc", "--noprofile", "-i"], start: "source <(bedside completions bash)"),
        CompletingShell(
            name: "zsh", options: ["-f", "-i"],
            start: "autoload -Uz compinit; compinit -u -D; source <(bedside completions zsh)"),
        CompletingShell(
            name: "fish", options: ["--no-config", "-i"], start: "bedside completions fish | source; clear"),
    ]
}

@Suite("Completion at the prompt of a shell", .startsPrograms)
struct ShellCompletionTests {
    /// A name from the air that a careless script would run.
    private static let hostile = "x$(touch owned)`touch owned`;touch owned"

    @Test(
        "offers remembered sensors as single words, runs nothing in their names, and knows settings",
        arguments: CompletingShell.all)
    func sensors(_ shell: CompletingShell) async throws {
        guard let path = EventLoops.ChildProcess.find(shell.name) else {
            return print("NOT CHECKED: completion in \(shell.name), because it is not installed")
        }
        let folder = try TemporaryFolder()
        let prompt = try await start(shell, path, in: folder)
        func shows(_ typed: String, _ words: String) async throws {
            await prompt.type(typed)
            try await prompt.waitFor(words)
            // The line is what a program gets.
            await prompt.type("\u{01}printf '<%s>' \r")
        }
        try await shows("bedside watch --simulate --connect Ad\t", "Strap")
        try await prompt.waitFor("<Ada Strap>")
        try await shows("bedside watch --simulate -c x\t", "owned")
        try await prompt.waitFor("<\(Self.hostile)>")
        try await shows("bedside --set schedule.night.enabled=f\t", "alse")
        try await prompt.waitFor("<schedule.night.enabled=false>")
        // Those of real sensors are others.
        try await shows("bedside watch --connect Be\t", "Bea")
        try await prompt.waitFor("<Bea>")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/owned"))
        await prompt.type("exit\r")
        _ = try await prompt.waitForExit()
    }

    /// Starts a shell in a folder whose account remembers sensors, with the completion loaded.
    private func start(
        _ shell: CompletingShell, _ path: String, in folder: TemporaryFolder
    ) async throws -> ProgramInTerminal {
        let data = ["XDG_DATA_HOME": folder.path + "/data"]
        for (isSimulated, names) in [(true, ["Ada Strap", Self.hostile]), (false, ["Bea"])] {
            let file = folder.path + "/data/bedside/\(isSimulated ? "simulated/" : "")store.sqlite"
            // A store that the program has made.
            let outcome = try await ProgramWithPipes.run(
                ["enter", "temperature", "37.0"] + (isSimulated ? ["--simulate"] : []), environment: data)
            #expect(outcome.status == .exited(0), "\(outcome.errorOutput)")
            for (index, name) in names.enumerated() {
                _ = try await SQLiteTool.rows(
                    """
                    INSERT INTO remembered_sensor (address, name, kind, label, wanted, vitals) \
                    VALUES ('C0:52:49:00:00:0\(index)', '\(name)', 'heartRateStrap', NULL, 1, '')
                    """, in: file)
            }
        }
        let programs = folder.path + "/bin"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: programs + "/bedside", withDestinationPath: Harness.program)
        let environment = data.merging(["PATH": programs + ":/usr/bin:/bin"]) { $1 }
        let prompt = try await ProgramInTerminal.start(
            shell.options, environment: environment, columns: 160, program: path)
        await prompt.type("cd '\(folder.path)'\r\(shell.start)\recho rea''dy\r")
        try await prompt.waitFor("ready")
        return prompt
    }
}
