import Base
import Foundation
import Testing
import VitalDecoders

@testable import BlueZSimulator

@Suite("Scenarios")
struct ScenarioTests {
    @Test("a sensor has what is usual for its kind, and what the scenario says")
    func sensors() throws {
        let text = """
            {sensors: [
              {name: 'A', address: 'c0:52:49:00:00:01', kind: 'core', temperature: {value: 37.5, type: 'ear', unit: 'fahrenheit'}},
              {name: 'B', address: 'C0:52:49:00:00:FE', kind: 'heartRateStrap', copies: 3, deviceInformation: null},
              {name: 'C', address: 'C0:52:49:00:02:00', kind: 'generic', services: [
                {uuid: 'FFE0', characteristics: [{uuid: 'FFE1', flags: ['notify'], values: ['01 02', '03:04']}]}]},
            ]}
            """
        let sensors = try Scenario(json5: text, file: "x").sensors
        #expect(sensors.map(\.name) == ["A", "B 1", "B 2", "B 3", "C"])
        #expect(sensors[1...3].map(\.address) == ["C0:52:49:00:00:FE", "C0:52:49:00:00:FF", "C0:52:49:00:01:00"])
        #expect(sensors[0].address == "C0:52:49:00:00:01")
        #expect(sensors[0].advertisedServices.contains(CoreBodyTemperatureService.uuid))
        #expect(sensors[0].vitals.temperature.type == .ear && sensors[0].vitals.temperature.unit == .fahrenheit)
        #expect(sensors[1].information == nil && sensors[0].information != nil)
        #expect(
            sensors[4].services[0].characteristics[0].values == [
                OctetTemplate(octets: [1, 2]), OctetTemplate(octets: [3, 4]),
            ])
        #expect(sensors[4].battery == nil)
    }

    @Test("every event word is understood, and events are in the order of their times")
    func events() throws {
        let text = """
            {sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: 'oximeter'}], events: [
              {at: 9, sensor: 'S', do: 'offBody'}, {at: 1, sensor: 'c0:52:49:00:00:02', do: 'battery', level: 7},
              {at: 2, sensor: 'S', do: 'malformed', octets: '1C 62'}, {at: 3, sensor: 'S', do: 'rename', name: 'T'},
              {at: 4, sensor: 'S', do: 'burst', count: 5, seconds: 0.5}, {at: 5, daemon: 'restart'},
              {at: 6, adapter: 'unplug'}, {at: 7, command: 'spo2 nan'}, {at: 8, sensor: 'S', do: 'interval', seconds: 2},
            ]}
            """
        let events = try Scenario(json5: text, file: "x").events
        #expect(events.map(\.seconds) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(
            events.map(\.action) == [
                .sensors([0], .battery(7)), .sensors([0], .octets([0x1C, 0x62])), .sensors([0], .rename("T")),
                .sensors([0], .burst(5, seconds: 0.5)), .daemon(.restart), .adapter(.unplug),
                .sensors([0], .vitals(.saturation(nil))), .sensors([0], .interval(2)), .sensors([0], .offBody),
            ])
    }

    @Test(
        "the scenario files beside the tests can be played",
        arguments: [("crowd", 64), ("hostile-names", 5), ("waves", 3)])
    func files(name: String, count: Int) throws {
        let url = try #require(Bundle.module.url(forResource: "Scenarios/\(name)", withExtension: "json5"))
        #expect(try Scenario.load(path: url.path).sensors.count == count)
    }

    @Test("the built-in evening brings a fever within four minutes, and it falls again")
    func wardEvening() throws {
        let scenario = Scenario.wardEvening
        let core = SimulatedPeripheral(scenario.sensors[0], noise: Noise(seed: 1), period: scenario.period)
        func celsiusHundredths(_ seconds: Double) throws -> Int {
            let octets = core.octets(.temperatureMeasurement, at: seconds)
            return try #require(try TemperatureMeasurement(octets).celsiusHundredths)
        }
        #expect(abs(try celsiusHundredths(0) - 3680) <= 5)
        #expect(try celsiusHundredths(240) >= 3830)
        #expect(try celsiusHundredths(500) >= 3830)
        #expect(try celsiusHundredths(800) < 3750)
        // And again, for ever.
        #expect(abs(try celsiusHundredths(900) - 3680) <= 5)
        #expect(scenario.events.map(\.seconds).max() ?? 0 < scenario.period ?? 0)
    }

    @Test("only the trial, and a scenario that says so, is for trying out the program")
    func trial() throws {
        #expect(Scenario.trial.isTrial)
        #expect(Scenario.trial.sensors == Scenario.wardEvening.sensors)
        for scenario in [Scenario.wardEvening, .steady, .devices] { #expect(!scenario.isTrial) }
        #expect(try Scenario(json5: "{ trial: true, sensors: [] }", file: "own").isTrial)
        #expect(Scenario.trial.sensor(of: "core")?.name == "CORE 1A2B")
        #expect(Scenario.trial.sensor(of: "weightScale") == nil)
    }

    @Test("the built-in sensors for tests stand still")
    func steady() {
        let scenario = Scenario.steady
        #expect(scenario.sensors.map(\.kind) == [.thermometer, .heartRateStrap, .oximeter])
        #expect(scenario.events.isEmpty && scenario.period == nil)
        for (sensor, content) in zip(
            scenario.sensors,
            [GattDatabase.Content.temperatureMeasurement, .heartRateMeasurement, .pulseOximeterContinuous])
        {
            let peripheral = SimulatedPeripheral(sensor, noise: Noise(seed: 1), period: nil)
            let first = peripheral.octets(content, at: 0)
            peripheral.nextSample()
            #expect(peripheral.octets(content, at: 12_345) == first)
        }
    }

    @Test("the fields that are read are those that the reference lists")
    func reference() {
        func names(_ rows: [(name: String, meaning: String)]) -> Set<String> {
            Set(rows.flatMap { $0.name.matches(of: #/[A-Za-z]+/#).map { String($0.output) } })
        }
        #expect(names(ScenarioReference.whole) == Set(ScenarioReader.fields))
        // What answers a rule has is a field of the rule.
        #expect(
            names(ScenarioReference.sensor + ScenarioReference.conversation).subtracting(["answers"])
                == Set(SensorReader.fields))
        let fields = ScenarioReference.night.flatMap { names([($0.name, "")]) }
        #expect(Set(fields) == Set(NightReader.fields) && fields.count == NightReader.fields.count)
    }
}
