import Vitals

/// Brings one sensor's connection from wanted to streaming and keeps it there; a pure state machine.
///
/// Events go in with their moment, actions come out; nothing is performed, no clock is read, and chance is an argument.
/// What the user wants lives here, not with BlueZ, so it outlives links, adapters and daemons.
struct ConnectionMachine: Hashable, Sendable {
    /// How far the connection is.
    private(set) var phase = Phase.idle
    /// Whether the user, or the policy, wants the sensor connected.
    private(set) var isWanted = false
    /// Whether the user has ended the connection; the policy does not want it back by itself then.
    private(set) var isRefusedByUser = false
    /// Whether the present link, or the one under way, is of our making.
    private(set) var ownsLink = false
    /// What was reported last.
    private(set) var reported: ConnectionState?

    private var isKnown = false
    private var isLinked = false
    private var isResolved = false
    private var holdsTurn = false
    private var radioTrouble: ConnectionState.DisconnectReason?
    /// Attempts since the last stable connection.
    private var attempts = 0
    /// Numbers every `Connect`, so that a late answer to an earlier one is not taken for the present one's.
    private var connectSerial = 0
    private var actions: [Action] = []

    /// Whether only a scan can bring the sensor back, because BlueZ does not know it or it is out of reach.
    var needsScan: Bool {
        guard isWanted, !isLinked, radioTrouble == nil else { return false }
        return switch phase {
        case .idle: !isKnown
        case .backingOff(let failure): !isKnown || failure.endsWhenHeard
        default: false
        }
    }

    /// Takes in an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: When.
    ///   - random: From 0 up to 1, for the jitter of a back-off.
    /// - Returns: What to do, in order.
    mutating func handle(_ event: Event, at now: Moment, random: Double) -> [Action] {
        switch event {
        case .wanted: want(at: now)
        case .unwanted: unwant(at: now)
        case .appeared:
            isKnown = true
            if case .backingOff(.unknownPeripheral) = phase { endBackOff() }
            proceed(at: now)
        case .heard:
            isKnown = true
            if case .backingOff(let failure) = phase, failure.endsWhenHeard { endBackOff() }
            proceed(at: now)
        case .vanished: vanish(at: now)
        case .turnCame: takeTurn(at: now)
        case .connectAnswered(let attempt, let failure):
            guard attempt == connectSerial, phase == .connecting else { break }
            connectAnswered(failure, at: now, random: random)
        case .linkUp: linkUp(at: now)
        case .linkDown: linkDown(at: now, random: random)
        case .servicesResolved:
            isResolved = true
            if phase == .connecting || phase == .resolving { subscribe() }
        case .servicesLost:
            loseServices(at: now)
        case .subscribed(let failure): subscribed(failure, at: now)
        case .disconnectAnswered: disconnected(at: now, random: random)
        case .timerFired: timerFired(at: now, random: random)
        case .radioLost(let reason): loseRadio(reason)
        case .radioReturned:
            radioTrouble = nil
            proceed(at: now)
        }
        defer { actions = [] }
        return actions
    }
}

// MARK: What is wanted

extension ConnectionMachine {
    private mutating func want(at now: Moment) {
        isRefusedByUser = false
        isWanted = true
        attempts = 0
        switch phase {
        case .backingOff: endBackOff()
        case .foreign: phase = .idle
        // Said at once, though the link has to end first.
        case .disconnecting: report(ConnectionState(phase: .connecting, attempt: 1))
        default: break
        }
        proceed(at: now)
    }

    private mutating func unwant(at now: Moment) {
        isWanted = false
        isRefusedByUser = true
        let hasLink = isLinked || phase == .connecting
        leaveTurn()
        actions.append(.cancelTimer)
        report(ConnectionState(phase: .disconnected, reason: .user))
        guard hasLink, phase != .disconnecting else {
            if phase != .disconnecting { phase = .idle }
            return
        }
        actions.append(.disconnect)
        phase = .disconnecting
        setTimer(Self.disconnectLimit, at: now)
    }

