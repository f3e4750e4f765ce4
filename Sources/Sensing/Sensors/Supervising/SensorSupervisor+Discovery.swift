import BlueZ
import Vitals

// The scan: on when the user wants it or a wanted sensor must be found, off while a connection is made.
// Quirk connect-waits-for-report: during a scan `Connect` takes some 10 s, against 0.3 s without one.
extension SensorSupervisor {
    /// The adapter that should discover now; `nil` for none.
    private var wantedDiscovery: AdapterPath? {
        if isShuttingDown { return nil }
        // A pairing makes a connection, too; a scan is needed only for a peripheral that must be heard again.
        if sessions.values.contains(where: { $0.pairing.isUnderWay }) {
            return sessions.values.contains { $0.pairing.awaitsDiscovery } ? radio.current?.path : nil
        }
        if sessions.values.contains(where: { $0.machine.isConnecting }) { return nil }
        guard discovery.isAskedFor || sessions.values.contains(where: { $0.machine.needsScan }) else { return nil }
        return radio.current?.path
    }

    /// Makes BlueZ begin or end the discovery when the wish has changed.
    func updateDiscovery() {
        // Without a radio no discovery can begin; its return leads here again.
        guard radio.trouble == nil || isShuttingDown,
            let call = discovery.takeCall(wantedOn: wantedDiscovery)
        else { return }
        Task(executorPreference: loop) { await self.changeDiscovery(call) }
    }

    private func changeDiscovery(_ call: DiscoveryWish.Call) async {
        discovery.callAnswered(begunOn: await carryOut(call))
        watchDiscovery(at: .now())
        updateDiscovery()
        guard !discovery.isCalling else { return }
        for continuation in discovery.takeWaiting() { continuation.resume() }
    }

    /// Restarts the discovery after the radio has returned, perhaps as another adapter.
    func renewDiscovery() {
        if wantedDiscovery != nil { discovery.forgetStart() }
        updateDiscovery()
    }

    /// Waits until BlueZ has done what is wanted of the discovery.
    func settleDiscovery() async {
        guard discovery.isCalling else { return }
        await withCheckedContinuation { discovery.wait($0) }
    }

    /// Begins or ends the discovery; returns the adapter on which BlueZ will discover.
    private func carryOut(_ call: DiscoveryWish.Call) async -> AdapterPath? {
        var begun: AdapterPath?
        do throws(BlueZError) {
            switch call {
            case .begin(let adapter):
                begun = adapter
                try await central.beginDiscovery(on: adapter)
            case .end(let adapter): try await central.endDiscovery(on: adapter)
            }
            return begun
        } catch {
            // Without bus, daemon or adapter nothing was begun, and their return leads here again. BlueZ itself repeats
            // any other failed start; after a failed end nothing can be improved.
            switch error.kind {
            case .busLost, .daemonGone, .noAdapter: return nil
            default: return begun
            }
        }
    }

    // MARK: Whether it hears anything

    /// Watches a discovery from its beginning to its end.
    func watchDiscovery(at moment: Moment) {
        let isOngoing = discovery.begunOn != nil && radio.current?.isDiscovering == true
        guard let due = silentDiscovery.isOngoing(isOngoing, at: moment) else { return }
        scheduleHearingTest(due)
    }

    private func scheduleHearingTest(_ due: Moment) {
        guard hearingTimer == nil, !isShuttingDown else { return }
        // Not urgent, so it fires with a value, and once for all peripherals that were last heard at about the same
        // time.
        hearingTimer = loop.schedule(at: due.monotonicNanoseconds, tolerance: .seconds(1)) { [weak self] in
            self?.assumeIsolated { $0.testHearing(at: .now()) }
        }
    }

    /// Restarts and reports a discovery that hears nothing.
    func testHearing(at now: Moment) {
        hearingTimer = nil
        switch silentDiscovery.evaluate(at: now) {
        case nil: break
        case .wait(let due): scheduleHearingTest(due)
        case .restart:
            discovery.restart()
            updateDiscovery()
            reportAdapter(at: now)
            testHearing(at: now)
        }
    }

