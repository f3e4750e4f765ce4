import CSystem
import EventLoops
import Glibc
import LineSocket
import Speech
import UserFiles
import Vitals

/// Sends texts to speech-dispatcher, and can lose it at any time.
///
/// It connects when there is a text to speak, and starts speech-dispatcher if it does not run, as the dispatcher's own
/// library does. It never blocks: it gives up a dispatcher that does not answer within two seconds, and tries again
/// while an alarm is unanswered.
package actor SpeechClient {
    /// Whether anything is spoken.
    package enum State: Hashable, Sendable {
        /// No text was to be spoken so far.
        case untried
        /// The dispatcher accepts texts.
        case working
        /// The dispatcher cannot be used; the reason is a clause for the user.
        case unavailable(reason: String)
    }

    /// Runs this actor on its loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Whether anything is spoken.
    package private(set) var state = State.untried {
        didSet { if state != oldValue { onChange(state) } }
    }

    /// Whether another attempt to connect is planned.
    var isRetrying: Bool { retry != nil }

    private let path: String?
    private let starter: [String]
    private let loop: EventLoop
    private let onChange: @Sendable (State) -> Void
    private let onRepetition: @Sendable () -> Void
    private let replyLimit, startLimit: Duration
    private var conversation = SpeechConversation()
    private var connection: LineSocketConnection?
    /// Whether an alarm was to be spoken and is not silenced.
    private var isAlarmStanding = false
    /// Whether the connection was lost or refused after that alarm was to be spoken.
    private var hasMissedAlarm = false
    private var limit: LoopTimer?
    private var retry: LoopTimer?
    private var failures = 0
    /// The process that starts the dispatcher.
    private var starting: (number: pid_t, descriptor: Int32, watch: DescriptorWatch)?
    private var isClosed = false

    /// The command that starts a dispatcher unless its settings forbid that; empty if it is not installed.
    package static var usualStarter: [String] {
        ChildProcess.find("speech-dispatcher").map { [$0, "--spawn"] } ?? []
    }

    /// Creates a client without a connection.
    ///
    /// - Parameters:
    ///   - path: The path of the dispatcher's socket; `nil` if unknown.
    ///   - starter: The command that starts a dispatcher; empty for none.
    ///   - loop: The loop that runs this actor.
    ///   - replyLimit: How long a reply may take.
    ///   - startLimit: How long a dispatcher may take to start.
    ///   - onChange: Called on the loop's thread whenever ``state`` changes.
    ///   - onRepetition: Called on the loop's thread when the dispatcher is back after alarms may have been missed:
    ///     speak the present alarms.
    package init(
        path: String? = SpeechSocket.current, starter: [String] = usualStarter, loop: EventLoop,
        replyLimit: Duration = .seconds(2), startLimit: Duration = .seconds(5),
        onChange: @escaping @Sendable (State) -> Void,
        onRepetition: @escaping @Sendable () -> Void
    ) {
        (self.path, self.starter, self.loop) = (path, starter, loop)
        (self.replyLimit, self.startLimit) = (replyLimit, startLimit)
        (self.onChange, self.onRepetition) = (onChange, onRepetition)
    }

    /// Connects to the dispatcher, to determine whether there is one.
    package func begin() { connect() }

    /// Carries out orders in sequence.
    package func carryOut(_ orders: [SpeechOrder]) {
        for order in orders {
            switch order {
            case .speak(let utterance):
                if utterance.reason != .answer { isAlarmStanding = true }
                conversation.speak(utterance, at: now)
            case .silenceAlarms:
                (isAlarmStanding, hasMissedAlarm) = (false, false)
                conversation.silenceAlarms()
            }
        }
        if connection == nil { connect() } else { sendNext() }
        // A dispatcher may take longer to start than a text may wait: the alarms of then are spoken.
        if connection == nil, isAlarmStanding { hasMissedAlarm = true }
    }

    /// Ends the connection permanently.
    package func close() {
        isClosed = true
        endLimit()
        if let retry { loop.cancel(retry) }
        retry = nil
        connection?.close()
        connection = nil
    }

    private var now: MonotonicTime { MonotonicTime(nanoseconds: Timestamp.monotonicNow()) }

    // MARK: The connection

    /// Connects to the dispatcher, and starts it if necessary.
    ///
    /// - Parameter isStarted: Whether the dispatcher has just been started, and is not started again.
    private func connect(isStarted: Bool = false) {
        // While the dispatcher starts, the process that starts it decides when to connect.
        if isClosed || connection != nil || starting != nil && !isStarted { return }
        if let retry { loop.cancel(retry) }
        retry = nil
        guard let path else { return failed("the place of speech-dispatcher's socket is unknown") }
        do throws(LineSocketError) {
            // If it accepts no connection at once, the client tries again later.
            let client = try LineSocketClient(path: path, within: .zero)
            let limits = LineSocketLimits(longestLine: Self.longestLine)
            // Strong references: a connection must end on the loop's thread even where the owner releases this object.
            let connection = client.attach(to: loop, limits: limits) { _, line in
                self.assumeIsolated { $0.receive(line) }
            }
            connection.closed = { _ in
                self.assumeIsolated { $0.lost("speech-dispatcher has ended the connection") }
            }
            self.connection = connection
        } catch {
            switch error {
            case .noListener:
                if !isStarted, startDispatcher() { return }
                return failed("speech-dispatcher does not run")
            case .tooSlow: return failed("speech-dispatcher does not answer")
            case .stranger: return failed("speech-dispatcher's socket belongs to another user")
            default: return failed("speech-dispatcher's socket cannot be reached")
            }
        }
        conversation.connected()
        sendNext()
    }

    /// Replies of SSIP are short; a server that sends a longer line is no speech dispatcher.
    private static let longestLine = 4096
    /// The longest wait for the next attempt, in milliseconds.
    private static let longestDelay = 10_000

    private func receive(_ line: [UInt8]) {
        do throws(SpeechError) {
            try conversation.receive(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        } catch {
            return lost("what answers at speech-dispatcher's socket is no speech-dispatcher")
        }
        if conversation.isAwaitingReply { return }
        endLimit()
        failures = 0
        state = .working
        if hasMissedAlarm, !conversation.isAlarmWaiting(at: now) { onRepetition() }
        hasMissedAlarm = false
        sendNext()
    }

    private func sendNext() {
        guard let connection, let bytes = conversation.nextBytes(at: now) else { return }
        limit = loop.schedule(after: replyLimit) { [weak self] in
            self?.assumeIsolated { $0.lost("speech-dispatcher does not answer") }
        }
        connection.send(bytes)
    }

    private func endLimit() {
        if let limit { loop.cancel(limit) }
        limit = nil
    }

    private func lost(_ reason: String) {
        endLimit()
        connection?.close()
        connection = nil
        failed(reason)
    }

    private func failed(_ reason: String) {
        if isClosed { return }
        if isAlarmStanding { hasMissedAlarm = true }
        state = .unavailable(reason: reason)
        guard isAlarmStanding || conversation.isSpeechWaiting(at: now) else { return }
        failures = min(failures + 1, 8)
        retry = loop.schedule(after: .milliseconds(min(Self.longestDelay, 100 << failures))) { [weak self] in
            self?.assumeIsolated { $0.connect() }
        }
    }

    // MARK: The dispatcher

    /// Starts a dispatcher, and connects when it listens.
    ///
    /// - Returns: Whether it was started.
    private func startDispatcher() -> Bool {
        guard starting == nil, !starter.isEmpty, let number = try? ChildProcess.start(starter) else { return false }
        let descriptor = pidfd_open(number, 0)
        guard descriptor >= 0 else {
            ChildProcess.end(number)
            return false
        }
        // A strong reference: the process must be reaped even where the owner releases this object.
        let watch = loop.watch(descriptor, for: .readable) { _ in self.assumeIsolated { $0.starterEnded() } }
        starting = (number, descriptor, watch)
        retry = loop.schedule(after: startLimit) { [weak self] in
            self?.assumeIsolated { $0.connect(isStarted: true) }
        }
        return true
    }

    private func starterEnded() {
        guard let starting, waitpid(starting.number, nil, WNOHANG) == starting.number else { return }
        loop.unwatch(starting.watch)
        Glibc.close(starting.descriptor)
        self.starting = nil
        connect(isStarted: true)
    }
}

/// The socket of speech-dispatcher.
package enum SpeechSocket {
    /// The path of its socket; `nil` if it is unknown or another kind of socket is configured.
    ///
    /// Source: the manual of speech-dispatcher 0.11, and its library for clients.
    ///
    /// - Parameter environment: The value of an environment variable.
    package static func path(environment: (String) -> String?) -> String? {
        func folder(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if let address = environment("SPEECHD_ADDRESS"), !address.isEmpty {
            let scheme = "unix_socket:"
            return address.hasPrefix(scheme + "/") ? String(address.dropFirst(scheme.count)) : nil
        }
        let parent = folder("XDG_RUNTIME_DIR") ?? folder("XDG_CACHE_HOME") ?? folder("HOME").map { "\($0)/.cache" }
        return parent.map { "\($0)/speech-dispatcher/speechd.sock" }
    }

    /// The path for this process.
    package static var current: String? { path(environment: Environment.value) }
}
