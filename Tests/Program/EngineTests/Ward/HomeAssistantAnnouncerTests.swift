import MQTT
import Monitoring
import Testing
import Vitals
import WardMessages

@testable import Engine

@Suite("The announcement of a bed to Home Assistant")
struct HomeAssistantAnnouncerTests {
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private static func token(_ text: String) -> WardToken {
        guard let token = WardToken(text) else { preconditionFailure("\(text) is no name") }
        return token
    }

    private static let bed = WardBed(site: token("ward-2"), bed: token("12"))
    private static let own = HomeAssistantDevice.topic(bed, isSimulated: false)

    private static func at(_ seconds: Double) -> Moment {
        Moment(monotonicNanoseconds: Int64(seconds * 1e9), wallMilliseconds: 1_700_000_000_000 + Int64(seconds * 1000))
    }

    /// A monitor whose strap has sent values each second.
    private static func monitor(seconds: Int) -> MonitorState {
        var state = MonitorState(start: at(0))
        let sensor = RememberedSensor(
            address: strap.address, name: strap.name, kind: .heartRateStrap, isWanted: true)
        _ = state.apply(MonitorEvent(moment: at(0), kind: .remembered(sensor)))
        _ = state.apply(MonitorEvent(moment: at(0), kind: .connection(strap, ConnectionState(phase: .ready))))
        for second in 0..<seconds {
            let reading = Reading(
                sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 72), .good),
                moment: at(Double(second)))
            _ = state.apply(MonitorEvent(moment: at(Double(second)), kind: .reading(reading)))
        }
        return state
    }

    private static func message(_ topic: String, _ text: String, isRetained: Bool = true) -> ReceivedMessage {
        ReceivedMessage(topic: topic, payload: Array(text.utf8), isRetained: isRetained)
    }

    private struct Announcer {
        var value: HomeAssistantAnnouncer
        var state = HomeAssistantAnnouncerTests.monitor(seconds: 20)

        init(isWanted: Bool = true) {
            value = HomeAssistantAnnouncer(HomeAssistantAnnouncerTests.bed, isWanted: isWanted, staleFactor: 3)
        }

        mutating func beat(_ session: String = "session-1") -> [MQTTMessage] {
            value.beat(
                HomeAssistantAnnouncerTests.token(session), isSimulated: false, state,
                at: HomeAssistantAnnouncerTests.at(20))
        }
    }

    @Test("comes once for a session, is kept by the broker, and names what is measured")
    func once() throws {
        var announcer = Announcer()
        let messages = announcer.beat()
        let message = try #require(messages.first)
        #expect(messages.count == 1 && message.topic == Self.own && message.isRetained)
        #expect(message.quality == .atLeastOnce)
        #expect(HomeAssistantDevice.vitals(announcedIn: message.payload) == [.heartRate])
        #expect(String(decoding: message.payload, as: UTF8.self).contains("\"expire_after\":6"))
        #expect(announcer.beat().isEmpty)
        #expect(announcer.beat("session-2").count == 1)
    }

    @Test("comes again with the next heartbeat when Home Assistant has started, and for no other word")
    func started() {
        var announcer = Announcer()
        _ = announcer.beat()
        for text in ["offline", "", "online\u{0}"] {
            let message = Self.message(HomeAssistantDevice.statusTopic, text)
            #expect(announcer.value.receive(message, isSimulated: false).isEmpty)
            #expect(announcer.beat().isEmpty)
        }
        _ = announcer.value.receive(
            Self.message(HomeAssistantDevice.statusTopic, "online", isRetained: false), isSimulated: false)
        #expect(announcer.beat().count == 1)
    }

    @Test("keeps the vitals of earlier runs, whose sensors may come later")
    func earlier() throws {
        var announcer = Announcer()
        let device = HomeAssistantDevice(
            Self.bed, session: Self.token("earlier"), isSimulated: false, staleFactor: 3,
            vitals: [.bodyTemperature: 60])
        let kept = ReceivedMessage(topic: Self.own, payload: device.payload, isRetained: true)
        #expect(announcer.value.receive(kept, isSimulated: false).isEmpty)
        let message = try #require(announcer.beat().first)
        #expect(HomeAssistantDevice.vitals(announcedIn: message.payload) == [.heartRate, .bodyTemperature])
        // Not of simulated sensors, whose device is another one.
        var other = Announcer()
        _ = other.value.receive(
            ReceivedMessage(
                topic: HomeAssistantDevice.topic(Self.bed, isSimulated: true), payload: device.payload,
                isRetained: true), isSimulated: false)
        let second = try #require(other.beat().first)
        #expect(HomeAssistantDevice.vitals(announcedIn: second.payload) == [.heartRate])
    }

    @Test("is removed where it is not wanted any more, and nothing is published where there was none")
    func removed() {
        var announcer = Announcer(isWanted: false)
        #expect(announcer.beat().isEmpty)
        #expect(announcer.value.receive(Self.message(Self.own, ""), isSimulated: false).isEmpty)
        #expect(announcer.value.receive(Self.message(Self.own, "{}", isRetained: false), isSimulated: false).isEmpty)
        let other = Self.message("homeassistant/device/x/config", "{}")
        #expect(announcer.value.receive(other, isSimulated: false).isEmpty)
        for topic in HomeAssistantDevice.topics(Self.bed) {
            let messages = announcer.value.receive(Self.message(topic, "{}"), isSimulated: false)
            #expect(messages == [MQTTMessage(topic, [], .atLeastOnce, isRetained: true)])
        }
    }
}
