import Base
import Vitals

// The end of a connection or an attempt, and the wait for the next one.
extension ConnectionMachine {
    func linkDown(at now: Moment, random: Double) -> Transition {
        let next = with(\.presence, presence.unlinked)
        switch phase {
        // The answer of `Connect` or `Disconnect` is pending, or has just arrived.
        case .connecting, .cleaningUp, .disconnecting: return next.stay()
        case .foreign:
            return next.move(
                to: .idle, [.report(ConnectionState(phase: .disconnected, reason: .linkLost, isForeign: true))])
        case .ready(_, let since, _): return next.forgetAttempts(since, at: now).loseLink(at: now, random: random)
        case .resolving, .settling, .subscribing: return next.loseLink(at: now, random: random)
        case .idle, .queued, .backingOff, .asleep: return next.stay()
        }
    }

    /// Waits for a sensor that is asleep between its measurements; that is neither a loss nor a failure.
    func fallAsleep(after actions: [Action] = []) -> Transition {
        with(\.attempts, Attempts(serial: attempts.serial)).move(
            to: .asleep, actions + [.cancelTimer, .report(ConnectionState(phase: .waiting, reason: .asleep))])
    }

    /// Ends the conversation: the link is no longer needed, or cannot be used.
    func endConversation(_ failure: ConnectFailure?, hasNews: Bool, at now: Moment) -> Transition {
        switch phase {
        case .subscribing(let link, _), .ready(let link, _, _):
            if let failure { return cleanUp(after: failure, at: now) }
            // A link of another program is left alone; it ends when the sensor leaves.
            guard link.isOurs else { return stay() }
            let rest = rest(after: hasNews)
            return with(\.lastRest, rest).with(\.restsUntil, now.advanced(by: rest)).move(
                to: .disconnecting(isOurs: true), [.disconnect, .setTimer(now.advanced(by: Self.disconnectLimit))])
        case .idle, .queued, .connecting, .resolving, .settling, .foreign, .cleaningUp, .disconnecting, .backingOff,
            .asleep:
            return stay()
        }
    }

    /// Ends this program's link for a new one at once.
    func reconnect(at now: Moment) -> Transition {
        var next = with(\.restsUntil, nil)
        switch phase {
        case .subscribing(let link, _) where link.isOurs: break
        case .ready(let link, let since, _) where link.isOurs: next = next.forgetAttempts(since, at: now)
        default: return stay()
        }
        return next.move(
            to: .disconnecting(isOurs: true), [.disconnect, .setTimer(now.advanced(by: Self.disconnectLimit))])
    }

    /// How long the sensor is left alone: longer each time that it had nothing new, so that it can fall asleep.
    private func rest(after hasNews: Bool) -> Duration {
        if hasNews { return Self.firstRest }
        return lastRest.map { min($0 * 2, Self.longestRest) } ?? Self.longestRest
    }

    /// Ends the connection to a sensor that cannot be used, until the user wants it again.
    func giveUp(because reason: String, at now: Moment) -> Transition {
        let report = Action.report(ConnectionState(phase: .disconnected, reason: .refused, detail: reason))
        let next = with(\.wish, .refused)
        guard isLinked, ownsLink else { return next.move(to: .idle, [.cancelTimer, report]) }
        return next.move(
            to: .disconnecting(isOurs: true),
            [.cancelTimer, report, .disconnect, .setTimer(now.advanced(by: Self.disconnectLimit))])
    }

    /// Forgets the failures before a stable connection.
    private func forgetAttempts(_ since: Moment, at now: Moment) -> ConnectionMachine {
        now.since(since) >= Self.stableAfter ? with(\.attempts.sinceStable, 0) : self
    }

