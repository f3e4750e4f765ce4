import MQTT
import Monitoring
import Vitals
import WardMessages

/// Announces a bed to Home Assistant, or removes the announcement, as a value.
///
/// The broker retains earlier announcements: the vitals of earlier runs stay announced before their sensors are
/// connected, and are removed when the setting is switched off.
struct HomeAssistantAnnouncer {
    private let bed: WardBed
    private let isWanted: Bool
    private let staleFactor: Int
    private var vitals: [Vital: Int] = [:]
    /// The present announcement; `nil` when it must be sent again.
    private var announced: HomeAssistantDevice?

    /// Creates an announcer.
    ///
    /// - Parameters:
    ///   - isWanted: Whether the bed is announced; otherwise an earlier announcement is removed.
    ///   - staleFactor: After how many intervals a value is no longer current.
    init(_ bed: WardBed, isWanted: Bool, staleFactor: Int) {
        (self.bed, self.isWanted, self.staleFactor) = (bed, isWanted, staleFactor)
    }

    /// The topics to receive.
    static func filters(_ bed: WardBed, isWanted: Bool) -> [String] {
        HomeAssistantDevice.topics(bed) + (isWanted ? [HomeAssistantDevice.statusTopic] : [])
    }

    /// The announcement, if it is new or requested.
    ///
    /// It is sent with a heartbeat: by then the broker's retained messages have arrived, and many beds do not answer at
    /// one moment when Home Assistant starts.
    mutating func beat(
        _ session: WardToken, isSimulated: Bool, _ state: MonitorState, at now: Moment
    ) -> [MQTTMessage] {
        guard isWanted else { return [] }
        for vital in Vital.allCases where vitals[vital] != nil || WardVital(state[vital], at: now) != nil {
            vitals[vital] = HomeAssistantDevice.expiry(
                intervalMilliseconds: Int64(state[vital].interval / .milliseconds(1)), staleFactor: staleFactor,
                announced: vitals[vital])
        }
        let device = HomeAssistantDevice(
            bed, session: session, isSimulated: isSimulated, staleFactor: staleFactor, vitals: vitals)
        if device == announced { return [] }
        announced = device
        return [
            MQTTMessage(
                HomeAssistantDevice.topic(bed, isSimulated: isSimulated), device.payload, .atLeastOnce, isRetained: true
            )
        ]
    }

    /// Handles a message of Home Assistant's topics.
    ///
    /// - Returns: The message that removes an unwanted announcement.
    mutating func receive(_ message: ReceivedMessage, isSimulated: Bool) -> [MQTTMessage] {
        if message.topic == HomeAssistantDevice.statusTopic {
            if message.payload.elementsEqual("online".utf8) { announced = nil }
            return []
        }
        // A message that is not retained is an echo of the bed's own message.
        guard message.isRetained, !message.payload.isEmpty, HomeAssistantDevice.topics(bed).contains(message.topic)
        else { return [] }
        guard isWanted else { return [MQTTMessage(message.topic, [], .atLeastOnce, isRetained: true)] }
        if message.topic == HomeAssistantDevice.topic(bed, isSimulated: isSimulated) {
            for vital in HomeAssistantDevice.vitals(announcedIn: message.payload) where vitals[vital] == nil {
                vitals[vital] = 0
            }
        }
        return []
    }
}
