import CDBus
import EventLoops

/// A signal with all its arguments read.
public struct DBusSignal: Hashable, Sendable {
    /// The unique name of its sender.
    public let sender: String
    /// The path of the object that emitted it.
    public let path: ObjectPath
    /// The interface that it belongs to.
    public let interface: String
    /// Its name.
    public let member: String
    public let arguments: [DBusValue]
    /// When it was taken from the bus.
    public let timestamp: Timestamp
}

/// A registered handler of signals, for ``DBusConnection/removeSignalHandler(_:)``.
public struct SignalSubscription: Hashable, Sendable {
    let identifier: UInt64
    let rule: String
}

/// A registered handler of signals.
struct SignalHandler {
    let subscription: SignalSubscription
    let filter: SignalFilter
    /// Handles a signal; returns whether the receiver still exists.
    let handle: (borrowing DBusMessageView) -> Bool
    let end: () -> Void
}

extension DBusConnection {
    /// Calls a handler with every signal that matches, without a hop and without decoding values.
    ///
    /// Signals and answers are delivered in the order of the bus: a caller that awaits an answer resumes before the
    /// later signals are handled. The handler ends with the receiver. The match is active on the bus when this returns,
    /// so a later call cannot overtake its signals.
    ///
    /// - Parameters:
    ///   - match: Which signals.
    ///   - receiver: An actor that runs on this connection's loop.
    ///   - handler: Called on the loop's thread, isolated to `receiver`.
    /// - Throws: ``DBusConnectionError``.
    @discardableResult
    public func handleSignals<Receiver: Actor>(
        matching match: SignalMatch, in receiver: Receiver,
        _ handler: @escaping @Sendable (isolated Receiver, borrowing DBusMessageView) -> Void
    ) async throws(DBusConnectionError) -> SignalSubscription {
        let handle = loop.handler(handler)
        let subscription = register(match) { [weak receiver] view in
            guard let receiver else { return false }
            handle(receiver, view)
            return true
        } end: {
        }
        try await addMatch(subscription)
        return subscription
    }

    public func removeSignalHandler(_ subscription: SignalSubscription) async throws(DBusConnectionError) {
        guard let index = signalHandlers.firstIndex(where: { $0.subscription == subscription }) else { return }
        signalHandlers.remove(at: index).end()
        try await callBus("RemoveMatch", [.string(subscription.rule)])
    }

    /// Every signal that matches, from now on, until the connection is lost or the reader stops.
    ///
    /// The match is active on the bus when this returns. Nothing is dropped: unread signals are buffered. For many
    /// signals ``handleSignals(matching:in:_:)`` costs much less.
    ///
    /// - Throws: ``DBusConnectionError``.
    public func signals(matching match: SignalMatch) async throws(DBusConnectionError) -> AsyncStream<DBusSignal> {
        let (stream, continuation) = AsyncStream<DBusSignal>.makeStream()
        let subscription = register(match) { view in
            var arguments = view.arguments()
            continuation.yield(
                DBusSignal(
                    sender: view.sender ?? "", path: ObjectPath(checked: view.path ?? "/"),
                    interface: view.interface ?? "",
                    member: view.member ?? "", arguments: arguments.readValues(), timestamp: view.timestamp))
            return true
        } end: {
            continuation.finish()
        }
        continuation.onTermination = { [weak self] reason in
            guard case .cancelled = reason else { return }
            guard let self else { return }
            Task(executorPreference: self.loop) { try? await self.removeSignalHandler(subscription) }
        }
        try await addMatch(subscription)
        return stream
    }

    /// Watches the serials of a peer's messages, to detect messages that it sent to others.
    ///
    /// - Parameter uniqueName: The peer; `nil` for none.
    public func followSerials(of uniqueName: String?) {
        transport.serials = uniqueName.map { SerialSequence(sender: $0) }
    }

    /// How many gaps the serials of the followed peer have had until now.
    public var serialGaps: Int { transport.serials?.gaps ?? 0 }

    private func register(
        _ match: SignalMatch, handle: @escaping (borrowing DBusMessageView) -> Bool, end: @escaping () -> Void
    ) -> SignalSubscription {
        lastHandlerIdentifier += 1
        let subscription = SignalSubscription(identifier: lastHandlerIdentifier, rule: match.rule)
        signalHandlers.append(
            SignalHandler(subscription: subscription, filter: SignalFilter(match), handle: handle, end: end))
        return subscription
    }

    private func addMatch(_ subscription: SignalSubscription) async throws(DBusConnectionError) {
        do {
            try await callBus("AddMatch", [.string(subscription.rule)])
        } catch {
            if let index = signalHandlers.firstIndex(where: { $0.subscription == subscription }) {
                signalHandlers.remove(at: index).end()
            }
            throw error
        }
    }

    /// Delivers a signal to the matching handlers, in the order of their registration.
    func deliver(signal message: OpaquePointer) {
        var timestamp: Timestamp?
        for handler in signalHandlers where handler.filter.matches(message) {
            // A handler may have closed the connection, after which no handler is called.
            if isDisconnected { return }
            let now = timestamp ?? .now()
            timestamp = now
            if handler.handle(DBusMessageView(message: message, timestamp: now, serialGaps: serialGaps)) { continue }
            let subscription = handler.subscription
            Task(executorPreference: loop) { try? await self.removeSignalHandler(subscription) }
        }
    }
}
