import CSystem
import EventLoops
import Glibc
import Sounds

/// Checks the sound output of this computer in a separate process, because a sound system may hang in any call.
package enum SoundCheck {
    /// The extent of the check.
    package enum Extent: String, CaseIterable, Sendable {
        /// The default output is opened, and nothing sounds.
        case open
        /// A test tone is played.
        case play
        /// A test tone is played while the default input records.
        case listen
    }

    /// The result of the check.
    package enum Result: Hashable, Sendable {
        /// The output can be opened.
        case opened
        /// The output has accepted the tone; it is unknown whether it was audible.
        case played
        /// The tone was played, with the result from the microphone.
        case listened(ToneDetector.Verdict)
        /// The tone was played, and there is no microphone; the reason is a phrase for the user.
        case noMicrophone(reason: String)
        /// There is no output; the reason is a phrase for the user.
        case unavailable(reason: String)
    }

    /// The internal command of this process; no user types it.
    package static let command = "sound-check"

    /// How long the process may take.
    private static func limit(_ extent: Extent) -> Int32 { extent == .open ? 2000 : 8000 }

    /// Runs a check in a process, with a time limit.
    ///
    /// - Parameters:
    ///   - extent: The extent of the check.
    ///   - program: The program with its first arguments; by default this program.
    package static func run(_ extent: Extent, program: [String] = ["/proc/self/exe"]) -> Result {
        var pipe: [Int32] = [-1, -1]
        guard csystem_pipe(&pipe) == 0 else { return .unavailable(reason: "no descriptor is left") }
        let output = pipe[0]
        let started = try? ChildProcess.start(program + [command, extent.rawValue], output: .descriptor(pipe[1]))
        close(pipe[1])
        defer { close(output) }
        guard let process = started else { return .unavailable(reason: "a process could not be started") }
        defer {
            // It may hang in a call that SIGTERM does not end.
            kill(process, SIGKILL)
            ChildProcess.end(process)
        }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, limit(extent)) > 0 else {
            return .unavailable(reason: "the sound system does not answer")
        }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(output, &buffer, buffer.count)
        let line = String(decoding: buffer[..<max(0, count)].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return Result(text: line) ?? .unavailable(reason: "the process that sounds has ended")
    }

    /// The main function of the process: checks, and prints the result.
    package static func runProcess(_ extent: Extent) {
        let bytes = Array("\(check(extent).text)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    /// The number of samples per write.
    private static let period = Tone.rate / 50

    private static func check(_ extent: Extent) -> Result {
        do throws(SoundError) {
            let device = try ALSADevice()
            let tone = Sound.test.samples()
            // A device starts when its buffer is full, and may drop a shorter sound.
            let pause = [Int16](repeating: 0, count: Tone.rate / 10)
            guard extent == .listen else {
                if extent == .play {
                    try device.write(pause + tone + pause)
                    device.drain()
                }
                return extent == .play ? .played : .opened
            }
            let microphone: ALSADevice
            do throws(SoundError) {
                microphone = try ALSADevice(.capture)
            } catch {
                try device.write(pause + tone + pause)
                device.drain()
                return .noMicrophone(reason: error.reason)
            }
            // The beginning is skipped, because a microphone adjusts its gain then.
            _ = try microphone.read(count: Tone.rate / 5)
            let silence = try microphone.read(count: Tone.rate * 3 / 5)
            var heard: [Int16] = []
            // The recording is late by the buffers of both devices.
            let played = pause + tone + [Int16](repeating: 0, count: Tone.rate / 2)
            for start in stride(from: 0, to: played.count, by: period) {
                try device.write(Array(played[start..<min(start + period, played.count)]))
                heard += try microphone.read(count: period)
            }
            return .listened(ToneDetector(frequency: Sound.testFrequency).verdict(silence: silence, sound: heard))
        } catch {
            return .unavailable(reason: error.reason)
        }
    }
}

// A result as a line of text, for the pipe between the processes.
extension SoundCheck.Result {
    /// The line, without its end.
    var text: String {
        switch self {
        case .opened: "opened"
        case .played: "played"
        case .listened(.heard(let decibels)): "heard \(decibels)"
        case .listened(.notHeard): "not-heard"
        case .listened(.muted): "muted"
        case .noMicrophone(let reason): "no-microphone \(reason)"
        case .unavailable(let reason): "unavailable \(reason)"
        }
    }

    /// Creates the result of a line; `nil` for an invalid one.
    init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("opened", nil): self = .opened
        case ("played", nil): self = .played
        case ("not-heard", nil): self = .listened(.notHeard)
        case ("muted", nil): self = .listened(.muted)
        case ("heard", let number?):
            guard let decibels = Int(number) else { return nil }
            self = .listened(.heard(decibels: decibels))
        case ("no-microphone", let reason?): self = .noMicrophone(reason: reason)
        case ("unavailable", let reason?): self = .unavailable(reason: reason)
        default: return nil
        }
    }
}
