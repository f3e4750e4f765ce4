import Vitals

extension ConnectionMachine {
    mutating func linkDown(at now: Moment, random: Double) {
        guard isLinked else { return }
        forgetLink()
        switch phase {
        case .connecting:
            // The answer of `Connect` is still to come, and says why.
            break
        case .cleaningUp, .disconnecting:
            // The answer of `Disconnect` is still to come, or has just come.
            break
        case .foreign:
            phase = .idle
            report(ConnectionState(phase: .disconnected, reason: .linkLost, isForeign: true))
        case .ready(let since):
            ownsLink = false
            if now.since(since) >= Self.stableAfter { attempts = 0 }
            loseLink(at: now, random: random)
        case .resolving, .settling, .subscribing:
            ownsLink = false
            loseLink(at: now, random: random)
        case .idle, .queued, .backingOff:
            ownsLink = false
        }
    }

    /// The first attempt after a loss is made at once; a link that keeps falling is given some rest.
    mutating func loseLink(at now: Moment, random: Double) {
        actions.append(.cancelTimer)
        guard attempts == 0 else {
            backOff(after: .abortedLink, reason: .linkLost, at: now, random: random)
            return
        }
        phase = .idle
        report(ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1, retryAt: now))
        proceed(at: now)
    }

    /// Forgets what is true of a link only.
    mutating func forgetLink() {
        isLinked = false
        isResolved = false
        hasSlept = false
        haveServicesChanged = false
    }

    mutating func vanish(at now: Moment) {
        isKnown = false
        forgetLink()
        ownsLink = false
        guard phase != .connecting, phase != .disconnecting else { return }
        if case .cleaningUp = phase { return }
        leaveTurn()
        actions.append(.cancelTimer)
        let wasForeign = phase == .foreign
        phase = .idle
        // While the radio is lost, everything vanishes, and that is told already.
        guard radioTrouble == nil else { return }
        if isWanted {
            // Quirk peripherals-vanish: the reason of the loss stays, for this one explains nothing to people.
            let reason = reported?.phase == .waiting ? reported?.reason : .removed
            report(ConnectionState(phase: .waiting, reason: reason, attempt: attempts + 1))
        } else if wasForeign {
            report(ConnectionState(phase: .disconnected, reason: .removed, isForeign: true))
        }
    }

    mutating func loseRadio(_ reason: ConnectionState.DisconnectReason) {
        radioTrouble = reason
        forgetLink()
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
            report(ConnectionState(phase: .disconnected, reason: reason, isForeign: true))
        }
    }

    mutating func cleanUp(after failure: ConnectFailure, at now: Moment) {
        leaveTurn()
        phase = .cleaningUp(after: failure)
        actions.append(.disconnect)
        setTimer(Self.disconnectLimit, at: now)
    }

    mutating func disconnected(at now: Moment, random: Double) {
        switch phase {
        case .cleaningUp(let failure):
            ownsLink = false
            backOff(after: failure, reason: failure.reason, at: now, random: random)
        case .disconnecting:
            ownsLink = false
            guard isWanted else {
                // BlueZ answers before it tells of the link's end, which must not look like the loss of a foreign link.
                forgetLink()
                phase = .idle
                actions.append(.cancelTimer)
                return
            }
            // Quirk connect-after-disconnect: wanted again meanwhile, but `Connect` would fail for some 50 ms from now.
            phase = .backingOff(after: .settling)
            setTimer(RetryPolicy.policy(after: .settling).delay(failures: 1, random: random), at: now)
        default: break
        }
    }

    mutating func timerFired(at now: Moment, random: Double) {
        switch phase {
        case .connecting: cleanUp(after: .notReached, at: now)
        case .settling: subscribe()
        case .resolving: cleanUp(after: .noServices, at: now)
        case .ready(let since): evaluateSilence(since: since, at: now)
        case .cleaningUp, .disconnecting: disconnected(at: now, random: random)
        case .backingOff:
            endBackOff()
            proceed(at: now)
        case .idle, .queued, .subscribing, .foreign: break
        }
    }

    mutating func backOff(
        after failure: ConnectFailure, reason: ConnectionState.DisconnectReason, at now: Moment, random: Double
    ) {
        phase = .backingOff(after: failure)
        refusals = reason == .refused && failure != .notAuthorised ? refusals + 1 : 0
        let delay = RetryPolicy.policy(after: failure).delay(failures: max(1, attempts), random: random)
        report(
            ConnectionState(
                phase: .waiting, reason: reason, attempt: attempts + 1, retryAt: now.advanced(by: delay),
                hint: refusals >= Self.refusalsBeforeHint ? .inUse : nil))
        setTimer(delay, at: now)
    }

    mutating func endBackOff() {
        guard case .backingOff = phase else { return }
        phase = .idle
        actions.append(.cancelTimer)
    }
}
