import BlueZ
import EventLoops
import SensorDrivers
import Vitals

// The stored nights of rings: which are known, what came of one on an earlier link, and links for fetching them.
extension SensorSupervisor {
    /// Every night that a sensor hands over from now on, for one reader that stores it and says so
    /// (``nightHandled(_:of:problem:)``).
    ///
    /// Its values never pass as readings. The sequence ends with ``shutDown()``.
    public func fetchedNights() -> BroadcastSequence<SensorNight> { fetched.subscribe() }

    /// Restores which nights of each sensor are stored, by its address; call it before ``start()``.
    public func remember(nights: [String: Set<String>]) {
        for (address, names) in nights {
            guard let address = BluetoothAddress(address) else { continue }
            knownNights[address, default: []].formUnion(names)
        }
    }

    /// Sets whether new nights are fetched unasked; from the next link of a ring on.
    public func use(nights policy: NightPolicy) { nightPolicy = policy }

    /// Fetches the nights of a ring that are not stored, now or as soon as it is connected.
    public func fetchNights(of address: String) {
        guard !isShuttingDown, let session = BluetoothAddress(address).flatMap({ sessions[$0] }) else { return }
        guard session.conversation != nil, session.machine.isReady else {
            guard session.nights.report != nil else { return }
            session.nights.want(.asked, at: .now())
            return notices.send("\(session.identity.name): Its nights are fetched once it is connected.")
        }
        handle(.nights(.wanted), of: session, at: .now())
    }

    /// Records that a fetched night is stored, or is not for a reason, a clause; then it is fetched again.
    public func nightHandled(_ name: String, of address: String, problem: String?) {
        guard let address = BluetoothAddress(address) else { return }
        if problem == nil { knownNights[address, default: []].insert(name) }
        guard let session = sessions[address] else { return }
        if problem != nil { session.nights.countFailure(of: name) }
        handle(.nights(.handled(name: name, problem: problem)), of: session, at: .now())
    }

    /// What the driver of a new conversation is told about nights.
    func nights(of session: SensorSession) -> DriverNights {
        let fetching = session.nights.takeWish(at: .now())
        return DriverNights(
            policy: session.nights.mayBeAsked ? nightPolicy : .never, known: knownNights[session.address] ?? [],
            leftOut: session.nights.leftOut,
            fetching: fetching, part: session.nights.part,
            report: session.nights.link == session.link.number ? session.nights.report : nil)
    }

    /// Handles what a driver reports of nights.
    func report(_ report: DriverNights.Report, from session: SensorSession, at moment: Moment) {
        switch report {
        case .all(let nights):
            let wasTransferring = session.nights.report?.isTransferring == true
            (session.nights.report, session.nights.link) = (nights, session.link.number)
            if !nights.isTransferring { session.nights.answered() }
            self.report(.nights(session.identity, nights), at: moment)
            if wasTransferring, !nights.isTransferring { renewWaves(of: session) }
        case .asking: session.nights.isAwaited = true
        case .piece(let piece, let name, let size, let isFirst):
            session.nights.answered()
            session.nights.append(piece, of: name, size: size, isFirst: isFirst)
        case .fetched(let night):
            session.nights.part = nil
            session.hasNews = true
            fetched.send(SensorNight(sensor: session.identity, night: night))
        case .failed(let name):
            session.nights.part = nil
            session.nights.countFailure(of: name)
        case .stalled(let name): session.nights.countFailure(of: name)
        case .reconnect(let fetching):
            // A link of another program cannot be ended.
            guard session.machine.ownsLink else {
                return notices.send("\(session.identity.name): \(Self.foreignLink)")
            }
            session.nights.want(fetching, at: moment)
            send(.reconnectWanted, to: session, at: moment)
        }
    }

    /// Ends what a link was used for about nights.
    func endNights(of session: SensorSession) {
        if session.nights.countFruitless() { notices.send("\(session.identity.name): \(Self.nightsNoLongerAsked)") }
    }

    private static let nightsNoLongerAsked =
        "Its link has ended three times when it was asked for its nights, so only the key f asks it again."
    private static let foreignLink =
        "Its nights need a link of their own, and another program uses the present one: disconnect it there."
}

/// A night that a sensor handed over.
public struct SensorNight: Hashable, Sendable {
    /// The sensor.
    public var sensor: SensorIdentity
    /// Its file.
    public var night: FetchedNight

    public init(sensor: SensorIdentity, night: FetchedNight) { (self.sensor, self.night) = (sensor, night) }
}

/// What is kept of a ring's nights from one link to the next.
struct SessionNights: Sendable {
    /// What came of the file that was being fetched; `nil` for nothing.
    var part: NightPart?
    /// Which nights the next conversation fetches, and since when.
    private var wish: (fetching: DriverNights.Fetching, since: Moment)?
    /// What was reported last.
    var report: SensorNights?
    /// The number of the link on which that was.
    var link = 0
    private var failures: [String: Int] = [:]
    /// Whether it was asked, and nothing is known of what came of that.
    var isAwaited = false
    /// How many links have ended by being asked, one after the other.
    private var fruitless = 0

    /// How often a night is fetched in vain that nobody has asked for, and how many links may end by asking.
    static let mostFailures = 3

    /// The nights that are no longer fetched unasked.
    var leftOut: Set<String> { Set(failures.filter { $0.value >= Self.mostFailures }.keys) }

    /// Whether it may be asked unasked: some rings might end the link by that, and never send a value.
    var mayBeAsked: Bool { fruitless < Self.mostFailures }

    /// Records that the ring has answered about its nights.
    mutating func answered() { if isAwaited { (isAwaited, fruitless) = (false, 0) } }

    /// Counts a link that has ended before the ring has answered; returns whether it was the last that may.
    mutating func countFruitless() -> Bool {
        guard isAwaited else { return false }
        isAwaited = false
        fruitless += 1
        return fruitless == Self.mostFailures
    }

    /// Has the next conversation fetch nights.
    mutating func want(_ fetching: DriverNights.Fetching, at now: Moment) { wish = (fetching, now) }

    /// Which nights a conversation fetches that begins now: a wish that was not met in time has no effect later, when the
    /// ring may be worn again.
    mutating func takeWish(at now: Moment) -> DriverNights.Fetching {
        defer { wish = nil }
        guard let wish, now.since(wish.since) <= wish.fetching.patience else { return .none }
        return wish.fetching
    }

    /// Counts that a night could not be fetched or stored.
    mutating func countFailure(of name: String) {
        if failures.count >= 2 * SensorNights.limit { failures = [:] }
        failures[name, default: 0] += 1
    }

    /// Keeps the next piece of a file.
    mutating func append(_ piece: [UInt8], of name: String, size: Int, isFirst: Bool) {
        if isFirst || part?.name != name || part?.size != size { part = NightPart(name: name, size: size) }
        part?.append(piece)
    }
}

extension DriverNights.Fetching {
    /// How long a link for it may take to come.
    fileprivate var patience: Duration { self == .asked ? .seconds(600) : .seconds(30) }
}
