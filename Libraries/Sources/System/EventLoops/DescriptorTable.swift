import CSystem
import Glibc

/// What a descriptor may be ready for.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// There is something to read, or the end of the stream.
    public static let readable = Readiness(rawValue: 1)
    /// A write will not block.
    public static let writable = Readiness(rawValue: 2)
    /// The other side hung up.
    public static let hangUp = Readiness(rawValue: 4)
    /// The descriptor has an error or is not open.
    public static let failed = Readiness(rawValue: 8)
}

/// A descriptor that a loop watches until ``EventLoop/unwatch(_:)``.
public struct DescriptorWatch: Hashable, Sendable {
    let identifier: UInt64
}

extension EventLoop {
    /// Calls `handler` on the loop's thread whenever a descriptor is ready.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, which the caller closes, after ``unwatch(_:)``.
    ///   - interest: What to wait for; hang-up and failure are always reported.
    ///   - handler: Called with what the descriptor is ready for.
    public func watch(
        _ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) -> DescriptorWatch {
        checkOwnership()
        return descriptors.add(descriptor, interest, handler)
    }

    /// Changes what a watch waits for; an empty interest keeps it, asleep.
    public func setInterest(_ interest: Readiness, of watch: DescriptorWatch) {
        checkOwnership()
        descriptors.setInterest(interest, of: watch)
    }

    /// Ends a watch; its handler is not called again.
    public func unwatch(_ watch: DescriptorWatch) {
        checkOwnership()
        // The handler is released after the change of the table, because its deinitialisation may change the table
        // again.
        let handler = descriptors.remove(watch)
        withExtendedLifetime(handler) {}
    }
}

/// The descriptors of one loop, kept as `poll` wants them.
struct DescriptorTable {
    private struct Entry {
        var watch: DescriptorWatch
        var handler: (Readiness) -> Void
    }

    private var entries: [Entry] = []
    private var polled: [pollfd] = [pollfd()]
    private var lastIdentifier: UInt64 = 0

    mutating func add(
        _ descriptor: Int32, _ interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) -> DescriptorWatch {
        lastIdentifier += 1
        let watch = DescriptorWatch(identifier: lastIdentifier)
        entries.append(Entry(watch: watch, handler: handler))
        polled.append(Self.request(descriptor, interest))
        return watch
    }

    mutating func setInterest(_ interest: Readiness, of watch: DescriptorWatch) {
        guard let index = entries.firstIndex(where: { $0.watch == watch }) else { return }
        // A negative descriptor is skipped by `poll`, hang-up included.
        let descriptor = polled[index + 1].fd
        polled[index + 1] = Self.request(descriptor < 0 ? ~descriptor : descriptor, interest)
    }

    mutating func remove(_ watch: DescriptorWatch) -> ((Readiness) -> Void)? {
        guard let index = entries.firstIndex(where: { $0.watch == watch }) else { return nil }
        polled.remove(at: index + 1)
        return entries.remove(at: index).handler
    }

    private static func request(_ descriptor: Int32, _ interest: Readiness) -> pollfd {
        var events: Int32 = 0
        if interest.contains(.readable) { events |= Int32(POLLIN) }
        if interest.contains(.writable) { events |= Int32(POLLOUT) }
        return pollfd(fd: interest.isEmpty ? ~descriptor : descriptor, events: Int16(events), revents: 0)
    }

    /// The descriptors that were ready at the end of the last ``wait(wakeUp:timeoutMilliseconds:)``.
    private(set) var ready: [(DescriptorWatch, Readiness)] = []

    /// Whether the wake-up descriptor was ready.
    var isWakeUpReady: Bool { polled[0].revents != 0 }

    /// The handler of a watch, or `nil` when it was ended or disabled in the same turn.
    func handler(of watch: DescriptorWatch) -> ((Readiness) -> Void)? {
        guard let index = entries.firstIndex(where: { $0.watch == watch }), polled[index + 1].fd >= 0 else {
            return nil
        }
        return entries[index].handler
    }

    /// Waits until something is ready or the time is up; returns whether something is.
    mutating func wait(wakeUp: Int32, timeoutMilliseconds: Int32) -> Bool {
        ready.removeAll(keepingCapacity: true)
        polled[0] = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, nfds_t(polled.count), timeoutMilliseconds) > 0 else { return false }
        for index in entries.indices where polled[index + 1].revents != 0 {
            ready.append((entries[index].watch, Self.readiness(polled[index + 1].revents)))
        }
        return true
    }

    private static func readiness(_ events: Int16) -> Readiness {
        var result: Readiness = []
        let events = Int32(events)
        if events & Int32(POLLIN) != 0 { result.insert(.readable) }
        if events & Int32(POLLOUT) != 0 { result.insert(.writable) }
        if events & Int32(POLLHUP) != 0 { result.insert(.hangUp) }
        if events & (Int32(POLLERR) | Int32(POLLNVAL)) != 0 { result.insert(.failed) }
        return result
    }
}
