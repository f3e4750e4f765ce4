// An order as a line of text, for the process that sounds.
extension SoundOrder {
    /// The line, without its end.
    package var text: String {
        switch self {
        case .play(let sound): "play \(sound.name)"
        case .stop: "stop"
        case .stopPulse: "stop-pulse"
        case .volume(let volume): "volume \(volume.percent)"
        }
    }

    /// Creates the order of a line; `nil` where it is none.
    package init?(text: some StringProtocol) {
        let words = text.split(separator: " ")
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
