import Base
import SensorDrivers
import VitalDecoders
import Vitals

/// The transfer of a ring's stored nights: which exist, which are fetched, and what has become of each.
///
/// A pure state machine for every generation of rings, beside the present values of a driver: one request at a time,
/// whose answer is the beginning of the next one. Nights are fetched from the oldest on, because a ring overwrites it
/// first; what an earlier link has brought of a file is continued. A file counts once it is whole, its sums are right
/// and the ring has completed it. Whatever the ring does, the transfer ends.
struct NightTransfer<Ring: NightProtocol>: Sendable {
    private let context: DriverContext
    private var known: Set<String>
    private var clock = NightClock()
    /// What was reported last.
    private(set) var report = SensorNights(generation: Ring.generation)
    /// The request that the ring has not answered; `nil` while nothing is transferred.
    private(set) var request: NightRequest?
    /// What follows the present request before the list.
    private var opening: ArraySlice<NightRequest> = []
    /// Which nights are fetched once the list is there.
    private var fetching = DriverNights.Fetching.none
    /// Which nights are still to be fetched, the oldest first.
    private var queue: [String] = []
    /// The file that is being fetched, or what an earlier link has brought of one.
    private var part: NightPart?
    /// The state of the open night once its file is closed.
    private var outcome: SensorNights.State?
    /// How often the present request was repeated.
    private var repetitions = 0
    /// Whether the present request is repeated at the next tick, because the ring was busy.
    private var isWaiting = false
    private var began: Moment?
    private var heard: Moment?
    /// Whether somebody has asked for the nights, and nothing was done about it yet.
    private var isAsked = false
    /// Since when it has not been worn; `nil` while it is, or before the first answer.
    private var offSince: Moment?
    /// Whether the ring was worn on this link, so that it has a new night.
    private var wasWorn = false
    /// Whether the nights that were there when it was taken off are fetched, or a link for that was asked for.
    private var isSettled = false
    /// Whether the same is true of the night that it has completed since.
    private var isFollowed = false
    /// Whether the ring was asked for its nights on this link.
    private var hasAskedForList = false
    /// Whether a piece of the present file has come in this transfer.
    private var hasProgressed = false

    /// The time from one look at a transfer to the next one.
    static var tick: Duration { .seconds(2) }
    /// How long a ring may answer nothing.
    static var longestSilence: Duration { .seconds(6) }
    /// How long a transfer may take that somebody has asked for: ten nights of the slowest ring.
    static var longest: Duration { .seconds(600) }
    /// After how long an unasked transfer pauses for present values, which tell whether the ring is worn again.
    static var longestTurn: Duration { .seconds(20) }
    /// How long it must not have been worn before nights are fetched unasked: a slipped ring is no ring that is taken off.
    static var longestSlip: Duration { .seconds(8) }
    /// How often a request is repeated whose answer was damaged, or that the ring was too busy for.
    static var mostRepetitions: Int { 3 }

    init(_ context: DriverContext) {
        self.context = context
        known = context.nights.known
        part = context.nights.part
        guard var earlier = context.nights.report else { return }
        earlier.interrupt()
        (report, hasAskedForList) = (earlier, true)
    }

    /// Whether a request is not answered yet, so that nothing else may be asked for.
    var isBusy: Bool { request != nil }

    /// Why there are no present values while nights are fetched; `nil` while none are.
    ///
    /// Unasked nothing is fetched of a ring that is worn, and it is asked often whether it is.
    var absence: AbsenceReason? { report.isTransferring ? fetching == .asked ? .handingOver : .offBody : nil }

    /// The names of the nights to fetch.
    private func names(_ fetching: DriverNights.Fetching) -> [String] {
        switch fetching {
        case .none: []
        case .unasked: report.wanted.map(\.name).filter { !context.nights.leftOut.contains($0) }
        case .asked: report.wanted.map(\.name)
        }
    }

    // MARK: What is wanted

    /// What is asked at the beginning of a link, before the first present values; nothing of most rings.
    mutating func begin(at now: Moment) -> [DriverAction] {
        let (policy, fetching) = (context.nights.policy, context.nights.fetching)
        // A ring that needs a link for itself has had its present values asked for on this one.
        if hasAskedForList, Ring.needsOwnLink { return [reported] }
        guard fetching != .none || policy != .never && Ring.needsOwnLink else { return [reported] }
        return [reported] + list(fetching, at: now)
    }

