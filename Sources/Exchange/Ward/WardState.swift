import Monitoring
import Base
import Vitals
import WardMessages

/// The state of a ward screen: the broker, the beds, the alarms.
///
/// A pure value: messages and moments go in, requests and entries of the log come out. Values are aged by the ward's
/// own monotonic clock; a bed's wall clock is never used in calculations.
public struct WardState: Sendable {
    /// The user's choices.
    public let settings: WardSettings
    /// The moment of the newest input; never goes back.
    public private(set) var now: Moment
    /// The connection to the broker.
    public private(set) var broker = BrokerLink.connecting
    /// The bed of the newest message; `nil` if that was about none.
    public private(set) var newestBed: WardBed?
    /// When ``broker`` last changed.
    public private(set) var brokerSince: Moment
    /// The ward's own technical alarms, the worst first.
    public internal(set) var ownAlarms: [WardOwnAlarm] = []
    /// The log, the oldest entry first.
    public internal(set) var log: [WardLogEntry] = []
    /// The message for the user, and its time.
    public internal(set) var notice: (text: String, since: Moment)?

    /// The beds, in the order of their names: comparing names is slow, and each frame needs it.
    public private(set) var beds: [BedState] = []
    /// Where each bed is in ``beds``.
    private var places: [WardBed: Int] = [:]
    /// The beds that have no place in ``beds``.
    public private(set) var unplaced = UnplacedBeds()
    /// Whether a bed may have to leave its place to another one; `false` if that was tried in vain.
    private var mayDisplace = true
    /// The version of ``unplaced`` that the alarms are about.
    private var evaluatedVersion = 0
    var openAnswers: [OpenAnswer] = []
    /// Whether alarms are certain to sound at this screen (``setSounding(_:at:)``).
    public internal(set) var isSounding = false
    let name: WardToken
    private var requestNumber = 0
    private var warned: [String: MonotonicTime] = [:]
    private var due: MonotonicTime?

    /// Creates a ward without beds.
    ///
    /// - Parameters:
    ///   - settings: The user's choices.
    ///   - name: A random name of this screen, which begins the names of its requests.
    ///   - start: The present moment.
    public init(settings: WardSettings = WardSettings(), name: WardToken, start: Moment) {
        self.settings = settings
        self.name = WardToken(name.text.prefix(20)) ?? name
        now = start
        brokerSince = start
    }

    /// Whether beds of several sites are known, whose names may be equal.
    public var hasSeveralSites: Bool { beds.first?.bed.site != beds.last?.bed.site }

    /// How beds that have no place can be shown.
    public var placeRemedy: String {
        let site = beds.first?.bed.site
        let isOneSite = !hasSeveralSites && unplaced.heard.allSatisfy { $0.site == site }
        return isOneSite ? "over \(WardSettings.mostBeds) beds, divide the site" : "name one site with --site"
    }

    /// Calls a function with each bed whose values are present, without copying the beds.
    public func forEachLiveBed(_ body: (BedState) -> Void) {
        beds.withUnsafeBufferPointer { beds in
            // The subscript of a buffer would copy, that of a pointer does not.
            guard let first = beds.baseAddress else { return }
            for place in 0..<beds.count where first[place].link.isLive { body(first[place]) }
        }
    }

    /// The worst of the ward's own alarms about each bed that has one.
    public var ownAlarmsByBed: [WardBed: WardOwnAlarm] {
        var alarms: [WardBed: WardOwnAlarm] = [:]
        for alarm in ownAlarms {
            if let bed = alarm.bed, alarms[bed] == nil { alarms[bed] = alarm }
        }
        return alarms
    }

    /// A bed's name for users: "bed 12", and "bed 12 north" with several sites.
    public func label(of bed: WardBed) -> String {
        hasSeveralSites ? "\(bed.label) \(bed.site)" : bed.label
    }

    /// A bed.
    public subscript(bed: WardBed) -> BedState? { places[bed].map { beds[$0] } }

    /// When ``advance(to:)`` must be called at the latest; `nil` if time alone changes nothing.
    public var nextDeadline: Moment? {
        due.map { now.advanced(by: .nanoseconds(max(0, $0.nanoseconds(since: now.monotonic)))) }
    }

    /// When a present value becomes stale next, or a stale one lost, if nothing arrives.
    public func nextStaleness(after now: Moment) -> Moment? {
        var next: Moment?
        forEachLiveBed { bed in
            for vital in Vital.allCases {
                guard let change = bed.nextChange(of: vital, at: now, settings) else { continue }
                next = min(next ?? change, change)
            }
        }
        return next
    }

