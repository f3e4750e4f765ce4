import EventLoops
import Glibc

/// A client of a broker, on one loop. It reconnects by itself and never blocks.
///
/// Messages are dropped while it is not connected, and unsent ones when the connection is lost: after connecting, the
/// owner sends its whole state again.
public actor MQTTClient {
    /// What a client reports.
    public enum Event: Sendable {
        /// The broker has accepted the client; the subscriptions are requested.
        case connected
        /// The broker has granted every subscription.
        case subscribed
        /// There is no connection; the client tries again later. Reported for each failed attempt.
        case disconnected(MQTTError)
        /// A message arrived.
        case received(ReceivedMessage)
        /// The broker does not grant a subscription.
        case subscriptionRefused(topic: String)
        /// The broker acknowledges a message.
        case delivered(topic: String)
        /// The broker refused a message.
        case publishRefused(topic: String)
    }

    /// The limit of messages that wait for the broker's acknowledgement.
    private static let unacknowledgedBound = 16

    private let loop: EventLoop
    private let options: @Sendable () throws(MQTTError) -> MQTTOptions
    private let report: @Sendable (Event) -> Void
    private var subscriptions: [String] = []
    private var schedule = ReconnectionSchedule()
    private var random = SystemRandomNumberGenerator()
    private var queue = OutgoingQueue()
    private var connection: MosquittoConnection?
    private var isAccepted = false
    private var watch: DescriptorWatch?
    private var isWatchedForWriting = false
    private var timer: LoopTimer?
    private var upkeep: LoopTimer?
    private var attempt = 0
    private var hangingAttempts = 0
    private var requests: [Int32: String] = [:]
    private var unacknowledged: [Int32: String] = [:]
    private var farewell: CheckedContinuation<Void, Never>?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a client that does nothing yet.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread everything happens but the opening of connections.
    ///   - options: Returns the options; called for each attempt, on a separate thread.
    ///   - report: Called on the loop's thread with each event.
    public init(
        on loop: EventLoop, options: @escaping @Sendable () throws(MQTTError) -> MQTTOptions,
        report: @escaping @Sendable (Event) -> Void
    ) {
        (self.loop, self.options, self.report) = (loop, options, report)
    }

    /// Whether the broker has accepted the client.
    public var isConnected: Bool { isAccepted }

    /// The number of messages that wait to be sent.
    public var waitingCount: Int { queue.count }

    /// Sets the topics to receive, with wildcards; call it before ``start()``.
    public func subscribe(to topics: [String]) {
        subscriptions = topics
    }

    /// Begins to connect.
    public func start() {
        guard schedule.phase == .stopped else { return }
        connect()
    }

    /// Sends messages as soon as the broker accepts them, the oldest first.
    public func publish(_ messages: [MQTTMessage]) {
        guard isAccepted else { return }
        for message in messages { queue.append(message) }
        flush()
    }

    /// Closes the connection and does not reconnect.
    ///
    /// - Parameters:
    ///   - last: Messages to send before.
    ///   - limit: How long that may take.
    public func stop(after last: [MQTTMessage] = [], within limit: Duration = .milliseconds(500)) async {
        schedule.stop()
        if isAccepted {
            publish(last)
            if !queue.isEmpty || !unacknowledged.isEmpty || connection?.wantsWrite == true {
                let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.endFarewell() } }
                // Quirk resumed-through-the-pool: unless the task prefers another executor.
                await withTaskExecutorPreference(loop) { await withCheckedContinuation { farewell = $0 } }
                loop.cancel(timer)
            }
            connection?.disconnect()
        }
        close()
    }

    private func endFarewell() {
        farewell?.resume()
        farewell = nil
    }

    // MARK: Connecting

    private func connect() {
        schedule.begin(now: Timestamp.monotonicNow())
        planTimer()
        // Quirk mosquitto-blocks: a thread that waits for a name or a host cannot be ended. It is left behind, but
        // there are never many.
        guard hangingAttempts < 4 else { return }
        attempt += 1
        hangingAttempts += 1
        let (thread, number, options) = (EventLoop(), attempt, options)
        thread.startThread(named: "connecting")
        Task(executorPreference: thread) {
            let outcome: Result<OpenedConnection, MQTTError>
            do throws(MQTTError) {
                outcome = .success(OpenedConnection(connection: try MosquittoConnection(try options())))
            } catch {
                outcome = .failure(error)
            }
            await self.opened(outcome, by: number)
            thread.stop()
        }
    }

    private func opened(_ outcome: Result<OpenedConnection, MQTTError>, by number: Int) {
        hangingAttempts -= 1
        guard case .connecting = schedule.phase, number == attempt, connection == nil else { return }
        switch outcome {
        case .failure(let error): fail(error)
        case .success(let opened):
            connection = opened.connection
            let descriptor = opened.connection.descriptor
            isWatchedForWriting = false
            watch = loop.watch(descriptor, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.handle(readiness) }
            }
            followWrites()
        }
    }

    private func planTimer() {
        if let timer { loop.cancel(timer) }
        timer = schedule.due.map { due in
            loop.schedule(at: due) { [weak self] in self?.assumeIsolated { $0.timeCame() } }
        }
    }

    private func timeCame() {
        timer = nil
        switch schedule.phase {
        case .waiting: connect()
        case .connecting: fail(MQTTError(.unreachable, "the broker does not answer"))
        case .connected, .stopped: break
        }
    }

    private func fail(_ error: MQTTError) {
        close()
        schedule.failed(now: Timestamp.monotonicNow(), using: &random)
        planTimer()
        if schedule.phase != .stopped { report(.disconnected(error)) }
    }

    private func close() {
        if let watch { loop.unwatch(watch) }
        if let upkeep { loop.cancel(upkeep) }
        if let timer { loop.cancel(timer) }
        (watch, upkeep, timer) = (nil, nil, nil)
        connection = nil
        isAccepted = false
        queue.removeAll()
        (requests, unacknowledged) = ([:], [:])
        endFarewell()
    }

    // MARK: Driving

    private func handle(_ readiness: Readiness) {
        guard let connection else { return }
        // Quirk mosquitto-handshake: the library does not notice when the other side closes the connection during the
        // handshake, and would be called again and again.
        if !isAccepted, let error = Self.closure(of: connection.descriptor) { return fail(error) }
        var error: MQTTError?
        if !readiness.isDisjoint(with: [.readable, .hangUp, .failed]) { error = connection.read() }
        if error == nil, readiness.contains(.writable) { error = connection.write() }
        settle(error)
    }

    /// Handles the result of a library call, and sends waiting messages.
    private func settle(_ error: MQTTError?) {
        guard let connection else { return }
        var error = error
        for event in connection.takeEvents() {
            if let failure = handle(event, connection) { error = failure }
            guard self.connection === connection else { return }
        }
        if let error { return fail(error) }
        if connection.descriptor < 0 { return fail(MQTTError(.lost, "the broker ended the connection")) }
        flush()
    }

    private func handle(_ event: MosquittoConnection.Event, _ connection: MosquittoConnection) -> MQTTError? {
        switch event {
        case .answered(0): return accept(connection)
        case .answered(let code): return connection.refusal(code)
        case .ended: return MQTTError(.lost, "the broker ended the connection")
        case .received(let message): report(.received(message))
        case .acknowledged(let number, let code):
            if let topic = unacknowledged.removeValue(forKey: number) {
                report(code < 128 ? .delivered(topic: topic) : .publishRefused(topic: topic))
            }
        case .subscribed(let request, let isGranted):
            guard let topic = requests.removeValue(forKey: request) else { break }
            if !isGranted { report(.subscriptionRefused(topic: topic)) }
            if requests.isEmpty { report(.subscribed) }
        }
        return nil
    }

    private func accept(_ connection: MosquittoConnection) -> MQTTError? {
        isAccepted = true
        schedule.connected(now: Timestamp.monotonicNow())
        planTimer()
        planUpkeep()
        do throws(MQTTError) {
            for topic in subscriptions { requests[try connection.subscribe(topic)] = topic }
        } catch {
            return error
        }
        report(.connected)
        return nil
    }

    private func planUpkeep() {
        upkeep = loop.schedule(after: .seconds(1), tolerance: .milliseconds(500)) { [weak self] in
            self?.assumeIsolated { client in
                client.upkeep = nil
                guard let connection = client.connection else { return }
                client.planUpkeep()
                client.settle(connection.maintain())
            }
        }
    }

    /// Sends waiting messages until the descriptor would block.
    private func flush() {
        guard let connection else { return }
        let isCorked = queue.count > 1
        if isCorked { connection.setCorked(true) }
        defer { if isCorked { connection.setCorked(false) } }
        do throws(MQTTError) {
            while isAccepted, !connection.wantsWrite {
                let mayAwaitAnother = unacknowledged.count < Self.unacknowledgedBound
                guard let message = queue.next(acknowledgeable: mayAwaitAnother) else { break }
                let number = try connection.publish(message)
                if message.quality == .atLeastOnce { unacknowledged[number] = message.topic }
            }
        } catch {
            return fail(error)
        }
        // The events of messages that need no acknowledgement.
        for event in connection.takeEvents() {
            if let error = handle(event, connection) { return fail(error) }
        }
        followWrites()
        if queue.isEmpty, unacknowledged.isEmpty, !connection.wantsWrite { endFarewell() }
    }

    private func followWrites() {
        guard let connection, let watch, connection.wantsWrite != isWatchedForWriting else { return }
        isWatchedForWriting.toggle()
        loop.setInterest(isWatchedForWriting ? [.readable, .writable] : .readable, of: watch)
    }

    /// The error of a connection that the other side has closed; `nil` while it is open.
    private static func closure(of descriptor: Int32) -> MQTTError? {
        var byte: UInt8 = 0
        let count = Glibc.recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR) { return nil }
        let reason = count < 0 ? " (\(String(cString: strerror(errno))))" : ""
        return MQTTError(.unreachable, "the broker ended the connection before it let Bedside in\(reason)")
    }
}

