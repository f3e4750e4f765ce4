import DBus
import EventLoops

extension BluetoothCentral {
    /// Looks for peripherals, and gives a list of those that are nearby whenever it changes.
    ///
    /// A peripheral goes from the list when it was not heard for `staleAfter`, and when the daemon removes it. A connected
    /// one stays. One that no longer meets the criteria, such as the strength, is not heard from then on. Peripherals that
    /// are only remembered by BlueZ are omitted.
    ///
    /// A discovery runs as with ``peripherals(matching:)``. Every advertisement changes the list; a reader that lags behind
    /// gets the newest list, with everything that was found and lost since its last one.
    ///
    /// ```swift
    /// for await nearby in await central.nearby(matching: criteria) {
    ///     for peripheral in nearby.lost { print("\(peripheral.address) has gone") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - criteria: What to look for.
    ///   - staleAfter: How long a peripheral stays without being heard. The daemon itself removes one after 30 s, unless
    ///     it is paired.
    /// - Returns: The lists, beginning with that of the call, which may be empty.
    public func nearby(
        matching criteria: DiscoveryCriteria, staleAfter: Duration = .seconds(30)
    ) -> NearbySequence {
        var list = NearbyList(criteria, staleAfter: staleAfter)
        let now = Timestamp.now()
        for kind in tree.announcements() { _ = list.handle(kind, at: now) }
        let first = list.takeSnapshot()
        let (watch, search, events) = (NearbyWatch(list, on: loop), search(), events())
        let following = Task(executorPreference: loop) { await watch.follow(events, search) }
        return NearbySequence(
            first: first, changes: watch.changes.subscribe(), watch: watch,
            lease: NotificationLease { following.cancel() })
    }
}

/// The lists of peripherals nearby (``BluetoothCentral/nearby(matching:staleAfter:)``), to be iterated once.
public struct NearbySequence: AsyncSequence, Sendable {
    /// The list at the beginning.
    let first: NearbyPeripherals?
    let changes: BroadcastSequence<Void>
    let watch: NearbyWatch
    let lease: NotificationLease

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(first: first, changes: changes.makeAsyncIterator(), watch: watch, lease: lease)
    }

    /// Gives one list after another.
    public struct Iterator: AsyncIteratorProtocol {
        var first: NearbyPeripherals?
        var changes: BroadcastSequence<Void>.Iterator
        let watch: NearbyWatch
        let lease: NotificationLease

        /// The newest list, as soon as it differs from the one before; `nil` when the task is cancelled or BlueZ is
        /// stopped.
        public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> NearbyPeripherals? {
            if let first {
                self.first = nil
                return first
            }
            while await changes.next(isolation: isolation) != nil {
                if let snapshot = await watch.takeSnapshot() { return snapshot }
            }
            return nil
        }
    }
}

/// Keeps a ``NearbyList`` by the events of the central and by time.
actor NearbyWatch {
    nonisolated let loop: EventLoop
    /// Runs on the loop of BlueZ, so that no hop lies between the two.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Reports that the list has changed; of several unread reports one stays.
    nonisolated let changes = Broadcast<Void>(supersessionKey: { _ in 0 })
    private var list: NearbyList
    private var timer: (due: Int64, timer: LoopTimer)?

    init(_ list: NearbyList, on loop: EventLoop) {
        self.list = list
        self.loop = loop
    }

    /// Follows the events until they end or the task is cancelled.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - search: Ends with this call.
    func follow(_ events: BroadcastSequence<BlueZEvent>, _ search: PeripheralSearch) async {
        followTimer()
        for await event in events {
            if case .adapter(.added, _) = event.kind { await search.resume() }
            if list.handle(event.kind, at: event.timestamp) { changes.send(()) }
            followTimer()
        }
        if let timer { loop.cancel(timer.timer) }
        timer = nil
        changes.finish()
    }

    private func followTimer() {
        guard timer?.due != list.due else { return }
        if let timer { loop.cancel(timer.timer) }
        timer = list.due.map { due in
            let timer = loop.schedule(at: due) { [weak self] in self?.assumeIsolated { $0.prune() } }
            return (due, timer)
        }
    }

    private func prune() {
        timer = nil
        if list.prune(at: Timestamp.monotonicNow()) { changes.send(()) }
        followTimer()
    }

    func takeSnapshot() -> NearbyPeripherals? { list.takeSnapshot() }
}
