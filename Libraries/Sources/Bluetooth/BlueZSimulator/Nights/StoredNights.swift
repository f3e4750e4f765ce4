import Base
import VitalDecoders

/// The nights of a ring in a scenario.
struct StoredNightsDescription: Hashable, Sendable {
    var ring: RingProtocol
    /// In the order of the scenario.
    var nights: [NightDescription] = []
}

/// The nights that a simulated ring has stored, and its side of the conversation in which they are fetched.
///
/// It keeps the newest four nights. Which of them have begun and which are finished follows from the time. What is not
/// about nights is left to the rules of the scenario.
struct StoredNights {
    /// A night with its times.
    struct Night: Hashable {
        var description: NightDescription
        var name: String
        /// In seconds since 1970 as if the ring's clock were UTC, and in seconds of the scenario.
        var start: Int
        var begin: Double
        var noise: Noise
    }

    /// What a ring does with a request.
    enum Reaction: Hashable {
        /// The rules of the scenario answer it.
        case rules([UInt8])
        /// It answers, later than usual by some seconds.
        case answer([UInt8], delay: Double = 0)
        case silence
        /// The link is lost.
        case breakLink
        /// It is useless from now on: somebody sent a command that nobody may send.
        case die
    }

    /// What the ring knows when it is asked.
    struct Surroundings {
        /// The time of the scenario, in seconds, and by the ring's clock.
        var seconds: Double
        var clock: DateTime
        /// The sensor's name.
        var name: String
        /// The value of a quantity of the scenario.
        var quantity: (String) -> Double
    }

    /// The most nights that a ring keeps; the oldest one goes when the next one begins.
    static let capacity = 4
    /// The most octets of a file in one answer.
    static let chunk = 512
    /// The seconds until a usual answer, in packets of usual latency.
    static let delay = 0.03

    let ring: RingProtocol
    private let nights: [Night]

    /// What was written and is no whole request yet.
    private var pending: [UInt8] = []
    /// The octets of the file that is being read.
    var opened: [UInt8]?
    /// What a newer ring was asked for in this link: the login, the end of pushes, the configuration, live values.
    var session = Session()
    private var chunksInLink = 0
    private var breaks = 0
    private var busyAnswers = 0
    /// What the newest request sets the clock to, as the octets of a Date Time (2A08).
    var clockToSet: [UInt8]?
    /// What was asked for since the beginning.
    private(set) var counts = Counts()
    private(set) var isDead = false

    struct Session: Hashable {
        var isLoggedIn = false
        var isQuiet = false
        var isConfigured = false
        var isLive = false
    }

    struct Counts: Hashable {
        var opened = 0
        var closed = 0
        var chunks = 0
        var forbidden: [UInt8] = []
    }

    /// Creates the memory of a ring.
    ///
    /// - Parameters:
    ///   - description: Its nights.
    ///   - clock: Its clock when the scenario begins, in seconds since 1970 as if it were UTC.
    ///   - noise: The chance of this ring.
    init(_ description: StoredNightsDescription, clock: Int, noise: Noise) {
        ring = description.ring
        nights = description.nights.enumerated().map { index, night in
            let start = Self.start(night.start, clock)
            return Night(
                description: night, name: night.name ?? DateTime(clockSeconds: start).digits, start: start,
                begin: Double(start - clock), noise: noise.stream(index))
        }.sorted { $0.begin < $1.begin }
    }

    private static func start(_ start: NightDescription.Start, _ clock: Int) -> Int {
        switch start {
        case .clock(let seconds): return seconds
        case .seconds(let seconds): return clock + Int(seconds)
        case .evening(let second, let daysAgo):
            let day = 86_400
            return (clock - day / 2) / day * day - daysAgo * day + second
        }
    }

    // MARK: Files

    /// The nights of which there is a file, the oldest first.
    func stored(at seconds: Double) -> [Night] {
        nights.filter { $0.begin <= seconds }.suffix(Self.capacity).filter {
            ring == .oxyII || $0.description.defect == .unfinished || isFinished($0, at: seconds)
        }
    }

    private func isFinished(_ night: Night, at seconds: Double) -> Bool {
        night.description.defect != .unfinished && seconds >= night.begin + night.description.length + ring.finishing
    }

    /// The octets of a night's file.
    func octets(of night: Night, at seconds: Double) -> [UInt8] {
        let description = night.description
        let elapsed = max(0, min(description.length, seconds - night.begin))
        let depths = description.falls.map(\.depth)
        let file = NightFile(
            samples: description.samples(Int(elapsed) / description.interval, night.noise),
            interval: description.interval, start: night.start, falls3: depths.count { $0 >= 3 },
            falls4: depths.count { $0 >= 4 }, isFinished: isFinished(night, at: seconds),
            hasWrongSum: description.defect == .wrongSum)
        return ring == .viatom ? file.viatomOctets() : file.oxyIIOctets()
    }

    /// The longest name that fits into the list of a newer ring.
    static let nameLength = 16

    /// Opens a file.
    ///
    /// - Returns: The length that the ring announces; `nil` without a file of that name.
    mutating func open(_ name: [UInt8], at seconds: Double) -> [UInt8]? {
        let limit = ring == .viatom ? Int.max : Self.nameLength
        guard let night = stored(at: seconds).first(where: { Array($0.name.utf8.prefix(limit)) == name }) else {
            return nil
        }
        let octets = octets(of: night, at: seconds)
        opened = octets
        counts.opened += 1
        let size = octets.count + (night.description.defect == .wrongSize ? 100 : 0)
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    }

    mutating func close() {
        if opened != nil { counts.closed += 1 }
        opened = nil
    }

    /// Whether the next attempt to open a file is told to come back.
    mutating func isBusy(_ surroundings: Surroundings) -> Bool {
        guard busyAnswers < Int(max(0, min(1e6, surroundings.quantity("busyAnswers")))) else { return false }
        busyAnswers += 1
        return true
    }

    /// Sends a part of the opened file, from a place on, unless the link breaks instead.
    mutating func sendChunk(
        from place: Int, _ surroundings: Surroundings, _ answer: ([UInt8]) -> [UInt8]
    ) -> Reaction {
        let limit = Int(max(0, min(1e6, surroundings.quantity("breakAfter"))))
        if limit > 0, chunksInLink >= limit, breaks < Int(max(0, min(1e6, surroundings.quantity("breaks")))) {
            breaks += 1
            return .breakLink
        }
        chunksInLink += 1
        counts.chunks += 1
        let octets = (opened ?? []).dropFirst(place).prefix(Self.chunk)
        return .answer(answer(Array(octets)), delay: max(0, min(3600, surroundings.quantity("chunkDelay"))))
    }

    // MARK: Conversation

    /// A link begins: the ring has forgotten what it was told in the one before.
    mutating func beginLink() {
        (pending, opened, session, chunksInLink) = ([], nil, Session(), 0)
    }

    /// Handles what was written.
    ///
    /// - Returns: What the ring does with each request that is whole by now.
    mutating func reactions(to octets: [UInt8], _ surroundings: Surroundings) -> [Reaction] {
        pending += octets
        var reactions: [Reaction] = []
        for request in ring.requests(from: &pending) {
            if isDead { return [] }
            if ring.forbidden.contains(request.command) {
                counts.forbidden.append(request.command)
                isDead = true
                return reactions + [.die]
            }
            reactions.append(
                ring == .viatom ? viatomReaction(to: request, surroundings) : oxyIIReaction(to: request, surroundings))
        }
        return reactions
    }
}