    /// Takes the next step when nothing is under way.
    private mutating func proceed(at now: Moment) {
        guard phase == .idle, radioTrouble == nil else { return }
        if isLinked {
            if isWanted { awaitServices(at: now) } else { showForeignLink() }
            return
        }
        guard isWanted else { return }
        if isKnown {
            attempts += 1
            report(ConnectionState(phase: .connecting, attempt: attempts))
            phase = .queued
            actions.append(.requestTurn)
        } else {
            report(ConnectionState(phase: .waiting, reason: reported?.reason ?? .removed, attempt: attempts + 1))
        }
    }

    private mutating func showForeignLink() {
        phase = .foreign
        report(ConnectionState(phase: .connected))
    }
}

// MARK: Connecting

extension ConnectionMachine {
    private mutating func takeTurn(at now: Moment) {
        guard phase == .queued else {
            actions.append(.releaseTurn)
            return
        }
        holdsTurn = true
        connectSerial += 1
        ownsLink = true
        phase = .connecting
        actions.append(.connect(attempt: connectSerial))
        setTimer(Self.connectLimit, at: now)
    }

    private mutating func connectAnswered(_ failure: ConnectFailure?, at now: Moment, random: Double) {
        leaveTurn()
        guard let failure else {
            // The answer is not readiness: BlueZ resolves the services afterwards, or the link dies meanwhile.
            if isResolved { subscribe() } else { awaitServices(at: now) }
            return
        }
        switch failure {
        case .busy: cleanUp(after: failure, at: now)
        case .unknownPeripheral:
            isKnown = false
            ownsLink = false
            phase = .idle
            actions.append(.cancelTimer)
            report(ConnectionState(phase: .waiting, reason: .removed, attempt: attempts + 1))
        default:
            ownsLink = false
            backOff(after: failure, reason: failure.reason, at: now, random: random)
        }
    }

    private mutating func linkUp(at now: Moment) {
        isLinked = true
        isKnown = true
        switch phase {
        case .connecting:
            // No success yet: a link that cannot be established (0x3E) is told as up, and as down 0.24 s later.
            break
        case .backingOff, .queued:
            // Somebody else made the link, or a `Connect` of ours that was given up got through after all.
            leaveTurn()
            endBackOff()
            proceed(at: now)
        default: proceed(at: now)
        }
    }

    private mutating func awaitServices(at now: Moment) {
        phase = .resolving
        report(ConnectionState(phase: .connected))
        if isResolved { subscribe() } else { setTimer(Self.servicesLimit, at: now) }
    }

    private mutating func loseServices(at now: Moment) {
        isResolved = false
        switch phase {
        case .ready(let since):
            if now.since(since) >= Self.stableAfter { attempts = 0 }
            awaitServices(at: now)
        case .subscribing: awaitServices(at: now)
        default: break
        }
    }

    private mutating func subscribe() {
        leaveTurn()
        phase = .subscribing
        report(ConnectionState(phase: .connected))
        actions.append(.cancelTimer)
        actions.append(.subscribe)
    }

    private mutating func subscribed(_ failure: ConnectFailure?, at now: Moment) {
        guard phase == .subscribing else { return }
        if let failure {
            cleanUp(after: failure, at: now)
        } else {
            phase = .ready(since: now)
            report(ConnectionState(phase: .ready))
        }
    }

    private mutating func leaveTurn() {
        guard holdsTurn || phase == .queued else { return }
        holdsTurn = false
        actions.append(.releaseTurn)
    }
}

// MARK: Losing

extension ConnectionMachine {
    private mutating func linkDown(at now: Moment, random: Double) {
        guard isLinked else { return }
        isLinked = false
        isResolved = false
        switch phase {
        case .connecting:
            // The answer of `Connect` is still to come, and says why.
            break
        case .cleaningUp, .disconnecting:
            // The answer of `Disconnect` is still to come, or has just come.
            break
        case .foreign:
            phase = .idle
            report(ConnectionState(phase: .disconnected, reason: .linkLost))
        case .ready(let since):
            ownsLink = false
            if now.since(since) >= Self.stableAfter { attempts = 0 }
            loseLink(at: now, random: random)
        case .resolving, .subscribing:
            ownsLink = false
            loseLink(at: now, random: random)
        case .idle, .queued, .backingOff:
            ownsLink = false
        }
    }

