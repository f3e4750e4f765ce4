import TestSupport
import Testing

@testable import Loudspeaker

@Suite("What shows that a computer may have sound")
struct SoundEvidenceTests {
    private func evidence(
        cards: String = "/nowhere", environment: [String: String] = [:], files: Set<String> = []
    ) -> SoundEvidence {
        SoundEvidence(cardFolder: cards, environment: { environment[$0] }, hasFile: { files.contains($0) })
    }

    @Test("there is none on a computer without card, server and configuration")
    func none() {
        #expect(!evidence(environment: ["HOME": "/people/anna", "XDG_RUNTIME_DIR": "/run/user/1000"]).mayHaveSound)
    }

    @Test(
        "a card is one that plays",
        arguments: [("pcmC0D0p", true), ("pcmC1D3p", true), ("pcmC0D0c", false), ("seq", false)])
    func card(device: String, isFound: Bool) throws {
        let folder = try ScratchFolder()
        _ = try folder.write("", to: device)
        #expect(evidence(cards: folder.path, files: [folder.path]).mayHaveSound == isFound)
    }

    @Test("a card folder that may not be read may have one")
    func unreadable() {
        #expect(evidence(cards: "/nowhere", files: ["/nowhere"]).mayHaveSound)
    }

    @Test(
        "a sound server is one, whose loudspeaker may be connected by radio or be on another computer",
        arguments: ["/run/user/1000/pulse/native", "/run/user/1000/pipewire-0", "/run/pulse/native", "/run/pipewire-0"])
    func server(socket: String) {
        #expect(evidence(environment: ["XDG_RUNTIME_DIR": "/run/user/1000"], files: [socket]).mayHaveSound)
    }

    @Test(
        "so are the variables that name a server or a configuration",
        arguments: ["PULSE_SERVER", "PIPEWIRE_REMOTE", "ALSA_CONFIG_PATH", "ALSA_CONFIG_DIR"])
    func variable(name: String) {
        #expect(evidence(environment: [name: "x"]).mayHaveSound)
    }

    @Test(
        "so is a configuration of the user or of the computer",
        arguments: ["/people/anna/.asoundrc", "/people/anna/.config/alsa/asoundrc", "/etc/asound.conf"])
    func configuration(file: String) {
        #expect(evidence(environment: ["HOME": "/people/anna"], files: [file]).mayHaveSound)
    }
}