    private var connectedSince: Moment? { broker == .connected ? brokerSince : nil }

    // MARK: Inputs

    /// The connection to the broker changed.
    public mutating func brokerChanged(_ link: BrokerLink, at moment: Moment) -> [WardEffect] {
        now = max(now, moment)
        guard link != broker else { return [] }
        broker = link
        brokerSince = now
        for place in beds.indices {
            beds[place].sessions.forget()
            beds[place].requests.forget()
            beds[place].anchor = nil
            guard link == .connected else { continue }
            // All beds are asked again, but not all at once.
            beds[place].requests.want(
                at: now.monotonic.advanced(by: .milliseconds(Self.jitter(beds[place].bed))))
        }
        unplaced.forget(at: now.monotonic)
        var effects: [WardEffect] = []
        if case .lost = link {
            // One alarm replaces all others.
            ownAlarms = []
            effects += setOwnAlarms([.noBroker], of: nil)
        }
        return effects + advanceAll()
    }

    /// Handles a message of the broker.
    ///
    /// - Parameters:
    ///   - topic: Its topic.
    ///   - payload: Its bytes.
    ///   - isRetained: Whether the broker had stored it.
    ///   - moment: When it arrived.
    public mutating func receive(
        topic: String, payload: [UInt8], isRetained: Bool, at moment: Moment
    ) -> [WardEffect] {
        var effects = advance(to: moment)
        newestBed = nil
        guard broker == .connected else { return effects }
        guard let topic = WardTopic(topic) else {
            return effects
                + warn("A message at the topic \(sanitized(topic, limit: 60)) was ignored: it is no topic of a bed.")
        }
        let bed = topic.bed
        newestBed = bed
        if isRetained, topic.subject != .session {
            return effects
                + warn(
                    "\(label(of: bed)): a retained message at \(name(of: topic)) was ignored; no monitor leaves one there."
                )
        }
        let message: WardMessage
        do throws(WardMessageError) {
            message = try WardDecoder.decode(topic.subject, payload)
        } catch {
            return effects + warn("\(label(of: bed)): a message at \(name(of: topic)) was ignored: \(error).")
        }
        if let place = places[bed] ?? makePlace(for: bed, message) {
            if topic.subject == .session { mayDisplace = true }
            effects += handle(message, topic.subject, of: bed, at: place)
            effects += update(place)
        }
        return effects + evaluateWard()
    }

    // MARK: Places

    /// Makes a place for a bed that has none.
    ///
    /// Presences come first at the start, and those of the dead are kept by the broker for ever. So where all places are
    /// taken, a bed that is heard takes the place of one that never was, or that its user has closed. One that was heard and
    /// is lost keeps its place, because its alarms and last values would be forgotten with it.
    ///
    /// - Returns: `nil` if there is none, which ``unplaced`` then tells.
    private mutating func makePlace(for bed: WardBed, _ message: WardMessage) -> Int? {
        guard let presence = Self.presence(message) else { return nil }
        if beds.count >= WardSettings.mostBeds {
            guard presence == .heard, mayDisplace, let leaving = mostDispensable else {
                if presence == .heard { mayDisplace = false }
                unplaced.record(bed, presence, at: now.monotonic)
                return nil
            }
            displace(leaving)
        }
        unplaced.remove(bed)
        mayDisplace = true
        let place = beds.firstIndex { bed < $0.bed } ?? beds.endIndex
        beds.insert(BedState(bed, at: now), at: place)
        renumber(from: place)
        return place
    }

    /// What a message tells of a bed without a place; `nil` if nothing.
    private static func presence(_ message: WardMessage) -> UnplacedBeds.Presence? {
        switch message {
        case .birth, .vital, .unknownVital, .alarm, .heartbeat: .heard
        case .session(let session):
            switch session.state {
            case .online: .announced
            case .offline(.lost): .lost
            case .offline(.closed): .closed
            }
        case .history, .historyAcknowledgement, .command, .commandResult: nil
        }
    }

    /// The place of the bed that can be displaced with the least loss; `nil` if none can be.
    private var mostDispensable: Int? {
        var best: (place: Int, rank: BedState.Dispensability)?
        for place in beds.indices {
            guard let rank = beds[place].dispensability, best.map({ rank < $0.rank }) ?? true else { continue }
            best = (place, rank)
        }
        return best?.place
    }

