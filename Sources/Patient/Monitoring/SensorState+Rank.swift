import Vitals

extension SensorState {
    /// How much the user has to do with a sensor, which is where it is listed.
    package enum Rank: Hashable {
        /// Wanted, or a source of what is known about the patient.
        case wanted
        /// On the air.
        case nearby
        /// Neither, but remembered.
        case remembered
    }

    /// How much the user has to do with it.
    package var rank: Rank {
        if isWanted || memory?.isWanted == true || !vitals.isEmpty && !isForgotten { return .wanted }
        return isNearby ? .nearby : .remembered
    }

    /// Whether disconnecting it would end a measurement: one that comes, or one that is awaited again.
    package var isAtWork: Bool { isConnected || isWanted && !vitals.isEmpty }

    /// Whether it has not been heard for so long that it may be gone.
    package func isFading(at now: Moment) -> Bool {
        rank == .nearby && !isLinkedByOthers && isSilent(for: Self.fadesAfter, at: now)
    }

    private func isSilent(for time: Duration, at now: Moment) -> Bool {
        lastHeard.map { now.since($0) >= time } ?? true
    }

    /// Whether the link to it is another program's; it does not advertise then, and is all the same there.
    package var isLinkedByOthers: Bool { connection?.isForeign == true && connection?.phase == .connected }

    /// Whether a link of ours is up.
    package var isConnected: Bool { isWanted && (connection?.phase == .ready || connection?.phase == .connected) }

    /// Whether it seems to be nearby.
    package func isHeard(at now: Moment) -> Bool {
        isNearby && (isLinkedByOthers || !isSilent(for: Self.goesAfter, at: now))
    }
}
