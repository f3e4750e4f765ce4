import Vitals

// Problems with an established link: silence, or changed services.
extension ConnectionMachine {
    /// Whether the sensor is subscribed to.
    var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    /// Begins to watch for silence.
    func silenceTimer(at now: Moment) -> [Action] {
        isStreaming ? [.setTimer(now.advanced(by: Self.silenceLimit))] : []
    }

    /// Checks for a silent sensor: subscribes again once for each link, then reports it.
    func checkSilence(on link: Link, since: Moment, isRearmed: Bool, at now: Moment) -> Transition {
        let last = max(lastValue ?? since, since)
        let due = last.advanced(by: Self.silenceLimit)
        guard due <= now else { return stay([.setTimer(due)]) }
        let timer = silenceTimer(at: now)
        guard isRearmed else {
            return move(to: .ready(link, since: since, isRearmed: true), timer + [.rearm])
        }
        // Quirk dead-after-sleep: a sensor that is reported as connected may not be.
        if link.hasSlept, link.isOurs { return cleanUp(after: .noServices, since: timer, at: now) }
        return stay(timer + [.report(ConnectionState(phase: .ready, hint: .silent))])
    }

    /// The computer has slept: values of that time are lost, and the link may be dead.
    func wake(at now: Moment) -> Transition {
        guard case .ready(var link, let since, _) = phase else { return stay() }
        link.hasSlept = true
        return move(to: .ready(link, since: since, isRearmed: false), silenceTimer(at: now))
    }

    /// The program was stalled: values of that time may not be handled yet.
    func resume(at now: Moment) -> Transition {
        if case .ready = phase { stay(silenceTimer(at: now)) } else { stay() }
    }

    /// The services have changed: subscriptions may be lost, and more changes may follow.
    func servicesChanged(at now: Moment) -> Transition {
        switch phase {
        case .ready(let link, _, _), .subscribing(let link, _), .settling(let link),
            .resolving(let link, afterChange: true):
            move(
                to: .settling(link),
                [.report(ConnectionState(phase: .connected)), .setTimer(now.advanced(by: Self.changeLimit))])
        case .resolving(_, afterChange: false), .idle, .queued, .connecting, .foreign, .cleaningUp, .disconnecting,
            .backingOff, .asleep:
            stay()
        }
    }
}
