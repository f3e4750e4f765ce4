import Foundation
import TestSupport
import Testing

/// `bedside sound`, with a sound card that is a file.
@Suite("The command sound", .startsPrograms)
struct SoundCommandTests {
    /// The names that the program lists.
    private func names() async throws -> [String] {
        let list = try await ProgramWithPipes.run(["sound", "--list"])
        #expect(list.status == .exited(0))
        return list.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }

    /// What the measurement is asked about a file with the sound of this name.
    private func request(for name: String, _ path: String) -> String {
        let words = name.split(separator: "-").map(String.init)
        return switch words[0] {
        case "high", "medium", "low": "burst \(path) \(words[0]) \(words.count == 2 ? words[1] : "general")"
        case "test": "tone \(path) 740 1000"
        // G4
        case "reminder": "tone \(path) 392 300"
        default: "pulses \(path)"
        }
    }

    @Test(
        "plays each sound of its list through ALSA, and writes the same one to a file",
        .enabled(if: SoundMeasurement.isPossible, "Debian's package python3-scipy is missing"))
    func everySound() async throws {
        let script = try SoundMeasurement.script()
        let names = try await names()
        #expect(names.count == 26)
        for name in names {
            let card = try SoundCard()
            let played = try await ProgramWithPipes.run(["sound", name], environment: card.environment)
            #expect(played.status == .exited(0), "\(played.errorOutput)")
            let file = card.path + ".wav"
            let written = try await ProgramWithPipes.run(["sound", name, "--output", file])
            #expect(written.status == .exited(0), "\(written.errorOutput)")
            let expected = ["pulse-98": "98", "pulse-94": "94t", "pulse-85": "85tb"][name] ?? "ok"
            for path in [card.path, file] {
                #expect(try script.answer(to: request(for: name, path)) == expected, "\(name)")
            }
            // Behind the header of the file, and before the silence that ends what was played.
            let samples = try Data(contentsOf: URL(fileURLWithPath: file)).dropFirst(44)
            #expect(card.bytes.prefix(samples.count) == samples, "\(name)")
        }
    }

    @Test("a category alone has high priority")
    func category() async throws {
        let folder = try TemporaryFolder()
        var files: [Data] = []
        for name in ["temperature", "high-temperature"] {
            let path = folder.path + "/\(name).wav"
            #expect(try await ProgramWithPipes.run(["sound", name, "--output", path]).status == .exited(0))
            files.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        #expect(files[0] == files[1])
    }

    @Test("says why nothing sounds, and which sounds there are")
    func errors() async throws {
        let silent = try await ProgramWithPipes.run(["sound", "high"])
        #expect(silent.status == .exited(71))
        #expect(silent.errorOutput == "bedside: nothing sounds: no sound card\n")
        let full = try SoundCard(path: "/dev/full")
        let refused = try await ProgramWithPipes.run(["sound", "high"], environment: full.environment)
        #expect(refused.status == .exited(71))
        #expect(refused.errorOutput == "bedside: nothing sounds: Input/output error\n")
        for arguments in [["sound"], ["sound", "loud"], ["sound", "pulse-101"]] {
            let outcome = try await ProgramWithPipes.run(arguments)
            #expect(outcome.status == .exited(64))
            #expect(outcome.errorOutput.contains("bedside sound --list lists them"))
        }
        let outcome = try await ProgramWithPipes.run(["sound", "high", "--output", "/dev/full"])
        #expect(outcome.status == .exited(74))
        #expect(outcome.errorOutput == "bedside: /dev/full: No space left on device\n")
    }
}
