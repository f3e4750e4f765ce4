import DBus
import EventLoops

/// What a client sees on the bus, in order, as short lines such as `/D2 Device1 {Connected: true}`.
///
/// Paths are shortened: `/D2` is the device whose address ends in 02. It runs on the loop of its connection, so a
/// signal that came before an answer is in the list before the answer is.
actor BusLog {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private(set) var events: [String] = []
    private var waiters: [Waiter] = []
    private var lastWaiter = 0

    /// Somebody who waits for a line.
    private struct Waiter {
        let number: Int
        let first: Int
        let matches: (String) -> Bool
        let continuation: CheckedContinuation<Int?, Never>
    }

    /// Real seconds after which a test gives up.
    static let limit = Duration.seconds(120)

    init(loop: EventLoop) {
        self.loop = loop
    }

    func append(_ event: String) {
        events.append(event)
        let index = events.count - 1
        for (place, waiter) in waiters.enumerated().reversed() where index >= waiter.first && waiter.matches(event) {
            waiters.remove(at: place)
            waiter.continuation.resume(returning: index)
        }
    }

    /// Waits for a line, at or after a place of the list.
    @discardableResult
    func wait(for event: String, from first: Int = 0) async throws -> Int {
        try await wait(from: first, described: event) { $0 == event }
    }

    /// Waits for a line that begins with a text, at or after a place of the list.
    @discardableResult
    func wait(beginning prefix: String, from first: Int = 0) async throws -> Int {
        try await wait(from: first, described: prefix + "…") { $0.hasPrefix(prefix) }
    }

    /// Waits until a number of lines begin with a text.
    func wait(for count: Int, beginning prefix: String) async throws {
        var seen = 0
        var next = 0
        while seen < count {
            next = try await wait(beginning: prefix, from: next) + 1
            seen += 1
        }
    }

    private func wait(from first: Int, described: String, _ matches: @escaping (String) -> Bool) async throws -> Int {
        if let index = events.indices.dropFirst(first).first(where: { matches(events[$0]) }) { return index }
        lastWaiter += 1
        let number = lastWaiter
        let index: Int? = await withCheckedContinuation { continuation in
            waiters.append(Waiter(number: number, first: first, matches: matches, continuation: continuation))
            _ = loop.schedule(after: Self.limit) { [weak self] in
                self?.assumeIsolated { $0.giveUp(number) }
            }
        }
        guard let index else { throw NeverSeen(event: described, events: events) }
        return index
    }

    private func giveUp(_ number: Int) {
        guard let place = waiters.firstIndex(where: { $0.number == number }) else { return }
        waiters.remove(at: place).continuation.resume(returning: nil)
    }
}

/// A line that did not come in time.
struct NeverSeen: Error, CustomStringConvertible {
    let event: String
    let events: [String]

    var description: String { "never seen: \(event); seen:\n" + events.suffix(60).joined(separator: "\n") }
}
