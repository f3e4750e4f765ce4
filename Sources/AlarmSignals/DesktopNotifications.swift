import DBus
import EventLoops

/// Shows notifications on the user's desktop, each under a key: replaced when it changes, closed when it is taken away.
///
/// It talks to `org.freedesktop.Notifications` on the session bus (Desktop Notifications Specification 1.2) in the
/// background: nobody waits for the desktop. Where there is no session bus or no such service, ``availability`` says
/// why, and it is tried again every half a minute while there is something to show. What the user closes stays closed
/// until it changes.
public actor DesktopNotifications {
    /// Whether a desktop shows what we tell it.
    public enum Availability: Hashable, Sendable {
        /// Nothing was to be shown so far.
        case untried
        /// The desktop, by its name, takes notifications.
        case available(desktop: String)
        /// There is none to take them; `reason` is a phrase for people.
        case unavailable(reason: String)
    }

    /// Runs this actor on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Whether notifications reach a desktop, as far as it is known.
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
    /// What the user closed, or what went by itself.
    private var closed: [String: DesktopNotification] = [:]
    private var desktop: Desktop?
    private var work: Task<Void, Never>?
    private var retry: LoopTimer?
    /// Who waits for the work to be done.
    private var closing: CheckedContinuation<Void, Never>?

    private struct Shown {
        var number: UInt32
        var notification: DesktopNotification
    }

    /// Makes it, without connecting to anything.
    ///
    /// - Parameters:
    ///   - bus: The bus that the desktop is on.
    ///   - loop: The loop on whose thread everything happens.
    ///   - retryDelay: How long to wait after a failure.
    ///   - connectLimit: How long the bus may take to let us in.
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

    /// Shows a notification in the place of the last one with the same key; `nil` takes it away.
    public func set(_ notification: DesktopNotification?, for key: String) {
        wanted[key] = notification
        if notification == nil { closed[key] = nil }
        begin()
    }

    /// Takes everything away and waits until that is done, or has failed, or the desktop has had its time.
    ///
    /// - Parameter limit: How long a desktop that does not answer holds the program up.
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

    // MARK: Working off the difference

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
            // It may have been closed a moment ago, which is an error for some desktops and none for us.
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

    /// Why there is no desktop, for people.
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

    /// Forgets the desktop and what it shows, and leaves the bus.
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
            // Another desktop program, or the same one anew: it knows nothing of what was shown.
            letGo()
            begin()
        }
    }
}
