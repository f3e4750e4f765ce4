import DBus
import EventLoops

/// Shows notifications on the user's desktop, each under a key: replaced when it changes, closed when it is removed.
///
/// It calls `org.freedesktop.Notifications` on the session bus (Desktop Notifications Specification 1.2) in the
/// background, so that no caller waits for the desktop. Without a session bus or the service, ``availability`` states
/// why, and it reconnects every 30 s while a notification is to be shown. A notification that the user closes stays
/// closed until it changes.
public actor DesktopNotifications {
    /// Whether a desktop shows the notifications.
    public enum Availability: Hashable, Sendable {
        /// No notification was to be shown so far.
        case untried
        /// The desktop with this name shows notifications.
        case available(desktop: String)
        /// No desktop shows notifications; `reason` is a phrase for the user.
        case unavailable(reason: String)
    }

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Whether notifications reach a desktop.
    public private(set) var availability = Availability.untried {
        didSet { if availability != oldValue { onChange(availability) } }
    }

    private let loop: EventLoop
    private let bus: BusAddress
    private let retryDelay: Duration
    private let connectLimit: Duration
    private let onChange: @Sendable (Availability) -> Void
    private var wanted: [String: DesktopNotification] = [:]
    private var shown: [String: Shown] = [:]
    /// The closed notifications.
    private var closed: [String: DesktopNotification] = [:]
    private var desktop: Desktop?
    private var work: Task<Void, Never>?
    private var retry: LoopTimer?
    /// The caller that waits for the end of the pending work.
    private var closing: CheckedContinuation<Void, Never>?

    private struct Shown {
        var number: UInt32
        var notification: DesktopNotification
    }

    /// Creates the object without connecting.
    ///
    /// - Parameters:
    ///   - bus: The bus of the desktop.
    ///   - loop: The loop that runs this actor.
    ///   - retryDelay: How long to wait after a failure.
    ///   - connectLimit: How long connecting to the bus may take.
    ///   - onChange: Called on the loop's thread whenever ``availability`` changes.
    public init(
        bus: BusAddress = .session, loop: EventLoop, retryDelay: Duration = .seconds(30),
        connectLimit: Duration = .seconds(10),
        onChange: @escaping @Sendable (Availability) -> Void = { _ in }
    ) {
        self.bus = bus
        self.loop = loop
        self.retryDelay = retryDelay
        self.connectLimit = connectLimit
        self.onChange = onChange
    }

    /// Shows a notification, which replaces the last one with the same key; `nil` removes it.
    public func set(_ notification: DesktopNotification?, for key: String) {
        wanted[key] = notification
        if notification == nil { closed[key] = nil }
        begin()
    }

    /// Closes all notifications and waits until that is done or has failed, or the limit has passed.
    ///
    /// - Parameter limit: How long to wait for a desktop that does not answer.
    public func close(within limit: Duration = .seconds(1)) async {
        wanted.removeAll()
        begin()
        if work != nil {
            let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.stopWaiting() } }
            await withCheckedContinuation { closing = $0 }
            loop.cancel(timer)
        }
        if let retry { loop.cancel(retry) }
        retry = nil
        await letGo()?.value
    }

    // MARK: Applying the difference

    private enum Step {
        case show(String, DesktopNotification)
        case close(String, UInt32)
    }

    private var nextStep: Step? {
        for (key, notification) in wanted
        where shown[key]?.notification != notification && closed[key] != notification {
            return .show(key, notification)
        }
        return shown.first { wanted[$0.key] == nil }.map { .close($0.key, $0.value.number) }
    }

    private func begin() {
        guard work == nil, retry == nil, nextStep != nil else { return }
        work = Task(executorPreference: loop) { await self.workOff() }
    }

    private func workOff() async {
        while let step = nextStep {
            do {
                try await perform(step)
            } catch {
                failed(error)
                break
            }
        }
        work = nil
        stopWaiting()
    }

    private func stopWaiting() {
        closing?.resume()
        closing = nil
    }

    private func perform(_ step: Step) async throws(DBusConnectionError) {
        let desktop = try await reachDesktop()
        switch step {
        case .show(let key, let notification):
            let number = try await desktop.show(notification, replacing: shown[key]?.number ?? 0)
            shown[key] = Shown(number: number, notification: notification)
            closed[key] = nil
        case .close(let key, let number):
            shown[key] = nil
            // The notification may be closed already, which some desktops report as an error; it is ignored.
            if case .disconnected = await desktop.close(number) { throw .disconnected }
        }
    }

    private func failed(_ failure: DBusConnectionError) {
        availability = .unavailable(reason: Self.phrase(for: failure))
        letGo()
        guard !wanted.isEmpty else { return }
        retry = loop.schedule(after: retryDelay) { [weak self] in
            self?.assumeIsolated {
                $0.retry = nil
                $0.begin()
            }
        }
    }

    /// Why there is no desktop, as a phrase for the user.
    static func phrase(for failure: DBusConnectionError) -> String {
        switch failure {
        case .cannotConnect where failure.isWithoutAnswer: "the session bus does not answer"
        case .cannotConnect: "there is no session bus here"
        case .disconnected: "the session bus is gone"
        case .timedOut: "the desktop does not answer"
        case .remote("org.freedesktop.DBus.Error.ServiceUnknown", _),
            .remote("org.freedesktop.DBus.Error.NameHasNoOwner", _):
            "no program here shows notifications"
        default: failure.description
        }
    }

    // MARK: The desktop

    private func reachDesktop() async throws(DBusConnectionError) -> Desktop {
        if let desktop { return desktop }
        let found = try await Desktop.reach(on: bus, within: connectLimit, loop: loop)
        desktop = found
        availability = .available(desktop: found.name)
        follow(found)
        return found
    }

    /// Forgets the desktop and its notifications, and disconnects from the bus.
    @discardableResult
    private func letGo() -> Task<Void, Never>? {
        shown.removeAll()
        defer { desktop = nil }
        return desktop.map { desktop in Task(executorPreference: loop) { await desktop.connection.close() } }
    }

    private func follow(_ desktop: Desktop) {
        Task(executorPreference: loop) { [weak self] in
            for await change in desktop.changes { await self?.handle(change, of: desktop) }
        }
    }

    private func handle(_ change: Desktop.Change, of desktop: Desktop) {
        guard self.desktop === desktop else { return }
        switch change {
        case .closed(let number):
            guard let key = shown.first(where: { $0.value.number == number })?.key else { return }
            closed[key] = shown.removeValue(forKey: key)?.notification
        case .gone:
            // Another desktop program, or the same one restarted: it does not have the former notifications.
            letGo()
            begin()
        }
    }
}
