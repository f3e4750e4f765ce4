import Monitoring
import Testing
import Vitals

@testable import Sounds

@Suite("Sounds and orders as text")
struct SoundTextTests {
    @Test("every named sound is found by its name, and has that name")
    func names() throws {
        for (name, _) in Sound.named { #expect(try #require(Sound(name: name)).name == name) }
        #expect(Set(Sound.named.map(\.name)).count == Sound.named.count)
        #expect(Sound(name: "oxygen") == .alarm(AlarmSound(.high, .oxygen)))
        #expect(Sound(name: "pulse-97.5") == .pulse(PulseTone(saturation: VitalValue(hundredths: 9750))))
    }

    @Test(
        "a name that is none has no sound",
        arguments: [
            "", "-", "loud", "high-", "high-loud", "pulse", "pulse-", "pulse-x", "pulse-nan", "pulse-101", "low-low",
        ])
    func noNames(name: String) {
        #expect(Sound(name: name) == nil)
    }

    @Test("every order is read from its text, and what is none is ignored")
    func orders() {
        let orders: [SoundOrder] =
            [
                .stop, .stopPulse, .playLater(PulseTone(saturation: VitalValue(whole: 97)), milliseconds: 812),
                .volume(SoundVolume(percent: 40)), .play(.reminder),
            ]
            + Sound.named.compactMap { Sound(name: $0.name).map(SoundOrder.play) }
        for order in orders { #expect(SoundOrder(text: order.text) == order) }
        for text in [
            "", "play", "play nothing", "volume", "volume x", "stop now", "begin", "play-later", "play-later 5 high",
            "play-later -1 pulse-97",
            "play-later 99999999999 pulse-97", "play-later x pulse-97",
        ] {
            #expect(SoundOrder(text: text) == nil, "\(text)")
        }
    }
}
