extension Facts {
    var soundCheck: Check {
        switch signals.speakers {
        case .unasked: bellCheck(after: "")
        case .unavailable(let reason): bellCheck(after: "No loudspeaker: \(reason). ")
        case .opened:
            Check(
                "sound", .ok,
                "A loudspeaker, by ALSA's default output; whether it is audible is not known: bedside doctor --listen.")
        case .played:
            Check("sound", .ok, "ALSA's default output has accepted a tone; whether anybody heard it is not known.")
        case .heard(let decibels):
            Check("sound", .ok, "The microphone heard the tone, \(decibels) dB above the silence before it.")
        case .notHeard:
            Check(
                "sound", .advice, "The tone was played, and the microphone did not hear it.",
                remedy: "turn the loudspeaker up (alsamixer), and the microphone towards it")
        case .muted:
            Check(
                "sound", .advice, "The tone was played, and the microphone delivers nothing, not even noise.",
                remedy: "switch the microphone on: alsamixer --view capture")
        case .noMicrophone(let reason):
            Check(
                "sound", .skipped, "The tone was played, and nothing here can say whether it was heard: \(reason).")
        }
    }

    private func bellCheck(after beginning: String) -> Check {
        let bell =
            !signals.hasBell
            ? "Without a terminal there is no bell."
            : signals.isRemote
                ? "The bell of the remote terminal; whether it is audible is not known."
                : "The terminal's bell; whether it is audible is not known."
        if signals.isToneWanted {
            return Check(
                "sound", .advice, "\(beginning)\(bell)",
                remedy: "connect a loudspeaker; aplay --list-pcms lists the outputs")
        }
        return Check("sound", signals.hasBell ? .ok : .skipped, "\(beginning)\(bell)")
    }
}
