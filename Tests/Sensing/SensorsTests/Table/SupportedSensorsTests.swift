import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("What each supported sensor is")
struct SupportedSensorsTests {
    struct Example: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var services: [String]
        var name: String?
        var kind: SensorKind

        init(_ testDescription: String, _ services: [String], _ name: String?, _ kind: SensorKind) {
            self.testDescription = testDescription
            self.services = services
            self.name = name
            self.kind = kind
        }
    }

    static let core = "00002100-5b1e-4347-b07c-97b514dae121"
    static let ring = "14839ac4-7d7e-415c-9a42-167340cf2339"
    static let legacyCore = "00004200-f366-40b2-ac37-70cce0aa83b1"

    @Test(
        "a peripheral is recognised by services and name",
        arguments: [
            Example("thermometer", ["1809"], "Thermo", .thermometer),
            Example("thermometer without a name", ["1809"], nil, .thermometer),
            Example("CORE by its service", [core], nil, .core),
            Example("CORE by its old service", [legacyCore], "x", .core),
            Example("CORE by name in a passive scan", ["1809"], "CORE 1A2B", .core),
            Example("CORE after its services are resolved", ["1800", "180a", "180f", "1809", core], "Body", .core),
            Example("the name CORE alone is nothing", [], "CORE", .other),
            Example("CORE inside a name is not CORE", ["1809"], "MyCORE", .thermometer),
            Example("strap", ["180d", "180f"], "Polar H10 1234", .heartRateStrap),
            Example("oximeter", ["1822"], nil, .oximeter),
            Example("PM 100 by name", ["180a", "fee8"], "e-Oximeter", .oximeter),
            Example("oximeter before strap", ["180d", "1822"], nil, .oximeter),
            Example("blood pressure", ["1810"], nil, .bloodPressure),
            Example("glucose", ["1808"], nil, .glucose),
            Example("continuous glucose", ["181f"], nil, .continuousGlucose),
            Example("weight scale", ["181d"], nil, .weightScale),
            Example("O2Ring by its service", [ring], "O2Ring 0421", .oximeter),
            Example("O2Ring S by its service", [OxyIIDriver.service.description], "O2Ring S 1234", .oximeter),
            Example("O2Ring S by its name", [], "O2Ring S 0541", .oximeter),
            Example("S8-AW by its name", [], "S8-AW 0541", .oximeter),
            Example("SHQO2Pro by its name", [], "SHQO2Pro", .oximeter),
            Example("ER1 by its name on the rings' service", [ring], "ER1 0042", .heartRateStrap),
            Example("the name ER1 alone is nothing", [], "ER1 0042", .other),
            Example("never by device information", ["180a"], "Toothbrush", .other),
            Example("nothing known", [], nil, .other),
        ])
    func kind(_ example: Example) throws {
        let services = try example.services.map { try #require(BluetoothUUID($0)) }
        #expect(services.count == example.services.count)
        #expect(SupportedSensors.kind(services: services, name: example.name) == example.kind)
    }

    @Test(
        "readings are made of every kind that is a sensor and has a declaration with something to read",
        arguments: zip(
            SensorKind.allCases, [true, true, true, true, true, true, true, true, false, false]))
    func readKinds(kind: SensorKind, isRead: Bool) {
        #expect(SupportedSensors.isRead(kind) == isRead)
    }

    @Test("every kind is declared, but other and what is no sensor, and no sign stands for two sensors")
    func declared() {
        let kinds = SupportedSensors.all.map(\.kind)
        let signs = SupportedSensors.all.flatMap(\.signs)
        #expect(signs.count == Set(signs).count)
        #expect(Set(kinds) == Set(SensorKind.allCases).subtracting([.other, .manual]))
    }

    @Test("a newer ring is one though it has the service of the older ones, too")
    func newRing() {
        let both = [OximeterRingDriver.service, OxyIIDriver.service]
        let driver = SupportedSensors.declaration(services: both, name: "O2Ring S 1234")?.driver
        #expect(driver == OxyIIDriver.self)
    }

    @Test("a newer ring is recognised by its maker's number in its advertisements, whatever its name")
    func newRingByCompany() {
        let ring = SupportedSensors.declaration(services: [], name: "abc", companies: [OxyIIDriver.company])
        #expect(ring?.driver == OxyIIDriver.self)
        #expect(SupportedSensors.kind(services: [], name: "abc", companies: [0x004C]) == .other)
    }

    @Test("a wave comes from the sensors that the documentation names")
    func waves() {
        let words = SupportedSensors.all.filter { !$0.allWaves.isEmpty }.map { declaration in
            declaration.driver.map { "\($0)" } ?? declaration.word
        }
        #expect(
            words == [
                "Heart rate strap", "ViatomECGDriver", "OxyIIDriver", "OximeterRingDriver", "FingertipOximeterDriver",
                "BCIOximeterDriver", "NoninOximeterDriver",
            ])
    }

    @Test("CORE is subscribed to both of its temperatures")
    func coreSubscriptions() throws {
        let declaration = try #require(SupportedSensors.all.first { $0.kind == .core })
        #expect(declaration.subscribed == [.coreBodyTemperature, .temperatureMeasurement])
    }

    @Test("are read of exactly the documented kinds", arguments: SensorKind.allCases)
    func isRead(kind: SensorKind) {
        #expect(SupportedSensors.isRead(kind) == kind.isRead)
    }

    @Test("nothing is both subscribed to and read once, and nothing is read twice")
    func disjoint() {
        #expect(SupportedSensors.subscribed.isDisjoint(with: SupportedSensors.readOnce))
        #expect(Set(SupportedSensors.readOnce).count == SupportedSensors.readOnce.count)
        #expect(SupportedSensors.subscribed.union(SupportedSensors.readOnce) == Set(ReadCharacteristic.allCases))
    }

    @Test("a characteristic is found by its UUID", arguments: ReadCharacteristic.allCases)
    func found(characteristic: ReadCharacteristic) {
        #expect(ReadCharacteristic(uuid: characteristic.uuid) == characteristic)
    }

    @Test("a characteristic that we have no use for is not found")
    func notFound() {
        #expect(ReadCharacteristic(uuid: BluetoothUUID(0x2A39)) == nil)
    }

    @Test(
        "a peripheral without a usable name is called by its kind and address",
        arguments: [nil, "", "  ", "\u{1B}", "\u{200B}\u{202E}"])
    func substituteName(name: String?) {
        let identity = SensorIdentity(
            recognising: "C0:52:49:00:1A:2B", name: name, services: [BluetoothUUID(0x180D)])
        #expect(identity.name == "Heart rate strap 1A2B")
    }

    @Test("a name full of escape sequences is harmless")
    func hostileName() {
        let identity = SensorIdentity(
            recognising: "C0:52:49:00:1A:2B", name: "\u{1B}[2Jboo\n", services: [])
        #expect(identity.name == "\u{FFFD}[2Jboo\u{FFFD}")
        #expect(identity.kind == .other)
    }
}
