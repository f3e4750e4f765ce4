import DBus
import EventLoops

/// A peripheral that an advertisement monitor has found or lost.
public enum MonitoredPeripheral: Hashable, Sendable {
    /// Its advertisements are heard.
    case found(Peripheral)
    /// They are not heard any more.
    case lost(Peripheral)
}

/// The peripherals that the daemon finds and loses by patterns, for one reader, to be iterated once
/// (``BluetoothCentral/monitorAdvertisements(_:within:on:timeout:)``).
///
/// It ends with the adapter, the daemon or the bus, when the daemon gives it up, and when its task is cancelled. With this
/// value and its iterator the daemon stops to listen.
public struct AdvertisementMonitor: AsyncSequence, Sendable {
    let elements: BroadcastSequence<MonitoredPeripheral>
    let lease: NotificationLease

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: elements.makeAsyncIterator(), lease: lease)
    }

    /// Gives one peripheral after another.
    public struct Iterator: AsyncIteratorProtocol {
        var base: BroadcastSequence<MonitoredPeripheral>.Iterator
        let lease: NotificationLease

        /// The next peripheral, as soon as one is found or lost; `nil` at the end.
        public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> MonitoredPeripheral? {
            await base.next(isolation: isolation)
        }
    }
}

/// A monitor as the daemon sees it: an object of this program; used on the loop only.
final class AdvertisementMonitorObject {
    /// The adapter that listens.
    let adapter: ObjectPath
    /// The daemon that may call the object.
    let daemon: String
    /// The object that is registered, the manager of the monitor.
    let root: ObjectPath
    /// The object of the monitor.
    let path: ObjectPath
    let peripherals = Broadcast<MonitoredPeripheral>()
    /// The peripherals that are found and not lost.
    private var found: Set<ObjectPath> = []
    /// The caller that waits until the daemon listens.
    let activation = EventWaiters.Waiter { _ in nil }

    init(number: UInt64, adapter: ObjectPath, daemon: String) {
        self.adapter = adapter
        self.daemon = daemon
        root = ObjectPath("/advertisement_monitor\(number)") ?? .root
        path = ObjectPath("/advertisement_monitor\(number)/patterns") ?? .root
    }

    deinit {
        peripherals.finish()
    }

    /// Reports a peripheral once.
    ///
    /// Quirk monitor-reports-each: without thresholds the daemon finds it with every advertisement.
    func found(_ peripheral: Peripheral) {
        if found.insert(peripheral.path).inserted { peripherals.send(.found(peripheral)) }
    }

    func lost(_ peripheral: Peripheral) {
        found.remove(peripheral.path)
        peripherals.send(.lost(peripheral))
    }

    /// Reports a found peripheral as lost that the daemon has forgotten.
    ///
    /// Quirk monitor-reports-each: it says so to no monitor.
    func forgotten(_ peripheral: Peripheral) {
        if found.contains(peripheral.path) { lost(peripheral) }
    }
}
