import DBus
import EventLoops

/// The notify sessions of this program, and the reads in progress, whose values must not count as notifications.
///
/// Quirk read-is-signalled: a read value is signalled like a notification, before the answer. So values are held back
/// during a read, and the read one is removed.
struct NotifySessions {
    private var sessions: [String: NotifySession] = [:]
    private var reads: [String: ReadsInFlight] = [:]

    /// Unanswered reads of one characteristic, and the values that came meanwhile.
    private struct ReadsInFlight {
        var count = 0
        var values: [RepeatedEmissions.Emission] = []
    }

    /// Values of one characteristic that can be reported now, in their order.
    struct Samples {
        let reference: CharacteristicReference
        let emissions: [RepeatedEmissions.Emission]
    }

    /// The meaning of a received value.
    struct Arrival {
        let reference: CharacteristicReference
        /// Samples that were first taken for copies; they precede it.
        let earlier: [RepeatedEmissions.Emission]
        /// Whether it is held back until a read is answered.
        let isHeld: Bool
    }

    // MARK: Sessions

    /// Whether we have a session for the characteristic at a path.
    func hasSession(at path: String) -> Bool { sessions[path] != nil }

    /// Begins a session before it is requested, or returns the existing one.
    ///
    /// Quirk value-before-answer: the first notification may come before the answer of `StartNotify`.
    mutating func begin(_ reference: CharacteristicReference, gaps: Int) -> (session: NotifySession, isNew: Bool) {
        let key = reference.path.description
        if let session = sessions[key] { return (session, false) }
        let session = NotifySession(reference, gaps: gaps)
        sessions[key] = session
        return (session, true)
    }

    /// Ends the session for the characteristic at a path.
    mutating func end(at path: ObjectPath) { sessions[path.description] = nil }

    /// Ends the sessions of removed characteristics: a later characteristic of the same path has none.
    mutating func endLost(where isGone: (ObjectPath) -> Bool) {
        let lost = sessions.filter { isGone($0.value.reference.path) }
        for path in lost.keys { sessions[path] = nil }
    }

    /// Ends all sessions; returns the held values.
    mutating func endAll() -> [Samples] {
        let held = Array(reads.keys).compactMap { takeHeldValues(of: $0) }
        sessions = [:]
        return held
    }

    // MARK: Values

    /// Handles a signalled value; `nil` when it is no sample of these sessions.
    mutating func receive(
        _ octets: [UInt8], at path: String, serial: UInt32, gaps: Int, timestamp: Timestamp
    ) -> Arrival? {
        // Without a session, a value is the answer to a read, or another program's notification.
        guard let session = sessions[path] else { return nil }
        var earlier: [RepeatedEmissions.Emission] = []
        switch session.emissions.handle(octets, serial: serial, gaps: gaps, at: timestamp) {
        case .sample: break
        case .copy: return nil
        case .burst(let held): earlier = held
        }
        let isHeld = isReading && reads[path] != nil
        if isHeld { reads[path]?.values.append(RepeatedEmissions.Emission(octets: octets, timestamp: timestamp)) }
        return Arrival(reference: session.reference, earlier: earlier, isHeld: isHeld)
    }

    /// Whether any read is under way.
    var isReading: Bool { !reads.isEmpty }

    /// A read of the characteristic at a path begins.
    mutating func beginRead(at path: ObjectPath) { reads[path.description, default: ReadsInFlight()].count += 1 }

    /// Handles the answer of a read, or its failure; returns the values to release.
    mutating func finishRead(at path: ObjectPath, _ octets: [UInt8]?) -> Samples? {
        let key = path.description
        guard var read = reads[key] else { return nil }
        // The signalled value is always the whole one, also for a read with an offset.
        if let octets, let index = read.values.lastIndex(where: { $0.octets.suffix(octets.count) == octets[...] }) {
            read.values.remove(at: index)
        }
        read.count -= 1
        reads[key] = read
        if read.count > 0 { return nil }
        defer { reads[key] = nil }
        return takeHeldValues(of: key)
    }

    private mutating func takeHeldValues(of key: String) -> Samples? {
        guard let values = reads[key]?.values else { return nil }
        reads[key]?.values = []
        return sessions[key].map { Samples(reference: $0.reference, emissions: values) }
    }
}

/// A notify session of ours; used on the loop only.
final class NotifySession {
    let reference: CharacteristicReference
    /// Distinguishes samples from their copies.
    fileprivate var emissions: RepeatedEmissions

    fileprivate init(_ reference: CharacteristicReference, gaps: Int) {
        self.reference = reference
        emissions = RepeatedEmissions(gaps: gaps)
    }

    /// Records that no other program listens; returns the samples that were taken for copies.
    func begin(alone gaps: Int) -> NotifySessions.Samples {
        NotifySessions.Samples(reference: reference, emissions: emissions.begin(alone: gaps))
    }
}