    /// Records that the radio receives.
    func recordHeard(at moment: Moment) {
        if silentDiscovery.heard(at: moment) { reportAdapter(at: moment) }
    }
}

/// The adapter that should discover, and the calls to BlueZ, one at a time.
struct DiscoveryWish {
    /// The next call to BlueZ.
    enum Call: Hashable, Sendable {
        case begin(AdapterPath), end(AdapterPath)
    }

    /// Whether the user wants a scan.
    private(set) var isAskedFor = false
    /// Whether a call to BlueZ is under way.
    private(set) var isCalling = false
    /// The adapter whose discovery was requested from BlueZ and not ended since.
    private(set) var begunOn: AdapterPath?
    /// Whether the running discovery must stop to be restarted.
    private var mustRestart = false
    /// The callers that wait until BlueZ has done what is wanted.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Records whether the user wants a scan.
    mutating func ask(_ isAskedFor: Bool) { self.isAskedFor = isAskedFor }

    /// Begins a call, if one is needed; returns which.
    ///
    /// - Parameter adapter: The adapter for a wanted discovery; `nil` for none.
    mutating func takeCall(wantedOn adapter: AdapterPath?) -> Call? {
        guard !isCalling, adapter != begunOn || mustRestart else { return nil }
        mustRestart = false
        guard let call = begunOn.map({ Call.end($0) }) ?? adapter.map({ Call.begin($0) }) else { return nil }
        isCalling = true
        return call
    }

    /// Records that the call has been answered.
    mutating func callAnswered(begunOn adapter: AdapterPath?) {
        isCalling = false
        begunOn = adapter
    }

    /// Records that BlueZ has lost the discovery.
    mutating func forgetStart() {
        if !isCalling { begunOn = nil }
    }

    /// Restarts the running discovery.
    mutating func restart() {
        mustRestart = begunOn != nil
    }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        defer { waiting = [] }
        return waiting
    }
}

/// Detects a running discovery that finds nothing; a pure state machine.
///
/// Quirk discovery-goes-deaf: some controllers and daemons claim to discover, but report nothing. This looks the same
/// as no sensors nearby, so the discovery is restarted less and less often.
struct SilentDiscovery: Hashable, Sendable {
    /// The first limit of silence.
    static let firstLimit = Duration.seconds(20)
    /// The longest time until the discovery is restarted.
    static let lastLimit = Duration.seconds(300)

    /// Whether the discovery was restarted since anything was heard.
    private(set) var hearsNothing = false
    private var limit = firstLimit
    /// Since when it runs without results; `nil` while none runs.
    private var since: Moment?

    enum Advice: Hashable, Sendable {
        /// Nothing before this moment.
        case wait(until: Moment)
        /// Restart the discovery.
        case restart
    }

    /// Records whether a discovery runs; returns when to ask for advice.
    mutating func isOngoing(_ isDiscovering: Bool, at now: Moment) -> Moment? {
        guard isDiscovering else {
            since = nil
            return nil
        }
        guard since == nil else { return nil }
        since = now
        return now.advanced(by: limit)
    }

    /// Records that a peripheral was heard; returns whether that is new.
    mutating func heard(at now: Moment) -> Bool {
        if since != nil { since = now }
        guard hearsNothing else { return false }
        hearsNothing = false
        limit = Self.firstLimit
        return true
    }

    /// Evaluates whether the discovery still works; `nil` while none runs.
    mutating func evaluate(at now: Moment) -> Advice? {
        guard let since else { return nil }
        let due = since.advanced(by: limit)
        guard due <= now else { return .wait(until: due) }
        hearsNothing = true
        limit = min(limit * 2, Self.lastLimit)
        self.since = now
        return .restart
    }
}
