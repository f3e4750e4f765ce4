import Vitals

// What can go wrong though the link is up: nothing comes, or the services become others.
extension ConnectionMachine {
    /// Whether people were told that nothing comes.
    var isSilent: Bool { reported?.hint == .silent }

    /// Begins to watch whether values come.
    mutating func listen(at now: Moment) {
        if isStreaming { setTimer(Self.silenceLimit, at: now) }
    }

    /// Nothing may have come for too long: subscribes anew once for each link, then says so.
    mutating func evaluateSilence(since: Moment, at now: Moment) {
        let last = max(lastValue ?? since, since)
        let due = last.advanced(by: Self.silenceLimit)
        guard due <= now else {
            actions.append(.setTimer(due))
            return
        }
        listen(at: now)
        if !isRearmed {
            isRearmed = true
            actions.append(.rearm)
        } else if hasSlept, ownsLink {
            // Quirk dead-after-sleep: what is said to be connected may be so no more.
            hasSlept = false
            cleanUp(after: .noServices, at: now)
        } else {
            report(ConnectionState(phase: .ready, hint: .silent))
        }
    }

    /// The computer has slept: what should have come meanwhile did not, and the link may be dead.
    mutating func awake(at now: Moment) {
        hasSlept = true
        isRearmed = false
        listen(at: now)
    }

    /// The services have changed: what was subscribed to may be gone, and more changes may follow.
    mutating func servicesChanged(at now: Moment) {
        switch phase {
        case .ready, .subscribing, .settling: break
        case .resolving where haveServicesChanged: break
        default: return
        }
        haveServicesChanged = true
        phase = .settling
        report(ConnectionState(phase: .connected))
        setTimer(Self.changeLimit, at: now)
    }
}
