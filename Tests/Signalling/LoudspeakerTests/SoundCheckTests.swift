import Foundation
import TestSupport
import Testing

@testable import Loudspeaker
@testable import Sounds

/// What the doctor finds out, with sound cards that are files.
@Suite("Whether anything sounds on this computer", .startsPrograms)
struct SoundCheckTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func check(_ extent: SoundCheck.Extent, configuration: String) throws -> SoundCheck.Result {
        let path = try folder.write(configuration, to: "alsa.conf")
        let program = ["/usr/bin/env", "ALSA_CONFIG_PATH=\(path)", SpeakerTests.program]
        // On a busy computer the program may need longer to begin than the check waits.
        for _ in 0..<20 {
            let result = SoundCheck.run(extent, program: program)
            if result != .unavailable(reason: "the sound system does not answer") { return result }
        }
        return SoundCheck.run(extent, program: program)
    }

    /// A sound card whose microphone records these samples, again and again.
    private func card(hearing samples: [Int16]) throws -> String {
        let path = folder.path + "/microphone.raw"
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        return """
            pcm.none { type null }
            pcm.microphone { type file slave.pcm "none" file "/dev/null" infile "\(path)" format "raw" }
            pcm.default { type asym playback.pcm "none" capture.pcm "microphone" }

            """
    }

    private func noise(_ count: Int, seed: UInt64) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int16.random(in: -200...200, using: &random) }
    }

    @Test("hears the tone that begins after the silence, and only that")
    func listens() throws {
        // A second of adjustment and silence, then the tone, as a microphone would hear it.
        let tone = Sound.test.samples().map { $0 / 20 }
        let heard = noise(Tone.rate, seed: 1) + zip(tone, noise(tone.count, seed: 2)).map { $0 + $1 }
        let result = try check(.listen, configuration: card(hearing: heard + noise(Tone.rate * 2, seed: 3)))
        guard case .listened(.heard(let decibels)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect((20...60).contains(decibels))
        #expect(
            try check(.listen, configuration: card(hearing: noise(Tone.rate * 4, seed: 4))) == .listened(.notHeard))
        let zeros = [Int16](repeating: 0, count: Tone.rate * 4)
        #expect(try check(.listen, configuration: card(hearing: zeros)) == .listened(.muted))
    }

    @Test("says that there is no microphone, and plays the tone")
    func noMicrophone() throws {
        let heard = folder.path + "/heard.raw"
        let configuration = """
            pcm.none { type null }
            pcm.loudspeaker { type file slave.pcm "none" file "\(heard)" format "raw" }
            pcm.default { type asym playback.pcm "loudspeaker" capture.pcm "missing" }

            """
        #expect(try check(.listen, configuration: configuration) == .noMicrophone(reason: "no microphone"))
        #expect(try check(.play, configuration: configuration) == .played)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: heard))
        #expect(bytes.contains { $0 != 0 })
    }

    @Test("plays nothing unless it is asked for")
    func silent() throws {
        let heard = folder.path + "/heard.raw"
        let configuration = """
            pcm.none { type null }
            pcm.default { type file slave.pcm "none" file "\(heard)" format "raw" }

            """
        #expect(try check(.open, configuration: configuration) == .opened)
        #expect((try? Data(contentsOf: URL(fileURLWithPath: heard)))?.isEmpty ?? true)
    }

    @Test("says that there is no sound card")
    func noCard() throws {
        #expect(try check(.listen, configuration: "") == .unavailable(reason: "no sound card"))
        #expect(try check(.open, configuration: "") == .unavailable(reason: "no sound card"))
    }

    @Test("gives up a sound system that hangs, and one whose process ends")
    func hangs() {
        #expect(
            SoundCheck.run(.open, program: ["/bin/sh", "-c", "exec sleep 1000"])
                == .unavailable(reason: "the sound system does not answer"))
        #expect(
            SoundCheck.run(.open, program: ["/bin/false"])
                == .unavailable(reason: "the process that sounds has ended"))
    }

    @Test("passes each result as a line")
    func lines() {
        let results: [SoundCheck.Result] = [
            .opened, .played, .listened(.heard(decibels: 12)), .listened(.notHeard), .listened(.muted),
            .noMicrophone(reason: "no microphone"), .unavailable(reason: "another program uses the sound card"),
        ]
        for result in results { #expect(SoundCheck.Result(text: result.text) == result) }
        for text in ["", "heard", "heard x", "opened now", "loud"] { #expect(SoundCheck.Result(text: text) == nil) }
    }
}
