import CDBus
import EventLoops

/// A signal with all its arguments read.
public struct DBusSignal: Hashable, Sendable {
    /// The unique name of who sent it.
    public let sender: String
    /// The object that it comes from.
    public let path: ObjectPath
    /// The interface that it belongs to.
    public let interface: String
    /// Its name.
    public let member: String
    /// What it carries.
    public let arguments: [DBusValue]
    /// When it was taken from the bus.
    public let timestamp: Timestamp
}

/// A registered handler of signals, for ``DBusConnection/removeSignalHandler(_:)``.
public struct SignalSubscription: Hashable, Sendable {
    let identifier: UInt64
    let rule: String
}

/// Who wants which signals.
struct SignalHandler {
    let subscription: SignalSubscription
    let filter: SignalFilter
    /// Takes a signal; answers whether anybody is still there to take more.
    let handle: (borrowing DBusMessageView) -> Bool
    let end: () -> Void
}

extension DBusConnection {
    /// Calls a handler with every signal that matches, without a hop and without making values.
    ///
    /// Signals and answers are handed out in the order of the bus: whoever awaits an answer goes on before the signals
    /// that followed it are handled. The handler ends by itself when the receiver does.
    /// The match is in force on the bus when this returns, so a call that is made afterwards cannot outrun its signals.
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
        let subscription = register(match) { [weak receiver, loop] view in
            guard let receiver else { return false }
            let lent = DBusMessageView(
                message: view.message, timestamp: view.timestamp, serialGaps: view.serialGaps)
            loop.assumeIsolated(to: receiver) { handler($0, lent) }
            return true
        } end: {
        }
        try await addMatch(subscription)
        return subscription
    }

    /// Ends what ``handleSignals(matching:in:_:)`` began.
    public func removeSignalHandler(_ subscription: SignalSubscription) async throws(DBusConnectionError) {
        guard let index = signalHandlers.firstIndex(where: { $0.subscription == subscription }) else { return }
        signalHandlers.remove(at: index).end()
        try await callBus("RemoveMatch", [.string(subscription.rule)])
    }

    /// Every signal that matches, from now on, until the connection is lost or the reader stops.
    ///
    /// The match is in force on the bus when this returns. Nothing is dropped: what is not read yet waits. For many
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

    /// Watches the numbers of a peer's messages, to notice when it has sent something to somebody else.
    ///
    /// - Parameter uniqueName: The peer; `nil` for none.
    public func followSerials(of uniqueName: String?) {
        transport.serials = uniqueName.map { SerialSequence(sender: $0) }
    }

    /// How many times the followed peer has sent something past us until now.
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

    /// Hands a signal to everybody who wants it, in the order in which they asked.
    func deliver(signal message: OpaquePointer) {
        var timestamp: Timestamp?
        for handler in signalHandlers where handler.filter.matches(message) {
            // A handler may have closed the connection, after which nobody is called any more.
            if isDisconnected { return }
            let now = timestamp ?? .now()
            timestamp = now
            if handler.handle(DBusMessageView(message: message, timestamp: now, serialGaps: serialGaps)) { continue }
            let subscription = handler.subscription
            Task(executorPreference: loop) { try? await self.removeSignalHandler(subscription) }
        }
    }
}
