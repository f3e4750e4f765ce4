import DBus
import EventLoops
import Base

extension BluetoothCentral {
    /// Connects to a peripheral and waits until its services can be used.
    ///
    /// Adds to ``connect(_:on:timeout:)``: waits for the services, fails when the link is lost meanwhile, waits for a
    /// former link to close, and cancels a link that comes too late.
    ///
    /// - Parameters:
    ///   - address: The peripheral; it must be in the daemon's list.
    ///   - timeout: The limit for the whole operation.
    /// - Returns: The services with their characteristics; at once when there is a link already.
    /// - Throws: ``BlueZError``: `connectionAborted` when the link is lost at once, `timedOut`, and as
    ///   ``connect(_:on:timeout:)``.
    @discardableResult
    public func connectAndResolve(
        _ address: BluetoothAddress, timeout: Duration = .seconds(45)
    ) async throws(BlueZError) -> [Service] {
        let path = try path(of: address)
        if let known = tree.peripherals[path], known.isConnected, known.areServicesResolved {
            return services(of: address)
        }
        let deadline = Self.deadline(after: timeout)
        let outcome = waiters.add { kind in Self.outcome(of: kind, for: path) }
        defer { waiters.remove(outcome) }
        try await connectOnceSettled(address, until: deadline)
        switch await wait(for: outcome, until: deadline) {
        case .success: return services(of: address)
        case .failure(let error):
            if error.kind == .timedOut {
                Task(executorPreference: loop) { try? await self.disconnect(address) }
            }
            throw error
        }
    }

    /// Connects; retries, because the kernel refuses for some 50 ms after a link has ended
    /// (quirk connect-after-disconnect).
    private func connectOnceSettled(_ address: BluetoothAddress, until deadline: Int64) async throws(BlueZError) {
        var delay = Duration.milliseconds(60)
        while true {
            do throws(BlueZError) {
                let left = Duration.nanoseconds(max(0, deadline - Timestamp.monotonicNow()))
                return try await connect(address, timeout: left)
            } catch {
                if error.kind == .alreadyConnected { return }
                let isAdapterOn = tree.peripheral(address).flatMap { tree.adapters[$0.adapter]?.isPowered } ?? false
                guard error.kind == .inputOutput, isAdapterOn, delay < .milliseconds(300) else { throw error }
                // When the time is over, the caller gets the error of the last attempt.
                guard (try? await loop.sleep(for: delay)) != nil else { throw error }
                delay = delay * 2
            }
        }
    }

    /// The monotonic time a while from now, bounded.
    static func deadline(after timeout: Duration) -> Int64 {
        Timestamp.monotonicNow().addingSaturated(max(0, timeout.nanoseconds))
    }

    /// The result of an event for callers that wait for a peripheral's services; `nil` for none.
    private static func outcome(of kind: BlueZEvent.Kind, for path: ObjectPath) -> Result<Void, BlueZError>? {
        switch kind {
        case .servicesResolved(let peripheral) where peripheral.path == path: .success(())
        case .disconnected(let peripheral) where peripheral.path == path:
            .failure(BlueZError(.connectionAborted, text: "the link fell before the services were known"))
        case .peripheral(.removed, let peripheral) where peripheral.path == path:
            .failure(BlueZError(.unknownObject, text: "the daemon has removed it"))
        case .daemon(.gone), .daemon(.unusable): .failure(BlueZError(.daemonGone))
        case .bus(.lost), .bus(.foreign): .failure(BlueZError(.busLost))
        default: nil
        }
    }

    /// Waits for an outcome or the deadline.
    func wait(for waiter: EventWaiters.Waiter, until deadline: Int64) async -> Result<Void, BlueZError> {
        let timer = loop.schedule(at: deadline) { waiter.finish(.failure(BlueZError(.timedOut))) }
        defer { loop.cancel(timer) }
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        return await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { waiter.wait($0) }
        }
    }
}

/// The waiting callers.
struct EventWaiters {
    /// A waiting caller; used on the loop only.
    final class Waiter {
        let evaluate: (BlueZEvent.Kind) -> Result<Void, BlueZError>?
        private var outcome: Result<Void, BlueZError>?
        private var continuation: CheckedContinuation<Result<Void, BlueZError>, Never>?

        init(_ evaluate: @escaping (BlueZEvent.Kind) -> Result<Void, BlueZError>?) {
            self.evaluate = evaluate
        }

        /// Ends the waiting, at once or as soon as it begins; only the first outcome counts.
        func finish(_ outcome: Result<Void, BlueZError>) {
            guard self.outcome == nil else { return }
            self.outcome = outcome
            continuation?.resume(returning: outcome)
            continuation = nil
        }

        func wait(_ continuation: CheckedContinuation<Result<Void, BlueZError>, Never>) {
            if let outcome { return continuation.resume(returning: outcome) }
            self.continuation = continuation
        }
    }

    private var waiters: [Waiter] = []

    var isEmpty: Bool { waiters.isEmpty }

    mutating func add(_ evaluate: @escaping (BlueZEvent.Kind) -> Result<Void, BlueZError>?) -> Waiter {
        let waiter = Waiter(evaluate)
        waiters.append(waiter)
        return waiter
    }

    mutating func remove(_ waiter: Waiter) {
        waiters.removeAll { $0 === waiter }
    }

    func report(_ kind: BlueZEvent.Kind) {
        for waiter in waiters {
            if let outcome = waiter.evaluate(kind) { waiter.finish(outcome) }
        }
    }
}
