import Monitoring
import Base
import Vitals
import WardMessages

extension BedState {
    /// How long the digests may differ: the message about the alarm may be delayed.
    private static let mismatchTolerance = Duration.milliseconds(1000)
    /// The difference between the clocks from which it is an alarm, in milliseconds.
    static let alarmingSkew: Int64 = 60_000
    /// The difference from which it is shown.
    public static let shownSkew: Int64 = 2000

    /// Determines the present state of the bed.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - connectedSince: When the broker was connected; `nil` if it is lost.
    ///   - settings: The user's choices.
    /// - Returns: Whether the bed began with another session.
    mutating func evaluate(at now: Moment, connectedSince: Moment?, _ settings: WardSettings) -> Bool {
        guard let connectedSince else {
            enter(.noBroker, at: now)
            return false
        }
        let alive = sessions.alive(at: now.monotonic, within: Self.timeout)
        guard let newest = alive.last else {
            enter(silentLink(at: now, connectedSince: connectedSince), at: now)
            return false
        }
        if alive.count > 1 {
            // Another full picture then shows whose the values are, and whether messages were missed.
            anchor = nil
            claimants = alive.map { announced[$0.session]?.host ?? "" }.filter { !$0.isEmpty }
            let isContested = alive.dropLast().contains { $0.last > newest.first }
            enter(isContested ? .twoMonitors : .handover, at: now)
            return false
        }
        claimants = []
        let isOther = newest.session != current
        if isOther { begin(newest.session, at: now) }
        wantWhatIsMissing(at: now)
        if isSimulated, !settings.showsSimulated {
            enter(.simulatedRefused, at: now)
        } else if anchor != nil {
            enter(.live, at: now)
        } else {
            enter(requests.isUnanswered ? .noAnswer : .waiting, at: now)
        }
        return isOther
    }

    /// The link of a silent bed.
    private func silentLink(at now: Moment, connectedSince: Moment) -> BedLink {
        if let current, let reason = sessions.end(of: current), !isAnnouncedByOthers {
            return reason == .closed ? .closed : .noLink
        }
        let isEarly =
            now.since(connectedSince).nanoseconds < Self.timeout && (lastHeard.map { $0 < connectedSince } ?? true)
        return isEarly ? .waiting : .noLink
    }

    /// Whether another session than the ended one announced itself.
    private var isAnnouncedByOthers: Bool {
        announced.keys.contains { $0 != current && !sessions.hasEnded($0) }
    }

    private mutating func enter(_ link: BedLink, at now: Moment) {
        guard link != self.link else { return }
        // Messages may have been missed meanwhile.
        if link == .live, self.link == .noLink { requests.want(at: now.monotonic) }
        self.link = link
        linkSince = now
    }

    private mutating func wantWhatIsMissing(at now: Moment) {
        let time = now.monotonic
        if let anchor {
            if time >= anchor.expiry { self.anchor = nil }
            if time >= anchor.renewalDue { requests.want(at: time) }
        } else {
            requests.want(at: time)
        }
        if let since = gaps.since, time.since(since) >= SequenceGaps.tolerance { requests.want(at: time) }
        if let mismatchSince, time.since(mismatchSince) >= Self.mismatchTolerance { requests.want(at: time) }
    }

    /// When ``evaluate(at:connectedSince:_:)`` is needed next, even if nothing arrives.
    func deadline(at now: Moment, connectedSince: Moment?) -> MonotonicTime? {
        guard let connectedSince else { return nil }
        let time = now.monotonic
        let times = [
            sessions.nextSilence(at: time, within: Self.timeout), requests.due, anchor?.expiry,
            anchor.map { $0.renewalDue > time ? $0.renewalDue : $0.expiry },
            gaps.since.map { $0.advanced(by: SequenceGaps.tolerance) },
            mismatchSince.map { $0.advanced(by: Self.mismatchTolerance) },
            link == .waiting ? connectedSince.monotonic.advanced(byNanoseconds: Self.timeout) : nil,
        ]
        return times.compactMap { $0 }.filter { $0 > time }.min()
    }

    /// The technical alarms that the ward raises for this bed.
    var ownAlarms: [WardOwnAlarm.Kind] {
        switch link {
        case .noLink: [.noLink]
        case .twoMonitors: [.twoMonitors]
        case .noAnswer: [.noAnswer]
        case .live: abs(skewMilliseconds ?? 0) > Self.alarmingSkew ? [.clockOff] : []
        case .noBroker, .waiting, .closed, .handover, .simulatedRefused: []
        }
    }
}
