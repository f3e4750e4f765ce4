import MQTT
import Testing

@Suite("A broker's address")
struct BrokerAddressTests {
    @Test(
        "An address is read and written the same way",
        arguments: ["mqtts://ward.example:8883", "mqtt://localhost:1883", "mqtts://[fd00::1]:8884"])
    func roundTrip(text: String) {
        #expect(BrokerAddress(text)?.description == text)
    }

    @Test("The usual ports need not be given")
    func ports() {
        #expect(BrokerAddress("mqtt://a")?.port == 1883)
        #expect(BrokerAddress("mqtts://a/")?.port == 8883)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "ward", "http://a", "mqtt://", "mqtt://:1", "mqtt://a:0", "mqtt://a:70000", "mqtt://a:1x",
            "mqtt://user:secret@a", "mqtt://a b", "mqtt://a\u{1B}[2J", "mqtts://[::1", "mqtt://::1",
        ])
    func refused(text: String) {
        #expect(BrokerAddress(text) == nil)
    }
}
