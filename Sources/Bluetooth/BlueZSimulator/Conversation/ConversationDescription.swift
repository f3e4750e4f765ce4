import VitalDecoders

/// How a sensor converses, beyond what it sends by itself.
struct ConversationDescription: Hashable, Sendable {
    /// What it does when something happens; the first that fits counts.
    var rules: [ConversationRule] = []
    var records: RecordsDescription?
    /// Named numbers that templates send.
    var quantities: [String: Quantity] = [:]
    /// The identifier of a transmitter, six characters.
    var identifier = ""
    /// The seconds by which its clock is ahead.
    var clockError = 0.0
    /// The seconds without anything to do after which it falls asleep; `nil` for a sensor that never does.
    var sleepsAfter: Double?
    /// The seconds after which it wakes up by itself; `nil` for a sensor that somebody must measure with.
    var wakesEvery: Double?
}

/// What a sensor does when something happens.
struct ConversationRule: Hashable, Sendable {
    enum Trigger: Hashable, Sendable {
        /// Octets that fit were written to a characteristic.
        case written(BluetoothUUID, OctetTemplate)
        /// Somebody has subscribed to a characteristic.
        case subscribed(BluetoothUUID)
        /// Somebody measures with it.
        case measured
    }

    var trigger: Trigger
    /// Whether it must be worn, or not.
    var isOnBody: Bool?
    /// What is kept under names for later templates.
    var saves: [String: OctetTemplate] = [:]
    var answers: [ConversationAnswer] = []
    /// The ATT error with which a write is refused.
    var error: UInt8?
}

/// One step of an answer.
struct ConversationAnswer: Hashable, Sendable {
    /// Seconds after the step before.
    var delay = 0.03
    var act: Act

    enum Act: Hashable, Sendable {
        /// Notifies or indicates octets of a characteristic, in pieces of so many at most.
        case send(OctetTemplate, from: BluetoothUUID, pieces: Int?)
        /// The sensor ends the link.
        case hangUp
    }
}

/// The values that a sensor has stored.
struct RecordsDescription: Hashable, Sendable {
    /// The characteristic that hands them over, and the octets of one.
    var characteristic: BluetoothUUID
    var octets: OctetTemplate
    /// The characteristic that hands over more about a record, after it.
    var context: BluetoothUUID?
    var contextOctets = OctetTemplate(octets: [])
    /// The Record Access Control Point; without one they are handed over once, when somebody subscribes.
    var control: BluetoothUUID?
    /// How many there are in the beginning.
    var count = 0
    /// Seconds from one of them to the next.
    var interval = 3600.0
    /// Whether it goes on to store one after each interval.
    var isContinued = false
    /// The number of the first one.
    var firstSequence = 1
}
