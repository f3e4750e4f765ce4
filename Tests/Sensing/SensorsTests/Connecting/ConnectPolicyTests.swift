import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Which sensors are connected to without being asked")
struct ConnectPolicyTests {
    private let strap = SensorIdentity(
        address: "C0:52:49:00:00:02", name: "Polar H10 1234", kind: .heartRateStrap)

    @Test("none")
    func none() {
        #expect(!ConnectPolicy.none.wants(strap, names: ["Polar H10 1234"]))
    }

    @Test(
        "every sensor whose readings we make",
        arguments: zip(SensorKind.allCases, [true, true, true, true, true, true, true, true, false, false]))
    func everyVitalSensor(kind: SensorKind, isWanted: Bool) {
        let identity = SensorIdentity(address: "C0:52:49:00:00:02", name: "x", kind: kind)
        #expect(ConnectPolicy.everyVitalSensor.wants(identity, names: []) == isWanted)
    }

    @Test(
        "every sensor whose readings we make, and those that are named besides, whatever they are",
        arguments: SensorKind.allCases)
    func both(kind: SensorKind) {
        let policy = ConnectPolicy.everyVitalSensorAndListed(["Lamp 7"])
        let identity = SensorIdentity(address: "C0:52:49:00:00:02", name: "x", kind: kind)
        #expect(
            policy.wants(identity, names: []) == ConnectPolicy.everyVitalSensor.wants(identity, names: []))
        #expect(!policy.names(identity, names: []))
        #expect(policy.wants(identity, names: ["lamp 7"]) && policy.names(identity, names: ["lamp 7"]))
    }

    @Test(
        "those that are listed by address or by name, in either case",
        arguments: [
            ("C0:52:49:00:00:02", true), ("c0:52:49:00:00:02", true), ("polar h10 1234", true),
            ("My strap", true), ("MY STRAP", true), ("Polar", false), ("", false), ("C0:52:49:00:00:03", false),
        ])
    func listed(entry: String, isWanted: Bool) {
        let policy = ConnectPolicy.listed(["nobody", entry])
        #expect(policy.wants(strap, names: ["Polar H10 1234", "My strap"]) == isWanted)
    }
}