    /// Somebody wants the nights: now, where a ring is not asked for present values at this moment, or after its answer.
    mutating func want() -> [DriverAction] {
        if report.isTransferring { return [] }
        guard Ring.needsOwnLink else {
            isAsked = true
            return []
        }
        return [.nights(.reconnect(.asked))]
    }

    /// Decides after an answer with present values whether nights are asked for.
    ///
    /// - Parameters:
    ///   - isWorn: Whether it measures; then nothing is fetched that nobody has asked for.
    ///   - isLeftAlone: Whether it is about to be left alone, so that it can sleep: by then it has completed its night.
    mutating func consider(isWorn: Bool, isLeftAlone: Bool, at now: Moment) -> [DriverAction] {
        let policy = context.nights.policy
        if isWorn { (wasWorn, isFollowed, isSettled) = (true, false, false) }
        let since = offSince ?? now
        offSince = isWorn ? nil : since
        let isOff = !isWorn && now.since(since) >= Self.longestSlip
        if isAsked {
            isAsked = false
            return list(.asked, at: now)
        }
        guard policy != .never else { return [] }
        let unasked = isOff && policy == .always ? DriverNights.Fetching.unasked : .none
        if isLeftAlone, !isFollowed, wasWorn || names(unasked).contains(where: { state(of: $0) == .incomplete }) {
            isFollowed = true
            return fetch(unasked, at: now)
        }
        if !Ring.needsOwnLink, !hasAskedForList { return list(unasked, at: now) }
        guard unasked != .none, !isSettled, !names(unasked).isEmpty else { return [] }
        isSettled = true
        return fetch(unasked, at: now)
    }

    /// Asks for the list and the nights on this link, or for a link for that.
    private mutating func fetch(_ fetching: DriverNights.Fetching, at now: Moment) -> [DriverAction] {
        guard Ring.needsOwnLink else { return list(fetching, at: now) }
        return fetching == .none ? [] : [.nights(.reconnect(fetching))]
    }

    /// Asks for the list, and then for the nights.
    private mutating func list(_ fetching: DriverNights.Fetching, at now: Moment) -> [DriverAction] {
        guard !isBusy else { return [] }
        (began, heard, self.fetching) = (now, now, fetching)
        if fetching != .none { isSettled = true }
        hasAskedForList = true
        opening = Ring.opening[...]
        return [.nights(.asking), .setTimer(Self.tick)] + askNextOfOpening()
    }

    /// Handles what has become of a fetched night.
    mutating func handled(_ name: String, problem: String?) -> [DriverAction] {
        if problem == nil { known.insert(name) }
        return change(
            name, to: problem.map { .failed(sanitized($0, limit: SensorNights.State.longestReason)) } ?? .stored)
    }

    // MARK: What the ring does

    /// Handles the data of an answer to the present request.
    mutating func answered(_ data: [UInt8], at now: Moment) -> [DriverAction] {
        guard let request, !isWaiting else { return [] }
        heard = now
        guard let answer = Ring.answer(data, to: request) else { return damaged(at: now) }
        repetitions = 0
        switch answer {
        case .done:
            if case .close = request, report.isTransferring { return closed() }
            return askNextOfOpening()
        case .clock(let time):
            clock.read(time, at: now)
            return askNextOfOpening()
        case .names(let names, let time):
            clock.read(time, at: now)
            return listed(names)
        case .size(let size): return opened(size)
        case .piece(let piece): return received(piece, at: now)
        }
    }

    /// Handles an answer with an error.
    mutating func refused(_ code: UInt8, at now: Moment) -> [DriverAction] {
        guard let request, !isWaiting else { return [] }
        heard = now
        let reason: String
        switch Ring.refusal(code) {
        case .busy where repetitions < Self.mostRepetitions:
            repetitions += 1
            isWaiting = true
            return []
        case .busy: reason = "the ring is busy"
        case .refused(let clause): reason = clause
        }
        repetitions = 0
        switch request {
        case .settings, .clock: return askNextOfOpening()
        case .close: return report.isTransferring ? closed() : askNextOfOpening()
        case .list: return end(because: reason)
        case .open, .piece: return close(.failed(reason))
        }
    }

