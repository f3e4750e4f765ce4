import Foundation
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Sounds

/// The computed sounds, measured by a program that shares no code with Bedside.
@Suite(
    "Sounds as SciPy measures them", .startsPrograms,
    .enabled(if: SoundMeasurement.isPossible, "Debian's package python3-scipy is missing"))
struct MeasuredSoundTests {
    private let folder: ScratchFolder
    private let script: PythonScript

    init() throws {
        folder = try ScratchFolder()
        script = try SoundMeasurement.script()
    }

    /// Writes samples to a file; answers its path.
    private func write(_ samples: [Int16], to name: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(WaveFile.bytes(samples)).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("every burst has the rhythm, the melody, the harmonics, the rise and the fall of its kind, and no click")
    func bursts() throws {
        for priority in AlarmPriority.allCases {
            for category in SoundCategory.allCases {
                let samples = Sound.alarm(AlarmSound(priority, category)).samples()
                let path = try write(samples, to: "burst.wav")
                let answer = try script.answer(to: "burst \(path) \(priority.rawValue) \(category.rawValue)")
                #expect(answer == "ok", "\(priority) \(category)")
            }
        }
    }

    @Test("the measurement refuses another melody, another rhythm, a click and a sound that begins abruptly")
    func refusals() throws {
        var samples = Sound.alarm(AlarmSound(.high, .cardiac)).samples()
        let path = try write(samples, to: "burst.wav")
        #expect(try script.answer(to: "burst \(path) high oxygen").contains("Hz"))
        #expect(try script.answer(to: "burst \(path) medium cardiac").contains("ms long"))
        let repeated = try write(samples + [Int16](repeating: 0, count: Tone.rate) + samples, to: "repeated.wav")
        #expect(try script.answer(to: "burst \(repeated) high cardiac") == "burst: 20 pulses, not 10")
        let abrupt = try write(Array(samples.dropFirst(1200)), to: "abrupt.wav")
        #expect(try script.answer(to: "burst \(abrupt) high cardiac") != "ok")
        samples[3000] += samples[3000] > 0 ? -1000 : 1000
        let click = try write(samples, to: "click.wav")
        #expect(try script.answer(to: "burst \(click) high cardiac").contains("a click of"))
    }

    @Test("the saturation is read back from the pulse tones, and so are its ranges")
    func pulses() throws {
        let saturations = [100, 99, 98, 97, 96, 95, 93, 90, 89, 88, 85, 80, 75, 70, 97]
        var samples: [Int16] = []
        for saturation in saturations {
            samples += Sound.pulse(PulseTone(saturation: VitalValue(whole: saturation))).samples()
            samples += [Int16](repeating: 0, count: Tone.rate / 2)
        }
        let path = try write(samples, to: "pulses.wav")
        let expected = saturations.map { "\($0)" + ($0 < 97 ? "t" : "") + ($0 < 90 ? "b" : "") }
        #expect(try script.answer(to: "pulses \(path)") == expected.joined(separator: " "))
    }
}
