import CSystem
import EventLoops
import Glibc
import LineSocket
import Speech
import Vitals

/// Has texts spoken by speech-dispatcher, and can lose it at any time.
///
/// It connects when there is something to say, and starts speech-dispatcher where it does not run, as its own library
/// does. Nothing here waits: what does not answer within two seconds is given up, and tried again while an alarm stands.
package actor SpeechClient {
    /// Whether anything is spoken.
    package enum State: Hashable, Sendable {
        /// Nothing was to be spoken yet.
        case untried
        /// The dispatcher accepts what is spoken.
        case working
        /// Nothing is spoken; the reason is a clause for the user.
        case unavailable(reason: String)
    }

    /// Runs this actor on its loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Whether anything is spoken.
    package private(set) var state = State.untried {
        didSet { if state != oldValue { onChange(state) } }
    }

    /// Whether it will try to connect by itself.
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
    /// Whether the connection was lost or refused since that alarm was to be spoken.
    private var hasMissedAlarm = false
    private var limit: LoopTimer?
    private var retry: LoopTimer?
    private var failures = 0
    /// The process that starts the dispatcher.
    private var starting: (number: pid_t, descriptor: Int32, watch: DescriptorWatch)?
    private var isClosed = false

    /// The command that starts a dispatcher unless its settings forbid that; empty where it is not installed.
    package static var usualStarter: [String] {
        ChildProcess.find("speech-dispatcher").map { [$0, "--spawn"] } ?? []
    }

    /// Creates a client that has no connection yet.
    ///
    /// - Parameters:
    ///   - path: The path of the dispatcher's socket; `nil` where that is unknown.
    ///   - starter: The command that starts a dispatcher; empty for none.
    ///   - loop: The loop on whose thread everything happens.
    ///   - replyLimit: How long a reply may take.
    ///   - startLimit: How long a dispatcher may take to start.
    ///   - onChange: Called on the loop's thread whenever ``state`` changes.
    ///   - onRepetition: Called on the loop's thread when the dispatcher is back, and nobody may have heard the alarms
    ///     that were to be spoken: speak them as they are now.
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

    /// Finds out whether there is a dispatcher.
    package func begin() { connect() }

    /// Carries out orders, in their order.
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
    }

    /// Ends the connection, and speaks nothing any more.
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

    /// - Parameter isStarted: Whether the dispatcher has just been started, and is not started again.
    private func connect(isStarted: Bool = false) {
        // While the dispatcher starts, its starter says when to connect.
        if isClosed || connection != nil || starting != nil && !isStarted { return }
        if let retry { loop.cancel(retry) }
        retry = nil
        guard let path else { return failed("the place of speech-dispatcher's socket is unknown") }
        do throws(LineSocketError) {
            // One that accepts no connection at once is tried later.
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

    /// Replies of SSIP are short; a server that sends more is none.
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
    /// - Returns: Whether that has begun.
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