    /// Handles an answer that cannot be read: what it was for is asked for again.
    mutating func damaged(at now: Moment) -> [DriverAction] {
        guard let request, !isWaiting else { return [] }
        heard = now
        guard repetitions < Self.mostRepetitions else {
            repetitions = 0
            switch request {
            case .settings, .clock: return askNextOfOpening()
            case .close: return report.isTransferring ? closed() : askNextOfOpening()
            case .list: return end(because: "its list of nights cannot be read")
            case .open, .piece: return close(.failed("the ring's answers are damaged"))
            }
        }
        repetitions += 1
        return write(request)
    }

    /// Looks after the transfer; the driver's timer fires for that each ``tick``.
    mutating func ticked(at now: Moment) -> [DriverAction] {
        guard let request, let began, let heard else { return [] }
        if now.since(began) > Self.longest { return end(because: "the transfer took too long") }
        if isWaiting {
            isWaiting = false
            self.heard = now
            return [.setTimer(Self.tick)] + write(request)
        }
        // Present values must not wait for a ring that knows no list.
        guard now.since(heard) < (report.isTransferring ? Self.longestSilence : Self.tick) else {
            return end(because: "the ring stopped answering")
        }
        return [.setTimer(Self.tick)]
    }

    // MARK: Steps

    private mutating func askNextOfOpening() -> [DriverAction] {
        guard let next = opening.popFirst() else { return end(because: nil) }
        return ask(next)
    }

    private mutating func ask(_ request: NightRequest) -> [DriverAction] {
        repetitions = 0
        return write(request)
    }

    private mutating func write(_ request: NightRequest) -> [DriverAction] {
        self.request = request
        return Ring.writes(request).map { .request($0) }
    }

    private mutating func listed(_ names: [String]) -> [DriverAction] {
        let usable = Set(names.filter { NightName.isUsable($0) })
        // Their names are their beginnings.
        let sorted = usable.sorted().prefix(SensorNights.limit)
        let before = report.nights ?? []
        report.nights = sorted.map { name in
            let old = before.first { $0.name == name }
            if known.contains(name) { return SensorNights.Night(name: name, state: .stored, minutes: old?.minutes) }
            if let part, part.name == name {
                return SensorNights.Night(name: name, state: .partial(percent: part.percent))
            }
            return old ?? SensorNights.Night(name: name, state: .onRing)
        }
        let leftOut = names.count - sorted.count
        var notices: [DriverAction] =
            leftOut > 0 && before.isEmpty
            ? [.notice("\(leftOut) of its stored nights are left out: they have no usable name, or one twice.")] : []
        queue = self.names(fetching)
        report.isTransferring = !queue.isEmpty
        if fetching == .asked, queue.isEmpty { notices.append(.notice("It has no night that is not stored already.")) }
        return [.streaming] + notices + openNext()
    }

    private mutating func openNext() -> [DriverAction] {
        guard !queue.isEmpty else { return end(because: nil) }
        hasProgressed = false
        return [reported] + ask(.open(queue[0]))
    }

    private mutating func opened(_ size: Int) -> [DriverAction] {
        guard let name = queue.first, (1...ViatomNightFile.longest).contains(size) else {
            return close(.failed("the ring says that it has \(size) octets"))
        }
        // What the ring has written on since is another file.
        if part?.name != name || part?.size != size || part?.octets.isEmpty == true { part = nil }
        if part == nil { part = NightPart(name: name, size: size) }
        return change(name, to: .fetching(percent: part?.percent ?? 0)) + askForPiece()
    }

    private mutating func askForPiece() -> [DriverAction] {
        guard let part, part.octets.count < part.size else { return close(nil) }
        let number = part.pieceLength > 0 ? part.octets.count / part.pieceLength : 0
        return ask(.piece(number: number, offset: part.octets.count))
    }

