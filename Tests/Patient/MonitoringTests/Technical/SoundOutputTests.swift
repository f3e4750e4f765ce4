import Testing
import Vitals

@testable import Monitoring

@Suite("Sound that is lost")
struct SoundOutputTests {
    private func apply(_ output: SoundOutput, _ ward: inout Ward, at seconds: Double) -> [String] {
        ward.state.apply(.soundOutput(output, at: Ward.moment(seconds))).compactMap(\.summary)
    }

    @Test("it is an alarm of medium priority when it is not back within two seconds, and over when it is back")
    func lost() {
        var ward = Ward()
        #expect(apply(.working, &ward, at: 0).isEmpty)
        _ = apply(.lost(reason: "no sound card"), &ward, at: 1)
        ward.wait(until: 2.9)
        #expect(ward.sounds.isEmpty)
        ward.wait(until: 3)
        #expect(ward.state.alarms.map(\.text) == ["Sound lost: no sound card"])
        #expect(ward.sounds == ["medium 3.0"])
        #expect(apply(.working, &ward, at: 4) == ["sound_lost ended medium"])
        #expect(ward.state.environment.soundOutput == .working)
    }

    @Test("it is none when the sound is back sooner, and none where there never was a sound card")
    func short() {
        var ward = Ward()
        _ = apply(.working, &ward, at: 0)
        _ = apply(.lost(reason: "the process that sounds has ended"), &ward, at: 1)
        _ = apply(.working, &ward, at: 1.5)
        _ = apply(.unavailable(reason: "no sound card"), &ward, at: 5)
        ward.wait(until: 60)
        #expect(ward.sounds.isEmpty)
        #expect(ward.state.alarms.isEmpty)
    }
}
