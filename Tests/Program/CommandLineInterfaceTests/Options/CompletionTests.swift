import Foundation
import TestSupport
import Testing

@testable import CommandLineInterface

@Suite("Completion of the command line")
struct CompletionTests {
    @Test("is as reviewed for each shell")
    func scripts() throws {
        try expectGolden(Shell.allCases.map(\.completionScript).joined(separator: "\n"), "completions.txt")
    }

    @Test("knows every option of every subcommand, in each shell", arguments: Shell.allCases)
    func completeness(_ shell: Shell) {
        let script = shell.completionScript
        for subcommand in Subcommand.allCases {
            #expect(subcommand.isDefault || script.contains(subcommand.rawValue))
            for option in subcommand.options {
                #expect(script.contains(shell == .fish ? "-l \(option.name) " : "--\(option.name)"))
            }
        }
    }

    @Test("offers for an option only words that its explanation or the table of settings has")
    func words() {
        for option in Set(Subcommand.allCases.flatMap(\.options)) {
            for word in option.completion.words {
                #expect(option.explanation.contains(word), "\(word) of --\(option.name)")
            }
        }
        for subcommand in Subcommand.named where ![.help, .simulate].contains(subcommand) {
            for word in subcommand.completion.words {
                #expect("\(subcommand.explanation) \(subcommand.operands)".contains(word), "\(word)")
            }
        }
    }

    /// What a program prints for a script on its standard input; `nil` where there is no such program.
    private func output(of program: String, _ arguments: [String], _ script: String) throws -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        let paths = folders.map { "\($0)/\(program)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            print("NOT CHECKED: the completion for \(program), because it is not installed")
            return nil
        }
        let folder = try ScratchFolder()
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments + [try folder.write(script, to: "script")]
        process.currentDirectoryURL = URL(filePath: folder.path)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        return text
    }

    @Test(
        "in Bash offers commands, options, values and files, each where it may stand",
        arguments: [
            (["rec"], ["record"]), (["record", "--hard"], ["--hardened"]), (["--theme", "hi"], ["high-contrast"]),
            (["watch", "--simulate", "=", "st"], ["steady"]), (["watch", "--simulate", "="], Self.scenarios),
            (["export", "--format", "csv"], ["csv", "csv-wide"]), (["export", "-o", "scr"], ["script"]),
            (["status", "--format", "t"], ["tmux"]), (["config", "th"], ["themes"]), (["help", "dec"], ["decode"]),
            (["completions", ""], ["bash", "zsh", "fish", "sensors"]), (["--set", "fever.thr"], ["fever.threshold="]),
            (["--set", "schedule.night.enabled", "="], ["true", "false"]),
            (["--set", "schedule.night.enabled", "=", "f"], ["false"]),
            (["watch", "--set", "=", "schedule.night.enabled", "=", "t"], ["true"]), (["--set", "no.such", "="], []),
            (["--bed", "schedule.night.enabled", "="], []),
            (["replay", "scr"], ["script"]), (["--bed", ""], []), (["--bed", "-"], []), (["nonsense", "-"], []),
        ])
    func bash(typed: [String], offered: [String]) throws {
        // `compopt` works within a completion only.
        let words = (["bedside"] + typed).map(Shell.quoted).joined(separator: " ")
        let script = """
            compopt() { :; }
            \(Shell.bash.completionScript)
            COMP_WORDS=(\(words)) COMP_CWORD=\(typed.count)
            _bedside
            printf '%s\\n' "${COMPREPLY[@]}"

            """
        guard let text = try output(of: "bash", ["--norc", "--noprofile"], script) else { return }
        #expect(text.split(separator: "\n").map(String.init) == offered)
    }

    /// The simulated scenarios; the only file in the folder is the script.
    private static let scenarios = ["ward-evening", "steady", "devices", "ecg", "pleth", "script"]

    @Test("in Bash is the one that complete reports for the program")
    func registration() throws {
        let script = Shell.bash.completionScript + "complete -p bedside\n"
        guard let text = try output(of: "bash", ["--norc", "--noprofile"], script) else { return }
        #expect(text == "complete -F _bedside bedside\n")
    }

    @Test("in the Z shell is a script that it can read")
    func zsh() throws {
        #expect(try output(of: "zsh", ["-f", "-n"], Shell.zsh.completionScript) ?? "" == "")
    }

    @Test("in fish offers commands, options and values")
    func fish() throws {
        let questions = ["bedside rec", "bedside record --hard", "bedside --theme hi", "bedside completions z"]
        let script = Shell.fish.completionScript + questions.map { "complete -C '\($0)'\n" }.joined()
        guard let text = try output(of: "fish", ["--no-config"], script) else { return }
        let words = text.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
        #expect(words == ["record", "--hardened", "high-contrast", "zsh"])
    }
}