    /// A bed gives its place away; that it is not heard stays known.
    private mutating func displace(_ place: Int) {
        let leaving = beds.remove(at: place)
        places[leaving.bed] = nil
        renumber(from: place)
        // Not logged as ended: the link is not back, and the alarm about the beds without a place goes on.
        ownAlarms.removeAll { $0.bed == leaving.bed }
        openAnswers.removeAll { $0.bed == leaving.bed }
        switch leaving.dispensability?.presence {
        case .closed: unplaced.record(leaving.bed, .closed, at: now.monotonic)
        case .lost: unplaced.record(leaving.bed, .lost, at: now.monotonic)
        case .heard, .announced, nil:
            unplaced.record(leaving.bed, leaving.link == .noLink ? .lost : .announced, at: now.monotonic)
        }
    }

    private mutating func renumber(from place: Int) {
        for later in place..<beds.endIndex { places[beds[later].bed] = later }
    }

    /// Raises the alarms about beds without a place.
    private mutating func evaluateWard() -> [WardEffect] {
        guard broker == .connected else { return [] }
        unplaced.advance(to: now.monotonic)
        if let deadline = unplaced.due { due = min(due ?? deadline, deadline) }
        guard unplaced.version != evaluatedVersion || ownAlarms.contains(where: { $0.kind == .noBroker }) else {
            return []
        }
        evaluatedVersion = unplaced.version
        var effects = setOwnAlarms(
            (unplaced.heard.isEmpty ? [] : [.noPlace]) + (unplaced.lost.isEmpty ? [] : [.noLink]), of: nil)
        for index in ownAlarms.indices where ownAlarms[index].bed == nil {
            let beds = unplacedBeds(of: ownAlarms[index].kind)
            let known = Set(ownAlarms[index].unplaced)
            ownAlarms[index].unplaced = beds
            // Another bed is another alarm.
            if ownAlarms[index].isAcknowledged, !known.isSuperset(of: beds) {
                ownAlarms[index].isAcknowledged = false
                effects += log(ownAlarms[index], .active)
            }
        }
        return effects
    }

    /// The level of the topic below the bed.
    private func name(of topic: WardTopic) -> String {
        topic.text.split(separator: "/").dropFirst(4).prefix(2).joined(separator: "/")
    }

    /// Handles the passing of time.
    public mutating func advance(to moment: Moment) -> [WardEffect] {
        now = max(now, moment)
        guard let due, now.monotonic >= due else { return [] }
        return advanceAll()
    }

    // MARK: Messages

    private mutating func handle(
        _ message: WardMessage, _ subject: WardTopic.Subject, of bed: WardBed, at place: Int
    ) -> [WardEffect] {
        switch message {
        case .session(let session): beds[place].receive(session, at: now)
        case .birth(let birth):
            guard let effects = hear(birth.stamp, at: place) else { return [] }
            return effects + logChanges(at: place, beds[place].receive(birth, at: now))
        case .vital(let vital):
            guard let effects = hear(vital.stamp, at: place) else { return [] }
            guard let facts = beds[place].facts else { return effects }
            guard vital.isSimulated == facts.isSimulated, vital.isReplay == facts.isReplay else {
                return effects
                    + warn("\(label(of: bed)): a value was ignored that is simulated, or is not, unlike its session.")
            }
            beds[place].receive(vital, at: now)
            return effects
        case .unknownVital(let stamp): return hear(stamp, at: place) ?? []
        case .alarm(let alarm):
            guard let effects = hear(alarm.stamp, at: place) else { return [] }
            let before = beds[place].alarmRecords[alarm.alarm.id]?.alarm
            guard beds[place].receive(alarm, at: now) else { return effects }
            return effects + logChange(of: bed, before, alarm.alarm)
        case .heartbeat(let heartbeat):
            guard let effects = hear(heartbeat.stamp, at: place) else { return [] }
            beds[place].receive(heartbeat, at: now)
            // What the heartbeat proves about the link comes first.
            return effects + evaluate(place) + listen(at: place)
        case .commandResult(let result):
            if case .commandResult(let request) = subject { answered(request, result, of: bed) }
        // The ward does not subscribe to these.
        case .history, .historyAcknowledgement, .command: break
        }
        return []
    }

