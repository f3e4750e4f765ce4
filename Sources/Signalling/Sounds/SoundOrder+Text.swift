// An order as a line of text, for the process that sounds.
extension SoundOrder {
    /// The line, without its end.
    package var text: String {
        switch self {
        case .play(let sound): "play \(sound.name)"
        case .playLater(let tone, let milliseconds): "play-later \(milliseconds) \(Sound.pulse(tone).name)"
        case .stop: "stop"
        case .stopPulse: "stop-pulse"
        case .volume(let volume): "volume \(volume.percent)"
        }
    }

    /// The longest delay of a tone, in milliseconds.
    private static let longestDelay = 10_000

    /// Creates the order of a line; `nil` for an invalid one.
    package init?(text: some StringProtocol) {
        let words = text.split(separator: " ")
        if words.count == 3, words[0] == "play-later", let milliseconds = Int(words[1]),
            (0...Self.longestDelay).contains(milliseconds), case .pulse(let tone) = Sound(name: String(words[2]))
        {
            self = .playLater(tone, milliseconds: milliseconds)
            return
        }
        switch (words.first, words.dropFirst().first) {
        case ("play", let name?):
            guard let sound = Sound(name: String(name)) else { return nil }
            self = .play(sound)
        case ("volume", let percent?):
            guard let percent = Int(percent) else { return nil }
            self = .volume(SoundVolume(percent: percent))
        case ("stop", nil): self = .stop
        case ("stop-pulse", nil): self = .stopPulse
        default: return nil
        }
    }
}