    private mutating func received(_ piece: [UInt8], at now: Moment) -> [DriverAction] {
        guard var part, let name = queue.first else { return end(because: nil) }
        let left = part.size - part.octets.count
        guard !piece.isEmpty else { return close(.failed("it ends after \(part.octets.count) of \(part.size) octets")) }
        guard piece.count <= left else { return close(.failed("it has more than the \(part.size) octets announced")) }
        // The next piece of a file that another program has fetched in other lengths would be from another place.
        if Ring.hasNumberedPieces, part.pieceLength > 0, piece.count != part.pieceLength, piece.count != left {
            return close(.failed("its pieces do not fit together"))
        }
        // So that a ring that sends octet by octet does not take for ever.
        guard piece.count >= min(left, Self.shortestPiece) else {
            return close(.failed("the ring sends it in pieces of \(piece.count) octets"))
        }
        let (isFirst, before) = (part.octets.isEmpty, part.percent)
        // Without a second owner, or each piece would copy the whole file.
        self.part = nil
        part.append(piece)
        hasProgressed = true
        let percent = part.percent
        let kept = DriverAction.nights(.piece(piece, of: name, size: part.size, isFirst: isFirst))
        self.part = part
        let actions = [kept] + (percent > before ? change(name, to: .fetching(percent: percent)) : [])
        // Between two requests, or the answer to the last one would be taken for present values.
        if fetching == .unasked, let began, now.since(began) > Self.longestTurn {
            isSettled = false
            return actions + end(because: nil)
        }
        return actions + askForPiece()
    }

    /// Closes the file; without a state, its content decides.
    private mutating func close(_ state: SensorNights.State?) -> [DriverAction] {
        outcome = state
        return ask(.close)
    }

    /// Evaluates the file that is closed, and goes on with the next one.
    private mutating func closed() -> [DriverAction] {
        guard !queue.isEmpty else { return end(because: nil) }
        let name = queue.removeFirst()
        var actions: [DriverAction]
        if let outcome { actions = giveUp(name, outcome) } else { actions = evaluate(name) }
        outcome = nil
        part = nil
        actions += openNext()
        return actions
    }

    private mutating func evaluate(_ name: String) -> [DriverAction] {
        guard let part, part.name == name else { return giveUp(name, .failed("nothing of it came")) }
        do throws(MalformedValueError) {
            let file = try ViatomNightFile(part.octets)
            guard file.isComplete, let time = file.start else { return giveUp(name, .incomplete) }
            guard let start = clock.start(time, context) else {
                return giveUp(name, .failed("it begins at no time"))
            }
            if let place = place(of: name) {
                let minutes = file.samples.count * file.interval / 60
                report.nights?[place] = SensorNights.Night(name: name, state: .received, minutes: minutes)
            }
            let night = FetchedNight(name: name, octets: part.octets, start: start.wall, clockAhead: start.ahead)
            return [reported, .nights(.fetched(night))]
        } catch {
            return giveUp(name, .failed(sanitized(error.reason, limit: SensorNights.State.longestReason)))
        }
    }

    private mutating func giveUp(_ name: String, _ state: SensorNights.State) -> [DriverAction] {
        [.nights(.failed(name: name))] + change(name, to: state)
    }

    /// Ends the transfer; present values go on.
    private mutating func end(because reason: String?) -> [DriverAction] {
        let wasOpen =
            switch request {
            case .open, .piece: true
            default: false
            }
        (request, opening, isWaiting) = (nil, [], false)
        var actions: [DriverAction] = []
        // So that the next file can be opened; nobody waits for the answer.
        if wasOpen { actions += Ring.writes(.close).map { .request($0) } }
        // What has come of it is kept; but where it always stops at the same place, it is left out in the end.
        if reason != nil, wasOpen, !hasProgressed, let name = queue.first {
            actions.append(.nights(.stalled(name: name)))
        }
        let wasTransferring = report.isTransferring
        report.interrupt()
        queue = []
        defer { fetching = .none }
        actions.append(reported)
        if wasTransferring || fetching == .asked, let reason {
            actions.append(.notice("Its nights were not fetched to the end: \(reason). What is here of them is kept."))
        }
        return actions
    }

    private var reported: DriverAction { .nights(.all(report)) }

    private mutating func change(_ name: String, to state: SensorNights.State) -> [DriverAction] {
        guard let place = place(of: name) else { return [] }
        report.nights?[place].state = state
        return [reported]
    }

    private func state(of name: String) -> SensorNights.State? { place(of: name).flatMap { report.nights?[$0].state } }

    private func place(of name: String) -> Int? { report.nights?.firstIndex { $0.name == name } }

    /// The fewest octets of a piece that is not the last one.
    private static var shortestPiece: Int { 16 }
}
