import VitalDecoders

/// How a sensor reacts to requests, beyond its own measurements.
struct ConversationDescription: Hashable, Sendable {
    /// Its reactions; the first matching rule applies.
    var rules: [ConversationRule] = []
    var records: RecordsDescription?
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
        /// Notifies or indicates octets of a characteristic, in pieces of limited length.
        case send(OctetTemplate, from: BluetoothUUID, pieces: Int?)
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
