import Testing
import Vitals

@Suite("A remembered sensor")
struct RememberedSensorTests {
    private func sensor(label: String?) -> RememberedSensor {
        RememberedSensor(
            address: "C0:52:49:00:00:02", name: "Polar", kind: .heartRateStrap, label: label, isWanted: true)
    }

    @Test("is called by its label, and by its own name when that is blank", arguments: [nil, "", " \t", "\u{200B}"])
    func blank(label: String?) {
        #expect(sensor(label: label).label == nil)
        #expect(sensor(label: label).identity.name == "Polar")
    }

    @Test("has a label without blanks around it, harmless and bounded")
    func harmless() {
        #expect(sensor(label: "  Ada's strap ").identity.name == "Ada's strap")
        #expect(sensor(label: "a\u{1B}[2J").label == "a\u{FFFD}[2J")
        let long = sensor(label: String(repeating: "w", count: 1000)).label
        #expect(long?.unicodeScalars.count == RememberedSensor.labelLimit + 1)
    }
}
