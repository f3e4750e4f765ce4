import Foundation
import TestSupport
import Testing

@testable import Sounds

/// What the process hands to ALSA, whose `file` plugin writes it to a file.
@Suite(
    "What a sound card would get", .startsPrograms,
    .enabled(if: SoundMeasurement.isPossible, "Debian's package python3-scipy is missing"))
struct RenderedSoundTests {
    /// The process that sounds, with a sound card that is a file.
    private final class Player {
        let folder: ScratchFolder
        private let process = Process()
        private let orders = Pipe.keptFromChildren()
        private let reports = Pipe.keptFromChildren()
        private let received = Recorder<String>()

        /// Starts it.
        ///
        /// - Parameter second: What is ordered as soon as a first sound has begun, however busy the computer is.
        init(second: String? = nil) throws {
            folder = try ScratchFolder()
            process.executableURL = URL(filePath: SpeakerTests.program)
            process.arguments = ["speaker-process"]
            process.environment = ["ALSA_CONFIG_PATH": try SpeakerTests.writeConfiguration(in: folder)]
            process.standardInput = orders
            process.standardOutput = reports
            process.standardError = FileHandle.nullDevice
            reports.fileHandleForReading.readabilityHandler = { [received, orders] handle in
                for line in String(decoding: handle.availableData, as: UTF8.self).split(separator: "\n") {
                    if let second, line == "playing", !received.elements.contains("playing") {
                        try? orders.fileHandleForWriting.write(contentsOf: Data((second + "\n").utf8))
                    }
                    received.record(String(line))
                }
            }
            try process.run()
        }

        var path: String { folder.path + "/heard.wav" }

        func order(_ line: String) throws {
            try orders.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        /// Waits until this many sounds have begun.
        func awaitPlaying(_ count: Int) async throws {
            try await awaitCondition("\(count) sounds have begun") {
                received.elements.filter { $0 == "playing" }.count >= count
            }
        }

        /// Waits until this much more was heard.
        func awaitSound(milliseconds: Int) async throws {
            let size = size() + milliseconds * 96
            try await awaitCondition("\(milliseconds) ms were heard") { self.size() >= size }
        }

        /// Ends the process, which then completes the file.
        func end() async throws {
            try orders.fileHandleForWriting.close()
            try await awaitCondition("the process has ended") { !process.isRunning }
            reports.fileHandleForReading.readabilityHandler = nil
            #expect(process.terminationStatus == 0)
            #expect(received.elements.first == "ready")
        }

        private func size() -> Int {
            // There is no file before the first sound.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return (attributes?[.size] as? Int) ?? 0
        }
    }

    @Test("a burst reaches the sound card as it was computed, and silence follows it")
    func burst() async throws {
        let player = try Player()
        try player.order("play high-oxygen")
        try await player.awaitPlaying(1)
        try await player.awaitSound(milliseconds: 3000)
        try await player.end()
        let script = try SoundMeasurement.script()
        let answer = try script.answer(to: "burst \(player.path) high oxygen")
        #expect(answer == "ok")
    }

    @Test("an alarm of high priority takes over within a burst of medium priority, without a click")
    func takeOver() async throws {
        let player = try Player(second: "play high-cardiac")
        try player.order("play medium-oxygen")
        try await player.awaitPlaying(2)
        try await player.awaitSound(milliseconds: 3000)
        try await player.end()
        let script = try SoundMeasurement.script()
        let answer = try script.answer(to: "taken-over \(player.path) oxygen cardiac")
        #expect(answer == "ok")
    }

    @Test("each pulse tone begins at its time, and tells its saturation")
    func pulses() async throws {
        let saturations = [100, 99, 98, 97, 96, 95, 93, 90, 89, 88, 85, 80, 75, 70, 97]
        let player = try Player()
        // In one piece, so that all times have the same beginning.
        let orders = saturations.enumerated().map { "play-later \($0 * 500) pulse-\($1)" }
        try player.order((orders + ["play-later \(saturations.count * 500) pulse-100"]).joined(separator: "\n"))
        try await player.awaitSound(milliseconds: saturations.count * 500 + 300)
        // What waits is left out when its value is not live any more.
        try player.order("play-later 400 pulse-98\nstop-pulse")
        try await player.awaitSound(milliseconds: 800)
        try await player.end()
        let script = try SoundMeasurement.script()
        let expected = (saturations + [100]).map { "\($0)" + ($0 < 97 ? "t" : "") + ($0 < 90 ? "b" : "") }
        #expect(try script.answer(to: "pulses \(player.path)") == expected.joined(separator: " "))
        let onsets = try script.answer(to: "onsets \(player.path)").split(separator: " ").compactMap { Int($0) }
        #expect(onsets.count == expected.count)
        for (index, onset) in onsets.enumerated() { #expect(abs(onset - index * 500) <= 10, "\(index)") }
    }

    @Test("what is stopped is silent until it is to sound again")
    func pause() async throws {
        let player = try Player()
        try player.order("play high-cardiac")
        try await player.awaitPlaying(1)
        try player.order("stop")
        try await player.awaitSound(milliseconds: 2500)
        try player.order("play medium-temperature")
        try await player.awaitPlaying(2)
        try await player.awaitSound(milliseconds: 1200)
        try await player.end()
        let script = try SoundMeasurement.script()
        let gaps = try script.answer(to: "gaps \(player.path)").split(separator: " ").compactMap { Int($0) }
        #expect(gaps.count == 1)
        #expect(try #require(gaps.first) > 2000)
    }
}
