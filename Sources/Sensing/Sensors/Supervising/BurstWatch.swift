import BlueZ
import Vitals

/// Finds out from the pace of one characteristic whether its values waited on their way to bluetoothd: in the sensor, in
/// the adapter or in the kernel; a pure state machine.
///
/// Nobody can be asked there. But a sensor that sends at a steady pace, is silent for much longer, and then sends at
/// least twice as much at once as it usually does has not measured all of that just now. Its first values after such a
/// silence are therefore held for ``window``. A sensor without a steady pace is never doubted, and neither is one that
/// sends several values at once at its usual pace.
struct BurstWatch {
    /// How long values are held until it is known whether they waited; what comes within it came at once.
    static let window = Duration.milliseconds(250)
    /// The shortest silence in which values can have waited; below it their age is information enough.
    static let shortestSilence = Duration.seconds(2)
    /// How long a burst may last.
    static let longestBurst = Duration.seconds(2)
    /// How many pauses are remembered.
    private static let depth = 8

    /// What is known of the values that are held.
    enum Verdict: Hashable {
        /// They are of now.
        case present
        /// They waited, and more may come.
        case burst
        /// They waited, and were the last.
        case waited
    }

    /// The times between the last bundles, in nanoseconds; a bundle is what comes within ``window``.
    private var pauses: [Int64] = []
    /// How many values the bundles before these pauses had.
    private var sizes: [Int] = []
    private var next = 0
    private var bundleStart: Moment?
    private var count = 0
    private var last: Moment?
    /// When the first of the held values came; `nil` while none is held.
    private var heldSince: Moment?
    /// The silence before it, which is a pause like any other where nothing waited.
    private var silence: (pause: Int64, size: Int)?
    private var isBurst = false
    private var isDoubtful = false

    /// Whether values are held.
    var isHolding: Bool { heldSince != nil }

    /// Records a value; returns since when it and the next ones may have waited, when it is the first to be held.
    mutating func arrived(at now: Moment) -> Moment? {
        defer { last = now }
        if heldSince != nil {
            count += 1
            return nil
        }
        if let start = bundleStart, now.since(start) <= Self.window {
            count += 1
            return nil
        }
        let former = bundleStart.map { (pause: now.since($0).nanoseconds, size: count) }
        (bundleStart, count) = (now, 1)
        if let last, isDoubtful || isUnusual(now.since(last)) {
            (heldSince, silence, isDoubtful) = (now, former, false)
            return last
        }
        if let former { learn(former) }
        return nil
    }

    /// Doubts the next values, because not all that waited elsewhere until now may have come.
    mutating func doubt(until moment: Moment) {
        guard last != nil, heldSince == nil else { return }
        (last, bundleStart, isDoubtful) = (moment, nil, true)
    }

    /// Decides about what is held, at the end of each ``window``, or earlier when nothing more is awaited.
    ///
    /// - Parameter isLast: Whether nothing more is awaited.
    mutating func decide(at now: Moment, isLast: Bool = false) -> Verdict {
        guard let heldSince else { return .present }
        if count >= 2 * usualSize {
            (isBurst, count) = (true, 0)
            if !isLast, now.since(heldSince) < Self.longestBurst { return .burst }
        }
        defer { (self.heldSince, silence, isBurst) = (nil, nil, false) }
        if isBurst {
            // No pause and no size that it usually has.
            bundleStart = nil
            return .waited
        }
        if let silence { learn(silence) }
        return .present
    }

    /// Whether a silence is much longer than the pauses of a steady pace.
    private func isUnusual(_ silence: Duration) -> Bool {
        guard silence >= Self.shortestSilence, let pace = steadyPause else { return false }
        return silence.nanoseconds > pace / 2 * 5
    }

    /// The usual pause of a sensor with a steady pace: three of four pauses are close to it.
    private var steadyPause: Int64? {
        guard pauses.count >= 4 else { return nil }
        let median = pauses.sorted()[pauses.count / 2]
        let close = pauses.count { $0 >= median / 5 * 3 && $0 <= median / 2 * 3 }
        return close * 4 >= pauses.count * 3 ? median : nil
    }

    private var usualSize: Int { sizes.isEmpty ? 1 : sizes.sorted()[sizes.count / 2] }

    private mutating func learn(_ bundle: (pause: Int64, size: Int)) {
        if pauses.count < Self.depth {
            pauses.append(bundle.pause)
            sizes.append(bundle.size)
        } else {
            pauses[next] = bundle.pause
            sizes[next] = bundle.size
            next = (next + 1) % Self.depth
        }
    }
}

/// The notifications of one sensor, in their order, that are held until it is known whether they waited.
struct BurstHold {
    /// A notification, and when it came.
    struct Notification {
        let reference: CharacteristicReference
        let octets: [UInt8]
        let moment: Moment
    }

    /// What is known of the notifications that were held.
    enum Release {
        /// They are of now.
        case present([Notification])
        /// They waited since a moment.
        case late([Notification], since: Moment)
    }

    private var watches: [BluetoothUUID: BurstWatch] = [:]
    private var held: [Notification] = []
    private var since: Moment?
    /// Whether any of the held notifications waited.
    private var wasBurst = false

    /// Whether notifications are held.
    var isHolding: Bool { since != nil }

    /// Records a notification, and holds it where that must be; returns whether it does.
    mutating func hold(_ octets: [UInt8], _ reference: CharacteristicReference, at moment: Moment) -> Bool {
        let began = watches[reference.uuid, default: BurstWatch()].arrived(at: moment)
        since = since ?? began
        // All of them, because one value may come in two characteristics, and order is kept.
        if isHolding { held.append(Notification(reference: reference, octets: octets, moment: moment)) }
        return isHolding
    }

    /// Doubts the next values of every characteristic.
    mutating func doubt(until moment: Moment) {
        for uuid in watches.keys { watches[uuid]?.doubt(until: moment) }
    }

    /// Decides about what is held; `nil` while more may come.
    ///
    /// - Parameter isLast: Whether nothing more is awaited.
    mutating func release(at now: Moment, isLast: Bool = false) -> Release? {
        guard let since else { return nil }
        var (isBurst, hasWaited) = (false, false)
        for uuid in watches.keys where watches[uuid]?.isHolding == true {
            switch watches[uuid]?.decide(at: now, isLast: isLast) {
            case .burst?: isBurst = true
            case .waited?: hasWaited = true
            case .present?, nil: break
            }
        }
        wasBurst = wasBurst || isBurst || hasWaited
        if isBurst { return nil }
        defer { (held, self.since, wasBurst) = ([], nil, false) }
        return wasBurst ? .late(held, since: since) : .present(held)
    }
}
