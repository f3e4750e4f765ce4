import Base

/// The nights that a ring has stored, and what has become of each; the whole of it each time.
public struct SensorNights: Codable, Hashable, Sendable {
    /// Which protocol the ring speaks.
    public var generation: RingGeneration
    /// Its nights, the oldest first, at most ``limit``; `nil` while it was not asked.
    public var nights: [Night]?
    /// Whether it hands over nights now, and so sends no present values.
    public var isTransferring: Bool

    /// The most nights; rings keep four, older ones some more.
    public static let limit = 32

    public init(generation: RingGeneration, nights: [Night]? = nil, isTransferring: Bool = false) {
        (self.generation, self.isTransferring) = (generation, isTransferring)
        self.nights = nights.map { Array($0.prefix(Self.limit)) }
    }

    /// The protocol of a ring.
    public enum RingGeneration: String, CaseIterable, Codable, Hashable, Sendable {
        /// The older rings: O2Ring, Checkme O2, SleepU, KidsO2.
        case older
        /// The O2Ring S and its kin.
        case oxyII
    }

    /// A night on a ring.
    public struct Night: Codable, Hashable, Sendable {
        /// The name of the ring's file (``NightName``), usually the time at which it begins.
        public var name: String
        /// What has become of it.
        public var state: State
        /// How long it is in minutes, 0 to ``longest``; `nil` before it was fetched.
        public var minutes: Int?

        /// The most minutes of a night: a week.
        public static let longest = 7 * 24 * 60

        public init(name: String, state: State, minutes: Int? = nil) {
            (self.name, self.state) = (name, state)
            self.minutes = minutes.map { min(max($0, 0), Self.longest) }
        }
    }

    /// What has become of a night.
    public enum State: Codable, Hashable, Sendable {
        /// It is on the ring alone.
        case onRing
        /// A part of it was fetched, in percent; the rest follows on the next transfer.
        case partial(percent: Int)
        /// It is being fetched, with the percent that are here.
        case fetching(percent: Int)
        /// It is here and being stored.
        case received
        /// It is in the store.
        case stored
        /// The ring is still writing it.
        case incomplete
        /// It could not be fetched or stored, for a reason, a clause.
        case failed(String)

        /// The most characters of a reason.
        public static let longestReason = 160

        /// Whether a transfer has something to do for it.
        public var isWanted: Bool {
            switch self {
            case .onRing, .partial, .incomplete, .failed: true
            case .fetching, .received, .stored: false
            }
        }

        fileprivate var isCoherent: Bool {
            switch self {
            case .partial(let percent), .fetching(let percent): (0...100).contains(percent)
            case .failed(let reason): sanitized(reason, limit: Self.longestReason) == reason
            case .onRing, .received, .stored, .incomplete: true
            }
        }
    }

    /// The nights that a transfer would fetch.
    public var wanted: [Night] { nights?.filter(\.state.isWanted) ?? [] }

    /// The nights that no transfer has tried to fetch to the end.
    public var new: [Night] {
        nights?.filter { night in
            switch night.state {
            case .onRing, .partial: true
            case .fetching, .received, .stored, .incomplete, .failed: false
            }
        } ?? []
    }

    /// Whether everything in it is possible and bounded, also when it came from another program.
    public var isCoherent: Bool {
        guard let nights else { return true }
        return nights.count <= Self.limit
            && nights.allSatisfy { night in
                NightName.isUsable(night.name) && night.state.isCoherent
                    && night.minutes.map { (0...Night.longest).contains($0) } ?? true
            }
    }

    /// Ends a transfer with its link: what is here of a night stays for the next one.
    public mutating func interrupt() {
        isTransferring = false
        nights = nights?.map { night in
            guard case .fetching(let percent) = night.state else { return night }
            var night = night
            night.state = .partial(percent: percent)
            return night
        }
    }
}

/// Whether new nights are fetched from a ring; the raw value is the word of the setting.
public enum NightPolicy: String, CaseIterable, Codable, Hashable, Sendable {
    /// The screen says that there are some, and a key fetches them.
    case ask
    /// They are fetched when the ring is not worn.
    case always
    /// The ring is asked for them only when a key says so.
    case never
}
