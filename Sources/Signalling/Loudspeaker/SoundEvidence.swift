import Glibc
import UserFiles

/// What shows, without asking any sound system, that a computer may have one.
///
/// Without any of it no process is started that would end at once. It is looked for again at each planned attempt, and
/// at once when a card appears.
struct SoundEvidence: Sendable {
    /// Where the system shows its sound cards.
    var cardFolder: String
    /// The value of an environment variable.
    var environment: @Sendable (String) -> String? = { Environment.value($0) }
    /// Whether there is a file.
    var hasFile: @Sendable (String) -> Bool = { access($0, F_OK) == 0 }

    /// Whether there may be sound: a card that plays, a sound server, or a configuration of ALSA, whose default device may
    /// be anywhere.
    var mayHaveSound: Bool { hasCard || hasServer || hasConfiguration }

    /// Names like `pcmC0D0p`: the device 0 of the card 0, for playback.
    ///
    /// Source: Linux, `sound/core/pcm.c`. A folder that cannot be read may hold anything.
    private var hasCard: Bool {
        guard hasFile(cardFolder) else { return false }
        return FolderListing.names(in: cardFolder)?.contains { $0.hasPrefix("pcm") && $0.hasSuffix("p") } ?? true
    }

    /// The sockets of PulseAudio and PipeWire, or the variables that name others.
    private var hasServer: Bool {
        if ["PULSE_SERVER", "PIPEWIRE_REMOTE"].contains(where: { environment($0) != nil }) { return true }
        let folders =
            ["XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PULSE_RUNTIME_PATH"].compactMap(environment) + ["/run"]
        return folders.contains {
            hasFile("\($0)/pulse/native") || hasFile("\($0)/native") || hasFile("\($0)/pipewire-0")
        }
    }

    private var hasConfiguration: Bool {
        if ["ALSA_CONFIG_PATH", "ALSA_CONFIG_DIR"].contains(where: { environment($0) != nil }) { return true }
        let home = environment("HOME").map { ["\($0)/.asoundrc", "\($0)/.config/alsa/asoundrc"] } ?? []
        return (home + ["/etc/asound.conf"]).contains(where: hasFile)
    }
}
