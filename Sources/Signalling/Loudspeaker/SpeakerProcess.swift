import CSystem
import EventLoops
import Glibc
import Sounds

/// The process that plays sounds: this program, started by ``Speaker`` with an internal command.
///
/// It reads orders as lines from standard input and answers on standard output: `ready`, `playing` for each alarm or
/// reminder whose first samples the device has accepted, `able` for each probe if a sound can be played, or `unavailable` with a reason, after which it ends. It ends
/// with its input. While no sound plays it waits for its input only.
package struct SpeakerProcess {
    /// The internal command of this process; no user types it.
    package static let command = "speaker-process"

    /// How long silence is played after a sound: longer than the longest gap between two bursts.
    ///
    /// A running stream plays the next sound at once; a loudspeaker that falls asleep would drop the beginning of the
    /// next burst.
    private static let linger = 32 * Tone.rate
    /// The number of samples per write.
    private static let period = Tone.rate / 50
    /// How far ahead of playback samples are written, in nanoseconds; a higher priority is delayed by that.
    private static let lead: Int64 = 60_000_000

    private var mixer = SoundMixer()
    private var device: ALSADevice?
    /// When the device started.
    private var start: Int64 = 0
    /// The number of samples written.
    private var position = 0
    private var input: [UInt8] = []
    private var isInputOpen = true
    /// The number of silent samples since the last sound.
    private var quiet = 0
    /// The number of sounds that have begun and were not reported yet.
    private var unreported = 0
    /// Reports that sound cards were added or removed; -1 if that cannot be watched.
    private let cards: Int32
    private var haveCardsChanged = false
    private var isProbed = false

    /// Plays sounds as ordered, until its input ends.
    ///
    /// - Parameter cardFolder: Where the system shows its sound cards.
    /// - Returns: Whether sound was possible.
    package static func run(cardFolder: String = Speaker.cardFolder) -> Bool {
        var process = SpeakerProcess(cardFolder: cardFolder)
        do throws(SoundError) {
            // Opens the device once, to know before the first alarm whether it exists; it is not kept open.
            _ = try ALSADevice()
            report("ready")
            while process.isInputOpen {
                process.readOrders()
                try process.checkCards()
                try process.answerProbe()
                try process.playNext()
            }
            return true
        } catch {
            report("unavailable \(error.reason)")
            return false
        }
    }

    private init(cardFolder: String) {
        cards = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        _ = inotify_add_watch(cards, cardFolder, UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_ONLYDIR))
    }

    /// Ends the process when the card is gone, even in silence: the screen must not claim that sound works.
    private mutating func checkCards() throws(SoundError) {
        guard haveCardsChanged, device == nil else { return }
        haveCardsChanged = false
        _ = try ALSADevice()
    }

    /// Answers whether a sound could be played now: an open device takes samples all the time, another one is opened.
    private mutating func answerProbe() throws(SoundError) {
        guard isProbed else { return }
        isProbed = false
        if device == nil { _ = try ALSADevice() }
        Self.report("able")
    }

    /// Poll timeout until the next samples, in milliseconds; negative = infinite.
    ///
    /// Some devices and sound servers accept seconds of sound at once, which no later order could take back.
    private var pause: Int32 {
        if device == nil { return mixer.isSilent ? -1 : 0 }
        let end = start + Int64(position) * 1_000_000_000 / Int64(Tone.rate)
        let ahead = end - Timestamp.monotonicNow() - Self.lead
        return ahead > 0 ? Int32(ahead / 1_000_000) + 1 : 0
    }

    /// Carries out pending orders, and waits for one while no samples are due.
    private mutating func readOrders() {
        var descriptors = [STDIN_FILENO, cards].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&descriptors, nfds_t(descriptors.count), pause) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        if descriptors[1].revents != 0 {
            haveCardsChanged = true
            while buffer.withUnsafeMutableBytes({ read(cards, $0.baseAddress, $0.count) }) > 0 {}
        }
        guard descriptors[0].revents != 0 else { return }
        let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else {
            isInputOpen = false
            return
        }
        input += buffer[..<count]
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: input[..<end], as: UTF8.self)
            input.removeSubrange(...end)
            guard let order = SoundOrder(text: line) else { continue }
            mixer.carryOut(order)
            switch order {
            case .play(.alarm), .play(.reminder): unreported += 1
            case .probe: isProbed = true
            default: break
            }
        }
    }

    /// Writes the next samples, and closes the device after a long silence.
    private mutating func playNext() throws(SoundError) {
        guard isInputOpen, pause == 0 else { return }
        let current: ALSADevice
        if let device {
            current = device
        } else {
            current = try ALSADevice()
            (start, position) = (Timestamp.monotonicNow(), 0)
        }
        device = current
        quiet = mixer.isSilent ? quiet + Self.period : 0
        var samples: [Int16] = []
        mixer.render(Self.period, into: &samples)
        if try current.write(samples) { (start, position) = (Timestamp.monotonicNow(), 0) }
        position += samples.count
        for _ in 0..<unreported { Self.report("playing") }
        unreported = 0
        if quiet >= Self.linger {
            current.drain()
            device = nil
        }
    }

    private static func report(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
