import Base
import Formats
import JSON
import Monitoring
import Vitals

/// A bed as a device of Home Assistant: the retained message that announces it, by device-based discovery.
///
/// Its entities read the messages of the bed, and need no further ones. An entity is *unavailable* without the bed's
/// monitor, and when nothing has arrived for twice as long as a value counts as present; it is *unknown* without a
/// measurement, and for the message of another session. So an old value is never shown as a present one.
public struct HomeAssistantDevice: Hashable, Sendable {
    public var bed: WardBed
    /// The session whose messages count.
    public var session: WardToken
    /// Whether the data are simulated; such a device has a separate name, topic and entities.
    public var isSimulated: Bool
    /// The number of intervals after which a value no longer counts as present.
    public var staleFactor: Int
    /// The announced vitals, with the seconds after which a silent one is unavailable.
    public var vitals: [Vital: Int]

    /// Creates a device.
    public init(_ bed: WardBed, session: WardToken, isSimulated: Bool, staleFactor: Int, vitals: [Vital: Int]) {
        (self.bed, self.session, self.isSimulated) = (bed, session, isSimulated)
        (self.staleFactor, self.vitals) = (staleFactor, vitals)
    }

    // MARK: Topics

    /// The topic on which Home Assistant publishes `online` after its start, to receive the devices.
    public static let statusTopic = "homeassistant/status"

    /// The topic that announces a bed.
    ///
    /// The bed is a separate level, because a broker's access list can compare only whole levels with a user's name.
    public static func topic(_ bed: WardBed, isSimulated: Bool) -> String {
        "homeassistant/device/\(node(bed, isSimulated))/\(bed.bed)/config"
    }

    /// The topics that may have announced a bed.
    public static func topics(_ bed: WardBed) -> [String] {
        [false, true].map { topic(bed, isSimulated: $0) }
    }

    private static func node(_ bed: WardBed, _ isSimulated: Bool) -> String {
        "bedside-\(isSimulated ? "simulated-" : "")\(bed.site)"
    }

    // MARK: The message

    /// The seconds after which a silent vital is unavailable: twice the time for which a value counts as present.
    ///
    /// - Parameters:
    ///   - intervalMilliseconds: The interval at which the sensor usually sends, in milliseconds.
    ///   - staleFactor: The number of intervals after which a value no longer counts as present.
    ///   - announced: The announced time; it stays while it is nearly right, because each change makes the entity
    ///     unavailable until the next value.
    public static func expiry(
        intervalMilliseconds: Int64, staleFactor: Int, announced: Int?
    ) -> Int {
        let factor = Int64(max(1, min(staleFactor, 1000)))
        let milliseconds = 2 * factor * max(1, min(intervalMilliseconds, 3_600_000))
        let seconds = Int((milliseconds + 999) / 1000)
        if let announced, abs(announced - seconds) <= max(1, seconds / 4) { return announced }
        return seconds
    }

    public var payload: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.key("device")
        json.beginObject()
        json.key("identifiers")
        json.beginArray()
        json.string(identifier)
        json.endArray()
        json.member("name", "Bedside \(bed.label)\(isSimulated ? " (SIMULATED)" : "")")
        json.member("model", "Bedside")
        json.member("sw_version", Product.version)
        json.endObject()
        json.key("origin")
        json.beginObject()
        json.member("name", "Bedside")
        json.member("sw_version", Product.version)
        json.endObject()
        json.key("availability")
        json.beginArray()
        json.beginObject()
        json.member("topic", WardTopic(bed, .session).text)
        json.member("value_template", availabilityTemplate)
        json.endObject()
        json.endArray()
        json.key("components")
        json.beginObject()
        for vital in Vital.allCases { if let expiry = vitals[vital] { write(vital, expiry, &json) } }
        writeAlarms(&json)
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// The vitals in a payload that the broker has stored.
    public static func vitals(announcedIn payload: [UInt8]) -> Set<Vital> {
        let components = (try? JSON5Parser.parse(payload, .json))?["components"]?.members ?? []
        return Set(components.compactMap { Vital(rawValue: $0.name) })
    }

    private var identifier: String { "\(Self.node(bed, isSimulated))_\(bed.bed)" }

    /// The presence of a monitor with real sensors does not apply to simulated ones, nor the reverse.
    private var availabilityTemplate: String {
        let isOther = isSimulated ? "not value_json.simulated" : "value_json.simulated"
        return "{{ 'offline' if \(isOther) else value_json.state }}"
    }

    private func write(_ vital: Vital, _ expiry: Int, _ json: inout JSONWriter) {
        let topic = WardTopic(bed, .vital(vital)).text
        begin(vital.rawValue, vital.text.capitalizedFirst, topic, vital.traits.homeAssistant.icon, expiry, &json)
        json.member(
            "value_template",
            """
            {{ value_json.value if value_json.session == '\(session)' and value_json.state == 'measured' \
            and value_json.age_ms < \(staleFactor) * value_json.interval_ms else 'None' }}
            """)
        json.member("device_class", vital.traits.homeAssistant.deviceClass)
        json.member("unit_of_measurement", vital.entityUnit)
        if let decimals = vital.traits.homeAssistant.decimals {
            json.key("suggested_display_precision")
            json.integer(decimals)
        }
        json.member("json_attributes_topic", topic)
        json.member(
            "json_attributes_template",
            """
            {{ {'quality': value_json.doubt | default(value_json.equipment) | default(value_json.quality) | default(''), \
            'reason': value_json.reason | default(''), 'sensor': value_json.sensor.name} | tojson }}
            """)
        json.endObject()
    }

    /// Writes the entity for the number of shown alarms in each heartbeat.
    private func writeAlarms(_ json: inout JSONWriter) {
        let expiry = WardTiming.heartbeatSeconds * WardTiming.missedHeartbeats
        begin("alarms", "Alarms", WardTopic(bed, .heartbeat).text, "mdi:alert", expiry, &json)
        json.member("value_template", "{{ value_json.alarms if value_json.session == '\(session)' else 'None' }}")
        json.endObject()
    }

    private func begin(
        _ key: String, _ name: String, _ topic: String, _ icon: String, _ expiry: Int, _ json: inout JSONWriter
    ) {
        json.key(key)
        json.beginObject()
        json.member("platform", "sensor")
        json.member("unique_id", "\(identifier)_\(key)")
        json.member("name", name)
        json.member("icon", icon)
        json.member("state_class", "measurement")
        json.member("state_topic", topic)
        json.key("expire_after")
        json.integer(expiry)
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }
}

extension Vital {
    /// The unit as Home Assistant writes it.
    fileprivate var entityUnit: String { traits.family == .heart ? "bpm" : unitText }
}
