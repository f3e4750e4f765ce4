import CSystem
import EventLoops
import Glibc
import Sounds

/// Plays sounds in a separate process, which it starts, supervises and can lose.
///
/// A sound system can hang in any call: that affects only that process, which is then killed and restarted.
/// Nothing here blocks. During an alarm, a lost process is back within two seconds, and begins with the alarm's burst.
package actor Speaker {
    /// Whether anything sounds.
    package enum State: Hashable, Sendable {
        /// The process has not answered yet.
        case untried
        /// Sounds are audible, according to the sound system.
        case working
        /// No sound was possible so far; the reason is a phrase for the user: "no sound card".
        case unavailable(reason: String)
        /// Sound worked before, and does not now.
        case lost(reason: String)
    }

    /// Runs this actor on its loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Whether anything sounds.
    package private(set) var state = State.untried {
        didSet {
            if state == .working {
                delays.worked()
                cards?.stop()
                cards = nil
            }
            if state != oldValue { onChange(state) }
        }
    }
    /// The number of the process; `nil` while there is none.
    package var processNumber: pid_t? { process?.number }

    /// Where Linux shows its sound cards.
    package static let cardFolder = "/dev/snd"

    private let loop: EventLoop
    private let command: [String]
    private let cardFolder: String
    private let mayHaveSound: @Sendable () -> Bool
    /// Reports a new card, while no sound is possible.
    private var cards: FolderWatch?
    private var haveCardsCome = false
    private let onChange: @Sendable (State) -> Void
    private let onProof: @Sendable () -> Void
    private var volume: SoundVolume
    /// The alarm whose burst was ordered last, until it is silenced.
    private var alarm: AlarmSound?
    private var process: Running?
    private var retry: LoopTimer?
    private var delays = SpeakerRetry()
    private var isClosed = false

    private struct Running {
        var number: pid_t
        var descriptor, orders, reports: Int32
        var watches: [DescriptorWatch]
        var received: [UInt8] = []
        var isReady = false
        /// Fires when an answer is late.
        var limit: LoopTimer?
        /// The reason for its end, if known.
        var reason: String?
    }

    /// The reason where there is no sound card and no other sign of sound.
    static let noCard = "no sound card"
    /// How long the process may take to be ready, even if the sound server is just starting.
    private static let startLimit = Duration.seconds(4)
    /// How long a sound may take to begin.
    private static let playLimit = Duration.seconds(1)

    /// Creates a speaker that has not started its process yet.
    ///
    /// - Parameters:
    ///   - command: The program that sounds, with its arguments; by default this program.
    ///   - loop: The loop on whose thread everything happens.
    ///   - volume: How loud.
    ///   - cardFolder: Where the system shows its sound cards.
    ///   - mayHaveSound: Whether there may be any sound system, so that starting the process makes sense; by default what
    ///     ``SoundEvidence`` says.
    ///   - onProof: Called on the loop's thread whenever a probe was answered: a sound could be played now.
    ///   - onChange: Called on the loop's thread whenever ``state`` changes.
    package init(
        command: [String] = ["/proc/self/exe", SpeakerProcess.command], loop: EventLoop,
        volume: SoundVolume = SoundVolume(), cardFolder: String = cardFolder,
        mayHaveSound: (@Sendable () -> Bool)? = nil, onProof: @escaping @Sendable () -> Void = {},
        onChange: @escaping @Sendable (State) -> Void
    ) {
        (self.command, self.loop, self.volume, self.onChange) = (command, loop, volume, onChange)
        self.onProof = onProof
        self.cardFolder = cardFolder
        self.mayHaveSound = mayHaveSound ?? { SoundEvidence(cardFolder: cardFolder).mayHaveSound }
    }

    /// Starts the process.
    package func begin() { start() }

    /// Carries out orders in sequence.
    package func carryOut(_ orders: [SoundOrder]) {
        let wasQuiet = alarm == nil
        for order in orders {
            switch order {
            case .play(.alarm(let alarm)): self.alarm = alarm
            case .stop: alarm = nil
            case .volume(let volume): self.volume = volume
            case .play, .playLater, .stopPulse, .probe: break
            }
            if process?.isReady ?? false { send(order) }
        }
        // An alarm does not wait for the next planned attempt.
        if wasQuiet, alarm != nil { start() }
    }

    /// Ends the process permanently.
    package func close() {
        isClosed = true
        cards?.stop()
        cards = nil
        if let retry { loop.cancel(retry) }
        retry = nil
        guard let process else { return }
        kill(process.number, SIGKILL)
    }

    // MARK: The process

    private func start() {
        if isClosed || process != nil { return }
        if let retry { loop.cancel(retry) }
        retry = nil
        guard mayHaveSound() else { return failed(Self.noCard) }
        var (orders, reports): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard csystem_pipe(&orders) == 0 else { return failed("no descriptor is left") }
        guard csystem_pipe(&reports) == 0 else {
            Glibc.close(orders[0])
            Glibc.close(orders[1])
            return failed("no descriptor is left")
        }
        defer {
            Glibc.close(orders[0])
            Glibc.close(reports[1])
        }
        for descriptor in [orders[1], reports[0]] { _ = csystem_set_nonblocking(descriptor) }
        let number: pid_t
        do throws(SystemError) {
            number = try ChildProcess.start(command, input: .descriptor(orders[0]), output: .descriptor(reports[1]))
        } catch {
            Glibc.close(orders[1])
            Glibc.close(reports[0])
            return failed("the process that sounds could not be started: \(error)")
        }
        let descriptor = pidfd_open(number, 0)
        guard descriptor >= 0 else {
            ChildProcess.end(number)
            Glibc.close(orders[1])
            Glibc.close(reports[0])
            return failed("no descriptor is left")
        }
        // Strong references: the process must be reaped even where the owner releases this object.
        let watches = [
            loop.watch(descriptor, for: .readable) { _ in self.assumeIsolated { $0.ended() } },
            loop.watch(reports[0], for: .readable) { _ in self.assumeIsolated { $0.readReports() } },
        ]
        process = Running(
            number: number, descriptor: descriptor, orders: orders[1], reports: reports[0], watches: watches)
        limit(Self.startLimit)
    }

    private func send(_ order: SoundOrder) {
        guard let process else { return }
        let bytes = Array("\(order.text)\n".utf8)
        let count = bytes.withUnsafeBytes { write(process.orders, $0.baseAddress, $0.count) }
        guard count == bytes.count else { return give(up: "the sound system does not answer") }
        switch order {
        case .play(.alarm), .play(.reminder), .probe: if process.limit == nil { limit(Self.playLimit) }
        default: break
        }
    }

    /// Kills the process unless it answers within a limit.
    private func limit(_ duration: Duration) {
        process?.limit = loop.schedule(after: duration) { [weak self] in
            self?.assumeIsolated { $0.give(up: "the sound system does not answer") }
        }
    }

    private func give(up reason: String) {
        guard let process else { return }
        self.process?.reason = reason
        kill(process.number, SIGKILL)
    }

    private func answered() {
        if let limit = process?.limit { loop.cancel(limit) }
        process?.limit = nil
    }

    private func readReports() {
        guard let process else { return }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = buffer.withUnsafeMutableBytes { read(process.reports, $0.baseAddress, $0.count) }
        if count == 0, process.watches.count > 1 {
            loop.unwatch(process.watches[1])
            self.process?.watches.removeLast()
        }
        guard count > 0 else { return }
        self.process?.received += buffer[..<count]
        while let received = self.process?.received, let end = received.firstIndex(of: UInt8(ascii: "\n")) {
            self.process?.received.removeSubrange(...end)
            handle(String(decoding: received[..<end], as: UTF8.self))
        }
    }

    private func handle(_ report: String) {
        let unavailable = "unavailable "
        if report == "ready" {
            answered()
            process?.isReady = true
            send(.volume(volume))
            // An alarm that sounds now is played at once, not only at its next burst.
            if let alarm {
                send(.play(.alarm(alarm)))
            } else {
                state = .working
            }
        } else if report == "playing" || report == "able" {
            answered()
            state = .working
            if report == "able" { onProof() }
        } else if report.hasPrefix(unavailable) {
            process?.reason = String(report.dropFirst(unavailable.count).prefix(80))
        }
    }

    private func ended() {
        guard let process else { return }
        readReports()
        guard waitpid(process.number, nil, WNOHANG) == process.number else { return }
        answered()
        let reason = self.process?.reason ?? "the process that sounds has ended"
        for watch in self.process?.watches ?? [] { loop.unwatch(watch) }
        for descriptor in [process.descriptor, process.orders, process.reports] { Glibc.close(descriptor) }
        self.process = nil
        failed(reason)
    }

    private func failed(_ reason: String) {
        if isClosed { return }
        state = delays.hasWorked ? .lost(reason: reason) : .unavailable(reason: reason)
        watchCards()
        let delay = delays.failed(whileSounding: alarm != nil)
        planStart(after: haveCardsCome ? min(delay, Self.cardDelay) : delay)
        haveCardsCome = false
    }

    private func planStart(after delay: Duration) {
        if let retry { loop.cancel(retry) }
        retry = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { $0.start() }
        }
    }

    /// How long the device files of a new card may take to appear.
    private static let cardDelay = Duration.seconds(1)

    /// Watches for a new card, so that it is used at once and not only at the next attempt.
    private func watchCards() {
        if cards != nil { return }
        cards = FolderWatch(cardFolder, on: loop) { [weak self] in
            self?.assumeIsolated { speaker in
                if speaker.process == nil {
                    speaker.planStart(after: Self.cardDelay)
                } else {
                    speaker.haveCardsCome = true
                }
            }
        }
    }
}

/// The delay before the process is restarted: short during an alarm, increasing otherwise.
struct SpeakerRetry: Hashable, Sendable {
    /// Whether anything could be heard before.
    private(set) var hasWorked = false
    /// The number of processes that have ended since the last working one.
    private var failures = 0

    /// The longest delays: during an alarm if sound worked before, during an alarm otherwise, and without an alarm.
    private static let longest = (
        soundingAgain: Duration.seconds(1), sounding: Duration.seconds(10), quiet: Duration.seconds(60)
    )

    /// A process works.
    mutating func worked() { (hasWorked, failures) = (true, 0) }

    /// Records that a process has ended, or could not be started.
    ///
    /// - Parameter isSounding: Whether an alarm sounds.
    /// - Returns: The delay before the next one is started.
    mutating func failed(whileSounding isSounding: Bool) -> Duration {
        let first = isSounding ? Duration.milliseconds(100) : .seconds(1)
        let longest = !isSounding ? Self.longest.quiet : hasWorked ? Self.longest.soundingAgain : Self.longest.sounding
        let delay = min(longest, first * (1 << failures))
        failures = min(failures + 1, 10)
        return delay
    }
}