    /// Records a message of a session.
    ///
    /// - Returns: `nil` if its content does not count, because it is of another session than the one whose values are kept.
    private mutating func hear(_ stamp: WardStamp, at place: Int) -> [WardEffect]? {
        if beds[place].hear(stamp, at: now) { return [] }
        // The first message of a session may make it the only one heard now, and so the one that counts.
        let effects = evaluate(place)
        guard beds[place].current == stamp.session, beds[place].hear(stamp, at: now) else { return nil }
        return effects
    }

    // MARK: Time

    private mutating func advanceAll() -> [WardEffect] {
        var effects: [WardEffect] = []
        expireAnswers()
        due = openAnswers.map(\.expires).min()
        for place in beds.indices { effects += update(place) }
        return effects + evaluateWard()
    }

    /// Updates a bed, and requests missing data from it.
    private mutating func update(_ place: Int) -> [WardEffect] {
        var effects = evaluate(place)
        if let wanted = beds[place].requests.due, wanted <= now.monotonic, broker == .connected,
            beds[place].isReachable(at: now)
        {
            let request = nextRequest()
            beds[place].requests.asked(request, at: now.monotonic)
            effects.append(.publish(WardTopic(beds[place].bed, .command(.birth, request: request)), .birth))
            effects += evaluate(place)
        }
        if let deadline = beds[place].deadline(at: now, connectedSince: connectedSince) {
            due = min(due ?? deadline, deadline)
        }
        return effects
    }

    private mutating func evaluate(_ place: Int) -> [WardEffect] {
        let before = beds[place].alarmRecords
        let isOther = beds[place].evaluate(at: now, connectedSince: connectedSince, settings)
        var effects = isOther ? logChanges(at: place, before.mapValues(\.alarm)) : []
        if broker == .connected { effects += setOwnAlarms(beds[place].ownAlarms, of: beds[place].bed) }
        return effects
    }

    /// Schedules the expiry of the newest request.
    mutating func wakeForAnswers() {
        if let expires = openAnswers.map(\.expires).min() { due = min(due ?? expires, expires) }
    }

    /// Answers the challenge of a bed, if this screen sounds and knows exactly the bed's present alarms.
    private mutating func listen(at place: Int) -> [WardEffect] {
        let bed = beds[place]
        guard isSounding, bed.link.isLive, bed.agrees, let challenge = bed.challenge, let session = bed.current else {
            return []
        }
        // A bed that floods challenges gets no flood of answers.
        if let last = bed.listenedAt, now.since(last) < Self.listeningPace { return [] }
        beds[place].listenedAt = now
        return [report(to: bed.bed, session, challenge: challenge)]
    }

    /// The shortest time between two answers to the challenges of a bed.
    private static let listeningPace = Duration.milliseconds(500)

    /// Answers the newest challenge of each bed, which counts from when the bed sent it.
    mutating func startListening() -> [WardEffect] { beds.indices.flatMap { listen(at: $0) } }

    /// Tells the beds for which this screen sounds that it does not any more.
    mutating func stopListening() -> [WardEffect] {
        var effects: [WardEffect] = []
        for place in beds.indices where beds[place].listenedAt != nil {
            beds[place].listenedAt = nil
            if let session = beds[place].current {
                effects.append(report(to: beds[place].bed, session, challenge: nil))
            }
        }
        return effects
    }

    /// A unique name for a request.
    mutating func nextRequest() -> WardToken {
        requestNumber += 1
        return WardToken("\(name)-\(requestNumber)") ?? name
    }

    /// A delay in milliseconds, up to three seconds, that differs from bed to bed.
    private static func jitter(_ bed: WardBed) -> Int {
        let hash = "\(bed.site)/\(bed.bed)".utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return Int(hash % 3000)
    }

    // MARK: Warnings

    /// Reports an unexpected event, but the same one at most once a minute.
    private mutating func warn(_ text: String) -> [WardEffect] {
        if let last = warned[text], now.monotonic.since(last) < .seconds(60) { return [] }
        if warned.count >= 64 { warned = warned.filter { now.monotonic.since($0.value) < .seconds(60) } }
        guard warned.count < 64 else { return [] }
        warned[text] = now.monotonic
        return [.warning(text)]
    }
}

extension BedState {
    /// Whether a session may exist that can answer.
    func isReachable(at now: Moment) -> Bool {
        isAnnounced || !sessions.alive(at: now.monotonic, within: Self.timeout).isEmpty
    }
}
