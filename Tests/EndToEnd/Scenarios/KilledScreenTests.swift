import Foundation
import Glibc
import TestSupport
import Testing

/// A program that is killed restores nothing; its terminal must not keep numbers that nothing measures any longer.
@Suite("A screen whose program is killed", .startsPrograms)
struct KilledScreenTests {
    private let world: World
    /// The session's folder, where the programs write which process they are.
    private let session: TemporaryFolder

    init() async throws {
        world = try await World.simulated("steady")
        session = try TemporaryFolder()
    }

    /// A program in a terminal below a shell, which stays when the program is killed.
    private struct Shown {
        let shell: ProgramInTerminal
        let program: pid_t
        let guardian: pid_t

        /// Whether the guard is gone, and not only dead.
        var isGuardGone: Bool { kill(guardian, 0) == -1 && errno == ESRCH }
    }

    private func start(_ arguments: [String], shows text: String, type: String = "xterm-256color") async throws -> Shown
    {
        let file = session.path + "/process"
        let script = """
            /bin/sh -c 'echo $$ >"$PROCESS.new"; mv "$PROCESS.new" "$PROCESS"; exec "$0" "$@"' "$0" "$@"
            echo "ended with $?"; read line
            """
        let shell = try await ProgramInTerminal.start(
            ["-c", script, Harness.program] + arguments, on: world,
            environment: ["PROCESS": file, "XDG_RUNTIME_DIR": session.path, "TERM": type], program: "/bin/sh")
        try await shell.waitFor(text)
        let program = try #require(pid_t(try contents(of: file)))
        // It has another name until it has begun.
        var guardian: pid_t?
        try await world.waitUntil("the guard has begun") {
            guardian = (try? processes())?.first { $0.parent == program && $0.name == "terminal-guard" }?.process
            return guardian != nil
        }
        return Shown(shell: shell, program: program, guardian: try #require(guardian))
    }

    private func contents(of file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// All processes with their names and parents (proc_pid_stat(5)).
    private func processes() throws -> [(process: pid_t, name: String, parent: pid_t)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { entry in
            guard let process = pid_t(entry), let line = try? contents(of: "/proc/\(entry)/stat"),
                let match = line.firstMatch(of: /\((.*)\) \S (\d+)/), let parent = pid_t(match.2)
            else { return nil }
            return (process, String(match.1), parent)
        }
    }

    /// Kills the program, and demands that the terminal is as before with one sentence in it.
    private func killed(_ shown: Shown, _ sentence: String, without picture: String) async throws {
        kill(shown.program, SIGKILL)
        let screen = try await shown.shell.waitUntil("it says what happened, and when") { screen in
            screen.lines.contains { line in
                line.hasPrefix("Bedside was killed: \(sentence) ")
                    && line.firstMatch(of: #/\ \d\d:\d\d:\d\d\.$/#) != nil
            }
        }
        #expect(!screen.shows(picture), "\(screen.text)")
        // libvterm saves no titles.
        #expect((screen.modes.title ?? "").isEmpty)
        try await awaitCondition("the guard is gone") { shown.isGuardGone }
        #expect(await shown.shell.damageToTerminal.isEmpty)
    }

    @Test("is cleared, and says since when nothing is monitored; what ends a program does not end the guard")
    func monitor() async throws {
        let shown = try await start(["--connect", "all", "--no-welcome"], shows: "36.8")
        // It holds neither store nor lock nor bus: nothing but its pipe, the terminal, and no errors.
        let folder = "/proc/\(shown.guardian)/fd"
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(descriptors == ["0", "1", "2"])
        let targets = try descriptors.map {
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        #expect(targets[0].hasPrefix("pipe:") && targets[1].hasPrefix("/dev/pts/") && targets[2] == "/dev/null")
        for signal in [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP] { kill(shown.guardian, signal) }
        try await killed(shown, "nothing has been monitored here since", without: "HEART RATE")
    }

    @Test("is cleared where a terminal has no second screen, too")
    func withoutAlternateScreen() async throws {
        let shown = try await start(["--connect", "all", "--no-welcome"], shows: "36.8", type: "vt100")
        try await killed(shown, "nothing has been monitored here since", without: "HEART RATE")
    }

    @Test("says of a view and of the set-up what they were", arguments: ["view", "set-up"])
    func others(kind: String) async throws {
        switch kind {
        case "view":
            let record = try await ProgramWithPipes.start(
                ["record", "--connect", "all"], on: world, environment: ["XDG_RUNTIME_DIR": session.path])
            try await record.waitForWarning("CORE [1A] connected")
            let shown = try await start(["--view"], shows: "36.8")
            try await killed(shown, "this view has shown nothing since", without: "HEART RATE")
            await record.send(signal: SIGTERM)
            #expect(try await record.waitForExit().status == .exited(0))
        default:
            let shown = try await start(["setup"], shows: "1/9  This computer")
            try await killed(shown, "the set-up ended at", without: "This computer")
        }
    }

    @Test("says of a ward that its beds are not shown", .enabled(if: PrivateBroker.isHere))
    func ward() async throws {
        let setup = try await WardSetup()
        let file = try setup.configuration("screen", [("bed = \"screen\"", "")])
        let shown = try await start(["ward", "--site", "ward-2", "--simulate", "--config", file], shows: "WARD")
        try await killed(shown, "this screen of the ward has shown nothing since", without: "WARD")
    }

    @Test("says so once after a crash, which restores the terminal itself")
    func crash() async throws {
        let shown = try await start(["--connect", "all", "--no-welcome"], shows: "36.8")
        kill(shown.program, SIGSEGV)
        let screen = try await shown.shell.waitUntil("it says so") {
            $0.shows("Bedside was killed: nothing") && $0.shows("ended with 139")
        }
        #expect(screen.lines.count { $0.contains("Bedside was killed") } == 1)
        #expect(await shown.shell.damageToTerminal.isEmpty)
        try await awaitCondition("the guard is gone") { shown.isGuardGone }
    }

    @Test("says nothing at an ordinary end, and leaves no guard", arguments: [SIGTERM, SIGINT, SIGHUP])
    func ordinaryEnd(signal: Int32) async throws {
        let shown = try await start(["--connect", "all", "--no-welcome"], shows: "36.8")
        kill(shown.program, signal)
        let screen = try await shown.shell.waitFor("ended with \(signal == SIGHUP ? 129 : 0)")
        #expect(!screen.shows("killed") && shown.isGuardGone)
        #expect(await shown.shell.damageToTerminal.isEmpty)
    }

    @Test("says nothing while the shell has the terminal, as after Ctrl-Z")
    func stopped() async throws {
        let script = """
            set -m; "$0" --connect all --no-welcome; echo "stopped with $?"; read line; kill -KILL %1; wait
            echo "killed with $?"; read line
            """
        let shell = try await ProgramInTerminal.start(["-c", script, Harness.program], on: world, program: "/bin/bash")
        try await shell.waitForSteadyValues()
        let all = try processes()
        let shellProcess = await shell.processIdentifier
        let program = try #require(all.first { $0.parent == shellProcess && $0.name == "bedside" }).process
        var guardian: pid_t = 0
        try await awaitCondition("the guard has begun") {
            guardian = try processes().first { $0.parent == program && $0.name == "terminal-guard" }?.process ?? 0
            return guardian != 0
        }
        await shell.press(.controlZ)
        try await shell.waitFor("stopped with 148")
        await shell.press(.enter)
        try await shell.waitFor("killed with")
        try await awaitCondition("the guard is gone") { kill(guardian, 0) == -1 }
        #expect(!(await shell.screen.shows("Bedside was killed")))
        #expect(await shell.damageToTerminal.isEmpty)
    }

    @Test("whose terminal is gone, too, leaves no guard")
    func terminalGone() async throws {
        let shown = try await start(["--connect", "all", "--no-welcome"], shows: "36.8")
        // Stopped, so that it does not end by itself.
        kill(shown.program, SIGSTOP)
        await shown.shell.hangUp()
        kill(shown.program, SIGKILL)
        try await awaitCondition("the guard is gone") { shown.isGuardGone }
    }
}
