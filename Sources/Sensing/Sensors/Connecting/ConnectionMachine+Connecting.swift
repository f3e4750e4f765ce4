import Vitals

// The way from wanted to streaming.
extension ConnectionMachine {
    func want(at now: Moment) -> Transition {
        let next = with(\.wish, .wanted).with(\.attempts.sinceStable, 0)
        let trouble = radioTrouble.map { [Action.report(ConnectionState(phase: .waiting, reason: $0))] } ?? []
        switch phase {
        case .backingOff, .asleep: return next.with(\.phase, .idle).proceed(after: [.cancelTimer] + trouble, at: now)
        case .foreign: return next.with(\.phase, .idle).proceed(after: trouble, at: now)
        // Reported at once, though the link must end first.
        case .disconnecting: return next.stay([.report(ConnectionState(phase: .connecting, attempt: 1))] + trouble)
        case .idle, .queued, .connecting, .resolving, .settling, .subscribing, .ready, .cleaningUp:
            return next.proceed(after: trouble, at: now)
        }
    }

    func unwant(at now: Moment) -> Transition {
        let next = with(\.wish, .refused)
        let report = Action.report(ConnectionState(phase: .disconnected, reason: .user))
        switch phase {
        case .disconnecting: return next.stay([report])
        case .connecting: return next.disconnect(after: [report, .cancelTimer], at: now)
        case .idle, .queued, .resolving, .settling, .subscribing, .ready, .foreign, .cleaningUp, .backingOff, .asleep:
            return isLinked
                ? next.disconnect(after: [report, .cancelTimer], at: now)
                : next.move(to: .idle, [report, .cancelTimer])
        }
    }

    private func disconnect(after actions: [Action], at now: Moment) -> Transition {
        move(
            to: .disconnecting(isOurs: ownsLink),
            actions + [.disconnect, .setTimer(now.advanced(by: Self.disconnectLimit))])
    }

    /// Releases an unconnected sensor, though the user has not refused it.
    func release() -> Transition {
        guard isWanted, !isLinked else { return stay() }
        switch phase {
        case .idle, .queued, .backingOff, .asleep:
            let report = ConnectionState(phase: .disconnected, reason: reported?.reason ?? .removed)
            return with(\.wish, .notWanted).move(to: .idle, [.cancelTimer, .report(report)])
        case .connecting, .resolving, .settling, .subscribing, .ready, .foreign, .cleaningUp, .disconnecting:
            return stay()
        }
    }

    func hear(at now: Moment) -> Transition {
        let next = with(\.presence, presence.known)
        if case .backingOff(let failure) = phase, failure.endsWhenHeard { return next.endBackOff(at: now) }
        // It advertises only for seconds, so it is connected to at the first advertisement.
        if phase == .asleep, restsUntil.map({ $0 <= now }) ?? true { return next.endBackOff(at: now) }
        return next.proceed(at: now)
    }

    func connect(at now: Moment) -> Transition {
        guard phase == .queued else { return stay([.releaseTurn]) }
        let attempt = attempts.serial + 1
        return with(\.attempts.serial, attempt).move(
            to: .connecting(attempt: attempt),
            [.connect(attempt: attempt), .setTimer(now.advanced(by: Self.connectLimit))])
    }

    func connectAnswered(_ failure: ConnectFailure?, at now: Moment, random: Double) -> Transition {
        guard let failure else {
            // Quirk connect-is-no-success: BlueZ resolves the services after its answer, or the link is lost meanwhile.
            return with(\.attempts.busy, 0).awaitServices(on: Link(isOurs: true), at: now)
        }
        let busy = failure == .busy ? attempts.busy + 1 : 0
        // Quirk connect-stays-in-progress: only a `Disconnect` ends this state of BlueZ.
        if busy >= Self.busyAnswersBeforeCleaning {
            return with(\.attempts.busy, 0).cleanUp(after: failure, at: now)
        }
        let next = with(\.attempts.busy, busy)
        if failure == .unknownPeripheral {
            return next.with(\.presence, .unknown).move(to: .idle, [.cancelTimer, waiting(because: .removed)])
        }
        // The sensor fell asleep before it could be reached: the next advertisement is the next chance.
        if isEpisodic, failure == .notReached || failure == .abortedLink { return next.fallAsleep() }
        return next.backOff(after: failure, reason: failure.reason, at: now, random: random)
    }

    func linkUp(at now: Moment) -> Transition {
        switch phase {
        // Quirk connect-is-no-success: a link that cannot be established (0x3E) is reported as connected, and after
        // 0.24 s as lost.
        case .connecting: stay()
        // Another program made the link, or an abandoned `Connect` of this one succeeded after all.
        case .queued: with(\.phase, .idle).proceed(at: now)
        case .backingOff, .asleep: endBackOff(at: now)
        case .idle, .resolving, .settling, .subscribing, .ready, .foreign, .cleaningUp, .disconnecting:
            proceed(at: now)
        }
    }

    func servicesResolved(at now: Moment) -> Transition {
        let next = with(\.presence, .resolved)
        switch phase {
        case .connecting: return next.subscribe(on: Link(isOurs: true))
        case .resolving(let link, let afterChange): return next.subscribe(on: link, afterChange: afterChange)
        case .idle, .queued, .settling, .subscribing, .ready, .foreign, .cleaningUp, .disconnecting, .backingOff,
            .asleep:
            return isLinked ? next.stay() : next.linkUp(at: now)
        }
    }

    func awaitServices(
        on link: Link, afterChange: Bool = false, after actions: [Action] = [], at now: Moment
    ) -> Transition {
        if presence == .resolved { return subscribe(on: link, afterChange: afterChange, after: actions) }
        return move(
            to: .resolving(link, afterChange: afterChange),
            actions + [
                .report(ConnectionState(phase: .connected)), .setTimer(now.advanced(by: Self.servicesLimit)),
            ])
    }

    func subscribe(on link: Link, afterChange: Bool = false, after actions: [Action] = []) -> Transition {
        move(
            to: .subscribing(link, afterChange: afterChange),
            actions + [.report(ConnectionState(phase: .connected)), .cancelTimer, .subscribe])
    }

    func subscribed(_ failure: ConnectFailure?, at now: Moment) -> Transition {
        guard case .subscribing(let link, let afterChange) = phase else { return stay() }
        guard let failure else {
            return with(\.attempts.refused, 0).move(
                to: .ready(link, since: now, isRearmed: false),
                [.report(ConnectionState(phase: .ready))] + silenceTimer(at: now))
        }
        guard failure == .noServices, afterChange else { return cleanUp(after: failure, at: now) }
        // New services may still be added; `servicesChanged` or the timer ends the wait.
        return move(
            to: .resolving(link, afterChange: true), [.setTimer(now.advanced(by: Self.servicesLimit))])
    }

    /// Takes over a link that a former run or a pairing has made.
    func claim() -> Transition {
        switch phase {
        case .resolving(var link, let afterChange):
            link.isOurs = true
            return move(to: .resolving(link, afterChange: afterChange), [])
        case .settling(var link):
            link.isOurs = true
            return move(to: .settling(link), [])
        case .subscribing(var link, let afterChange):
            link.isOurs = true
            return move(to: .subscribing(link, afterChange: afterChange), [])
        case .ready(var link, let since, let isRearmed):
            link.isOurs = true
            return move(to: .ready(link, since: since, isRearmed: isRearmed), [])
        // The sensor is not wanted, and the link blocks it for other programs.
        case .foreign: return stay([.disconnect])
        case .idle, .queued, .connecting, .cleaningUp, .disconnecting, .backingOff, .asleep: return stay()
        }
    }
}