    /// The first attempt after a loss follows at once; repeated losses are delayed.
    private func loseLink(at now: Moment, random: Double) -> Transition {
        if isEpisodic { return fallAsleep() }
        guard attempts.sinceStable == 0 else {
            return backOff(after: .abortedLink, reason: .linkLost, since: [.cancelTimer], at: now, random: random)
        }
        let report = ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1, retryAt: now)
        return with(\.phase, .idle).proceed(after: [.cancelTimer, .report(report)], at: now)
    }

    func loseServices(at now: Moment) -> Transition {
        let next = presence == .resolved ? with(\.presence, .linked) : self
        switch phase {
        case .ready(let link, let since, _): return next.forgetAttempts(since, at: now).awaitServices(on: link, at: now)
        case .subscribing(let link, let afterChange):
            return next.awaitServices(on: link, afterChange: afterChange, at: now)
        case .settling(let link): return next.awaitServices(on: link, afterChange: true, at: now)
        case .idle, .queued, .connecting, .resolving, .foreign, .cleaningUp, .disconnecting, .backingOff, .asleep:
            return next.stay()
        }
    }

    func vanish() -> Transition {
        let next = with(\.presence, .unknown)
        switch phase {
        case .connecting, .cleaningUp, .disconnecting: return next.stay()
        // Quirk peripherals-vanish: BlueZ forgets peripherals that it has not heard for a while, which is normal for a
        // sleeping one.
        case .asleep: return next.stay()
        case .idle, .queued, .resolving, .settling, .subscribing, .ready, .foreign, .backingOff:
            return next.move(to: .idle, [.cancelTimer] + reportsOfVanishing)
        }
    }

    private var reportsOfVanishing: [Action] {
        // While the radio is lost, everything vanishes, and the loss was already reported.
        guard radioTrouble == nil else { return [] }
        // Quirk peripherals-vanish: the reason of the loss is kept, because "vanished" explains nothing to users.
        if isWanted { return [waiting(because: reported?.phase == .waiting ? reported?.reason : .removed)] }
        guard phase == .foreign else { return [] }
        return [.report(ConnectionState(phase: .disconnected, reason: .removed, isForeign: true))]
    }

    func loseRadio(_ reason: ConnectionState.DisconnectReason) -> Transition {
        var reports: [Action] = []
        if isWanted {
            reports = [.report(ConnectionState(phase: .waiting, reason: reason))]
        } else if phase == .foreign {
            reports = [.report(ConnectionState(phase: .disconnected, reason: reason, isForeign: true))]
        }
        // Without the daemon or the bus, its state is unknown.
        let presence: Presence = reason == .daemon || reason == .bus ? .unknown : presence.unlinked
        return with(\.radioTrouble, reason).with(\.presence, presence).with(\.attempts.sinceStable, 0)
            .move(to: .idle, [.cancelTimer] + reports)
    }

    func cleanUp(after failure: ConnectFailure, since actions: [Action] = [], at now: Moment) -> Transition {
        move(
            to: .cleaningUp(after: failure, isOurs: ownsLink),
            actions + [.disconnect, .setTimer(now.advanced(by: Self.disconnectLimit))])
    }

    func disconnected(at now: Moment, random: Double) -> Transition {
        switch phase {
        case .cleaningUp(let failure, _):
            return backOff(after: failure, reason: failure.reason, at: now, random: random)
        case .disconnecting where isWanted && (restsUntil.map { $0 > now } ?? isEpisodic):
            return with(\.presence, presence.unlinked).fallAsleep()
        case .disconnecting where isWanted:
            // Quirk connect-after-disconnect: the sensor is wanted again, but `Connect` would fail for some 50 ms.
            let delay = Backoff.after(.settling).delay(afterFailures: 1, random: random)
            return move(to: .backingOff(after: .settling), [.setTimer(now.advanced(by: delay))])
        case .disconnecting:
            // BlueZ answers before it reports the end of the link, which must not look like the loss of another
            // program's link.
            return with(\.presence, presence.unlinked).move(to: .idle, [.cancelTimer])
        case .idle, .queued, .connecting, .resolving, .settling, .subscribing, .ready, .foreign, .backingOff, .asleep:
            return stay()
        }
    }

    func timerFired(at now: Moment, random: Double) -> Transition {
        switch phase {
        case .connecting: cleanUp(after: .notReached, at: now)
        case .settling(let link): subscribe(on: link, afterChange: true)
        case .resolving: cleanUp(after: .noServices, at: now)
        case .ready(let link, let since, let isRearmed):
            checkSilence(on: link, since: since, isRearmed: isRearmed, at: now)
        case .cleaningUp, .disconnecting: disconnected(at: now, random: random)
        case .backingOff: endBackOff(at: now)
        case .idle, .queued, .subscribing, .foreign, .asleep: stay()
        }
    }

    func backOff(
        after failure: ConnectFailure, reason: ConnectionState.DisconnectReason, since actions: [Action] = [],
        at now: Moment, random: Double
    ) -> Transition {
        let refused = reason == .refused && failure != .notAuthorised ? attempts.refused + 1 : 0
        let delay = Backoff.after(failure).delay(afterFailures: attempts.sinceStable, random: random)
        let retryAt = now.advanced(by: delay)
        let report = ConnectionState(
            phase: .waiting, reason: reason, attempt: attempts.sinceStable + 1, retryAt: retryAt,
            hint: refused >= Self.refusalsBeforeHint ? .inUse : nil)
        return with(\.attempts.refused, refused).move(
            to: .backingOff(after: failure), actions + [.report(report), .setTimer(retryAt)])
    }

    func endBackOff(at now: Moment) -> Transition {
        with(\.phase, .idle).proceed(after: [.cancelTimer], at: now)
    }
}
