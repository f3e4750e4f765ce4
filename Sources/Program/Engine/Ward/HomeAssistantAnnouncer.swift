import MQTT
import Monitoring
import Vitals
import WardMessages

/// Announces a bed to Home Assistant, or takes back what was announced, as a value.
///
/// What has been announced is known from the broker, which keeps it: the vitals of earlier runs stay announced, whether or
/// not their sensors are connected yet, and where the setting is switched off nothing stays behind.
struct HomeAssistantAnnouncer {
    private let bed: WardBed
    private let isWanted: Bool
    private let staleFactor: Int
    private var vitals: [Vital: Int] = [:]
    /// What Home Assistant knows; `nil` when it must be told again.
    private var announced: HomeAssistantDevice?

    /// Creates an announcer.
    ///
    /// - Parameters:
    ///   - isWanted: Whether the bed is announced; otherwise what was announced is removed.
    ///   - staleFactor: After how many intervals a value does not count as present any more.
    init(_ bed: WardBed, isWanted: Bool, staleFactor: Int) {
        (self.bed, self.isWanted, self.staleFactor) = (bed, isWanted, staleFactor)
    }

    /// The topics to receive.
    static func filters(_ bed: WardBed, isWanted: Bool) -> [String] {
        HomeAssistantDevice.topics(bed) + (isWanted ? [HomeAssistantDevice.statusTopic] : [])
    }

    /// The announcement, where it is new or asked for.
    ///
    /// It waits for a heartbeat: so what the broker has kept has come before, and many beds do not answer at one moment when
    /// Home Assistant starts.
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
    /// - Returns: The message that removes what is not wanted.
    mutating func receive(_ message: ReceivedMessage, isSimulated: Bool) -> [MQTTMessage] {
        if message.topic == HomeAssistantDevice.statusTopic {
            if message.payload.elementsEqual("online".utf8) { announced = nil }
            return []
        }
        // What is not retained is an echo of the bed's own message.
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