/// A connection that is handed to the loop; its opener no longer uses it.
private struct OpenedConnection: @unchecked Sendable {
    let connection: MosquittoConnection
}

/// The messages that wait to be sent, within bounds.
///
/// A new message replaces a waiting one of its topic, because the newest value counts and an alarm's message is its
/// complete state. A full queue drops the oldest message with `atMostOnce`, else the oldest.
struct OutgoingQueue {
    private var waiting: [MQTTMessage] = []
    private var bytes = 0

    /// The number of messages that were dropped because the queue was full.
    private(set) var dropped = 0

    /// The largest number of messages and of payload bytes.
    static let bounds = (messages: 256, bytes: 2 << 20)

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func append(_ message: MQTTMessage) {
        if let index = waiting.firstIndex(where: { $0.topic == message.topic }) { remove(at: index) }
        waiting.append(message)
        bytes += message.payload.count
        while waiting.count > 1, waiting.count > Self.bounds.messages || bytes > Self.bounds.bytes {
            remove(at: waiting.firstIndex { $0.quality == .atMostOnce } ?? waiting.startIndex)
            dropped += 1
        }
    }

    /// Removes the oldest message that may be sent.
    ///
    /// - Parameter acknowledgeable: Whether messages that the broker must acknowledge may be sent.
    mutating func next(acknowledgeable: Bool) -> MQTTMessage? {
        guard let index = waiting.firstIndex(where: { acknowledgeable || $0.quality == .atMostOnce }) else {
            return nil
        }
        return remove(at: index)
    }

    /// Removes everything.
    mutating func removeAll() {
        waiting.removeAll()
        bytes = 0
    }

    @discardableResult
    private mutating func remove(at index: Int) -> MQTTMessage {
        bytes -= waiting[index].payload.count
        return waiting.remove(at: index)
    }
}