    /// The first attempt after a loss is made at once; a link that keeps falling is given some rest.
    private mutating func loseLink(at now: Moment, random: Double) {
        actions.append(.cancelTimer)
        guard attempts == 0 else {
            backOff(after: .abortedLink, reason: .linkLost, at: now, random: random)
            return
        }
        phase = .idle
        report(ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1, retryAt: now))
        proceed(at: now)
    }

    private mutating func vanish(at now: Moment) {
        isKnown = false
        isLinked = false
        isResolved = false
        ownsLink = false
        guard phase != .connecting, phase != .disconnecting else { return }
        if case .cleaningUp = phase { return }
        leaveTurn()
        actions.append(.cancelTimer)
        let wasForeign = phase == .foreign
        phase = .idle
        if isWanted {
            // The reason of the loss stays: that BlueZ forgets a peripheral 30 s later explains nothing to people.
            let reason = reported?.phase == .waiting ? reported?.reason : .removed
            report(ConnectionState(phase: .waiting, reason: reason, attempt: attempts + 1))
        } else if wasForeign {
            report(ConnectionState(phase: .disconnected, reason: .removed))
        }
    }

    private mutating func loseRadio(_ reason: ConnectionState.DisconnectReason) {
        radioTrouble = reason
        isLinked = false
        isResolved = false
        ownsLink = false
        // After the daemon or the bus is gone, nothing that it told is true any more.
        if reason != .adapter { isKnown = false }
        leaveTurn()
        actions.append(.cancelTimer)
        let wasForeign = phase == .foreign
        phase = .idle
        attempts = 0
        if isWanted {
            report(ConnectionState(phase: .waiting, reason: reason))
        } else if wasForeign {
            report(ConnectionState(phase: .disconnected, reason: reason))
        }
    }

    private mutating func cleanUp(after failure: ConnectFailure, at now: Moment) {
        leaveTurn()
        phase = .cleaningUp(after: failure)
        actions.append(.disconnect)
        setTimer(Self.disconnectLimit, at: now)
    }

    private mutating func disconnected(at now: Moment, random: Double) {
        switch phase {
        case .cleaningUp(let failure):
            ownsLink = false
            backOff(after: failure, reason: failure.reason, at: now, random: random)
        case .disconnecting:
            ownsLink = false
            guard isWanted else {
                phase = .idle
                actions.append(.cancelTimer)
                return
            }
            // Wanted again while the link was being ended: `Connect` would fail for some 50 ms from now on.
            phase = .backingOff(after: .settling)
            setTimer(RetryPolicy.policy(after: .settling).delay(failures: 1, random: random), at: now)
        default: break
        }
    }

    private mutating func timerFired(at now: Moment, random: Double) {
        switch phase {
        case .connecting: cleanUp(after: .notReached, at: now)
        case .resolving: cleanUp(after: .noServices, at: now)
        case .cleaningUp, .disconnecting: disconnected(at: now, random: random)
        case .backingOff:
            endBackOff()
            proceed(at: now)
        case .idle, .queued, .subscribing, .ready, .foreign: break
        }
    }

    private mutating func backOff(
        after failure: ConnectFailure, reason: ConnectionState.DisconnectReason, at now: Moment, random: Double
    ) {
        phase = .backingOff(after: failure)
        let delay = RetryPolicy.policy(after: failure).delay(failures: max(1, attempts), random: random)
        report(
            ConnectionState(
                phase: .waiting, reason: reason, attempt: attempts + 1, retryAt: now.advanced(by: delay)))
        setTimer(delay, at: now)
    }

    private mutating func endBackOff() {
        guard case .backingOff = phase else { return }
        phase = .idle
        actions.append(.cancelTimer)
    }
}

// MARK: Saying

extension ConnectionMachine {
    private mutating func setTimer(_ delay: Duration, at now: Moment) {
        actions.append(.setTimer(now.advanced(by: delay)))
    }

    private mutating func report(_ state: ConnectionState) {
        guard reported != state else { return }
        reported = state
        actions.append(.report(state))
    }
}
