import Base
import Glibc
import VitalDecoders

/// The state of a simulated sensor's conversation.
struct SimulatedConversation {
    let description: ConversationDescription
    var records: StoredRecords?
    var nights: StoredNights?
    /// The octets saved by rules, by name.
    private(set) var saved: [String: [UInt8]] = [:]
    private var clockError: Double
    /// The stored records' times by its clock at the time, in seconds since 1970, by number; a clock set later changes none.
    private var stamps: [Int: Double] = [:]
    /// When it was last active, in seconds of the scenario.
    var lastActivity = 0.0
    /// The number of random octets drawn so far.
    private var draws = 0

    init(_ description: ConversationDescription, noise: Noise) {
        self.description = description
        records = description.records.map(StoredRecords.init)
        clockError = description.clockError
        let clock = DateTime(localTime: Self.now + clockError).clockSeconds
        nights = description.nights.map { StoredNights($0, clock: clock, noise: noise) }
        for record in records?.all ?? [] { stamps[record.sequence] = Self.now + clockError + record.seconds }
    }

    /// Whether it sleeps until a user measures.
    var isEpisodic: Bool { description.sleepsAfter != nil }

    /// The first rule that matches an event; its octets are saved.
    mutating func rule(
        for event: Event, isOnBody: Bool, noise: Noise, _ filling: TemplateFilling
    ) -> ConversationRule? {
        guard
            let rule = description.rules.first(where: { rule in
                guard rule.isOnBody.map({ $0 == isOnBody }) ?? true else { return false }
                switch (rule.trigger, event) {
                case (.written(let uuid, let pattern), .written(let octets, let to)):
                    return uuid == to && pattern.matches(octets, filling)
                case (.subscribed(let uuid), .subscribed(let to)): return uuid == to
                case (.measured, .measured): return true
                default: return false
                }
            })
        else { return nil }
        var filling = filling
        for (name, template) in rule.saves {
            draws += 1
            let draw = noise.stream(draws)
            filling.random = { count in (0..<count).map { UInt8(truncatingIfNeeded: draw.bits(at: $0) >> 24) } }
            saved[name] = template.octets(filling)
        }
        return rule
    }

    enum Event {
        case written([UInt8], to: BluetoothUUID)
        case subscribed(BluetoothUUID)
        case measured
    }

    // MARK: Clock

    /// Its clock, some seconds before or after now.
    func time(in seconds: Double) -> DateTime {
        DateTime(localTime: Self.now + seconds + clockError)
    }

    /// The time stamp of a stored record.
    mutating func time(of record: StoredRecords.Record, at now: Double) -> DateTime {
        let stamp = stamps[record.sequence] ?? Self.now + clockError + record.seconds - now
        stamps[record.sequence] = stamp
        return DateTime(localTime: stamp)
    }

    /// Sets its clock from a Current Time (2A2B) or Date Time (2A08); shorter octets are ignored.
    mutating func setClock(_ octets: [UInt8]) {
        guard octets.count >= 7 else { return }
        var parts = tm()
        parts.tm_year = (Int32(octets[0]) | Int32(octets[1]) << 8) - 1900
        (parts.tm_mon, parts.tm_mday) = (Int32(octets[2]) - 1, Int32(octets[3]))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(octets[4]), Int32(octets[5]), Int32(octets[6]))
        parts.tm_isdst = -1
        let moment = mktime(&parts)
        if moment != -1 { clockError = Double(moment) - Self.now.rounded(.down) }
    }

    private static var now: Double {
        var moment = timespec()
        clock_gettime(CLOCK_REALTIME, &moment)
        return Double(moment.tv_sec) + Double(moment.tv_nsec) / 1e9
    }
}

/// How a sensor reacts to requests, beyond its own measurements.
struct ConversationDescription: Hashable, Sendable {
    /// Its reactions; the first matching rule applies.
    var rules: [ConversationRule] = []
    var records: RecordsDescription?
    /// The nights of a ring; `nil` for a sensor of another kind.
    var nights: StoredNightsDescription?
    /// Named quantities for templates.
    var quantities: [String: Quantity] = [:]
    /// The identifier of a transmitter, six characters.
    var identifier = ""
    /// The error of its clock in seconds; positive if it is ahead.
    var clockError = 0.0
    /// The idle time in seconds after which it falls asleep; `nil` for a sensor that never sleeps.
    var sleepsAfter: Double?
    /// The seconds after which it wakes up; `nil` for a sensor that only a user wakes up.
    var wakesEvery: Double?
}

/// The reaction of a sensor to an event.
struct ConversationRule: Hashable, Sendable {
    enum Trigger: Hashable, Sendable {
        /// A client wrote matching octets to a characteristic.
        case written(BluetoothUUID, OctetTemplate)
        /// A client subscribed to a characteristic.
        case subscribed(BluetoothUUID)
        /// A user measured.
        case measured
    }

    var trigger: Trigger
    /// Whether the rule holds only while the sensor is worn, or only while it is not.
    var isOnBody: Bool?
    /// Octets to save under names for later templates.
    var saves: [String: OctetTemplate] = [:]
    var answers: [ConversationAnswer] = []
    /// The ATT error that a write is refused with.
    var error: UInt8?
}

/// One step of an answer.
struct ConversationAnswer: Hashable, Sendable {
    /// Seconds after the previous step.
    var delay = 0.03
    var act: Act

    enum Act: Hashable, Sendable {
        /// Notifies or indicates octets of a characteristic, in pieces of limited length; with a wave, its newest samples
        /// are in them.
        case send(OctetTemplate, from: BluetoothUUID, pieces: Int?, wave: WaveDescription? = nil)
        /// The sensor ends the link.
        case hangUp
    }
}

/// The stored values of a sensor.
struct RecordsDescription: Hashable, Sendable {
    /// The characteristic that sends them, and the octets of one.
    var characteristic: BluetoothUUID
    var octets: OctetTemplate
    /// The characteristic that sends the context of a record, after it.
    var context: BluetoothUUID?
    var contextOctets = OctetTemplate(octets: [])
    /// The Record Access Control Point; without one, records are sent once, when a client subscribes.
    var control: BluetoothUUID?
    /// The number at the beginning.
    var count = 0
    /// Seconds between two records.
    var interval = 3600.0
    /// Whether it stores one more after each interval.
    var isContinued = false
    /// The sequence number of the first record.
    var firstSequence = 1
}
