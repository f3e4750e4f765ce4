import Testing

@testable import BlueZSimulator

@Suite("Mistakes in scenarios")
struct ScenarioErrorTests {
    private static let strap = "name: 'S', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap'"

    /// A scenario with one sensor, whose fields begin in line 2.
    private static func sensor(_ fields: String) -> String { "{sensors: [\n{\(strap),\n\(fields)}]}" }

    /// A scenario with one event, in line 2.
    private static func event(_ fields: String) -> String { "{sensors: [{\(strap)}], events: [\n{\(fields)}]}" }

    @Test(
        "every mistake is one sentence with file, line and field",
        arguments: [
            ("{sensors: [}", "ward.json5:1: column 12: expected a value, found '}'"),
            ("[]", "ward.json5:1: expected an object with title, sensors and events, found a list"),
            ("{}", "ward.json5:1: the field 'sensors' is missing"),
            ("{sensors: 3}", "ward.json5:1: sensors: expected a list, found a number"),
            ("{titel: 'x', sensors: []}", "ward.json5:1: titel: unknown field; did you mean 'title'?"),
            (
                "{sensors: [],\n xyzzy: 1}",
                "ward.json5:2: xyzzy: unknown field; expected one of title, seed, trial, repeatAfter, adapter, sensors, events"
            ),
            (
                "{sensors: [{name: 'S', address: 'C0:52:49:00:00:02'}]}",
                "ward.json5:1: sensors[0]: the field 'kind' is missing"
            ),
            (
                "{sensors: [{name: 'S', address: 'C0:52', kind: 'core'}]}",
                "ward.json5:1: sensors[0].address: expected an address such as 'C0:52:49:00:00:01'"
            ),
            (
                "{sensors: [{name: 'a\\0b', address: 'C0:52:49:00:00:02', kind: 'core'}]}",
                "ward.json5:1: sensors[0].name: a text cannot hold a NUL, because D-Bus does not carry it"
            ),
            (
                "{sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: 'oxymeter'}]}",
                "ward.json5:1: sensors[0].kind: unknown word 'oxymeter'; did you mean 'oximeter'?"
            ),
            (
                "{sensors: [{\(strap)},\n{\(strap)}]}",
                "ward.json5:2: sensors[1]: the address C0:52:49:00:00:02 is given to two sensors"
            ),
            (
                sensor("heartRate: {value: 'high'}"),
                "ward.json5:3: sensors[0].heartRate.value: expected a number or a curve, found a string"
            ),
            (
                sensor("heartRate: [[0, 70], [10]]"),
                "ward.json5:3: sensors[0].heartRate[1]: expected a point [seconds, value]"
            ),
            (
                sensor("heartRate: [[0, 70], [10, 80],\n[10, 90]]"),
                "ward.json5:4: sensors[0].heartRate[2][0]: the times of a curve must rise"
            ),
            (sensor("heartRate: []"), "ward.json5:3: sensors[0].heartRate: a curve needs a point"),
            (sensor("heartRate: NaN"), "ward.json5:3: sensors[0].heartRate: expected a finite number, found nan"),
            (
                sensor("heartRate: {value: 72, nois: 1}"),
                "ward.json5:3: sensors[0].heartRate.nois: unknown field; did you mean 'noise'?"
            ),
            (
                sensor("heartRate: {value: 72, waves: [{amplitude: 1}]}"),
                "ward.json5:3: sensors[0].heartRate.waves[0]: the field 'period' is missing"
            ),
            (
                sensor("heartRate: {value: 72, contact: 'maybe'}"),
                "ward.json5:3: sensors[0].heartRate.contact: unknown word 'maybe'; expected one of unsupported"
            ),
            (
                sensor("heartRate: {value: 72, location: 'chst'}"),
                "ward.json5:3: sensors[0].heartRate.location: unknown word 'chst'; did you mean 'chest'?"
            ),
            (
                sensor("temperature: 36.8"),
                "ward.json5:3: sensors[0].temperature: a sensor of the kind 'heartRateStrap' has no temperature"
            ),
            (
                sensor("interval: 0"),
                "ward.json5:3: sensors[0].interval: expected a number of seconds from 0.001 to 86400, found 0"
            ),
            (sensor("rssi: -58.5"), "ward.json5:3: sensors[0].rssi: expected a whole number, found -58.5"),
            (sensor("rssi: 99"), "ward.json5:3: sensors[0].rssi: expected a whole number from -127 to 20, found 99"),
            (sensor("inRange: 1"), "ward.json5:3: sensors[0].inRange: expected true or false, found a number"),
            (
                sensor("services: [{uuid: '18'}]"),
                "ward.json5:3: sensors[0].services[0].uuid: expected a UUID of 4 or 32 hexadecimal digits, such as '180D'"
            ),
            (
                sensor("services: [{uuid: 'FFE0', characteristics: [{uuid: 'FFE1', flags: ['notfy']}]}]"),
                "ward.json5:3: sensors[0].services[0].characteristics[0].flags[0]: unknown word 'notfy'; "
                    + "did you mean 'notify'?"
            ),
            (
                sensor("services: [{uuid: 'FFE0', characteristics: [{uuid: 'FFE1', flags: [], value: '0G'}]}]"),
                "ward.json5:3: sensors[0].services[0].characteristics[0].value: "
                    + "expected octets as pairs of hexadecimal digits, '..', '*' or '{'"
            ),
            (event("sensor: 'S', do: 'offBody'"), "ward.json5:2: events[0]: the field 'at' is missing"),
            (event("at: 1"), "ward.json5:2: events[0]: expected exactly one of sensor, daemon, adapter and command"),
            (
                event("at: 1, sensor: 'T', do: 'offBody'"),
                "ward.json5:2: events[0].sensor: there is no sensor 'T'; did you mean 'S'?"
            ),
            (
                event("at: 1, sensor: 'S', do: 'offbody'"),
                "ward.json5:2: events[0].do: unknown word 'offbody'; did you mean 'offBody'?"
            ),
            (event("at: 1, sensor: 'S', do: 'battery'"), "ward.json5:2: events[0]: the field 'level' is missing"),
            (
                event("at: 1, sensor: 'S', do: 'offBody', level: 3"),
                "ward.json5:2: events[0].level: 'offBody' has no field 'level'"
            ),
            (
                event("at: 1, daemon: 'reboot'"),
                "ward.json5:2: events[0].daemon: unknown word 'reboot'; expected one of stop, kill, start, restart"
            ),
            (
                event("at: 1, adapter: 'poweroff'"),
                "ward.json5:2: events[0].adapter: unknown word 'poweroff'; did you mean 'powerOff'?"
            ),
            (
                event("at: 1, command: 'hr high'"),
                "ward.json5:2: events[0].command: expected a whole number from 0 to 65535, found 'high'"
            ),
            (event("at: 1, command: 'state'"), "ward.json5:2: events[0].command: this command changes nothing"),
        ])
    func sentences(text: String, sentence: String) {
        do {
            let scenario = try Scenario(json5: text, file: "ward.json5")
            Issue.record("accepted: \(scenario.title)")
        } catch {
            #expect(error.description == sentence)
        }
    }

    @Test(
        "a mistake in what is about waves is one sentence, too",
        arguments: [
            (sensor("rhythm: 'ectopik'"), "3: sensors[0].rhythm: unknown word 'ectopik'; did you mean 'ectopic'?"),
            (
                sensor("electrocardiogram: 3"),
                "3: sensors[0].electrocardiogram: expected true, false or an object, found a number"
            ),
            (
                sensor("electrocardiogram: {sampleRate: 250}"),
                "3: sensors[0].electrocardiogram.sampleRate: expected a number of samples a second from 120 to 140, found 250"
            ),
            (
                sensor("electrocardiogram: {delais: 1}"),
                "3: sensors[0].electrocardiogram.delais: unknown field; did you mean 'delay'?"
            ),
            (
                "{sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: 'core', motion: 1}]}",
                "1: sensors[0].motion: a sensor of the kind 'core' has no motion"
            ),
            (event("at: 1, sensor: 'S', do: 'rhythm'"), "2: events[0]: the field 'rhythm' is missing"),
            (
                event("at: 1, sensor: 'S', do: 'flood', count: 0"),
                "2: events[0].count: expected a whole number from 1 to 100, found 0"
            ),
        ] as [(String, String)])
    func waves(text: String, sentence: String) {
        let error = #expect(throws: ScenarioError.self) { try Scenario(json5: text, file: "ward.json5") }
        #expect(error?.description == "ward.json5:" + sentence)
    }

    @Test("a file that is not there is named, with what there is instead")
    func missingFile() {
        #expect(throws: ScenarioError.self) { try Scenario.load(path: "/nowhere/ward.json5") }
        do {
            _ = try Scenario.load(path: "/nowhere/ward.json5")
        } catch {
            #expect(
                error.description.hasPrefix(
                    "/nowhere/ward.json5: the scenario cannot be read: No such file or directory; "
                        + "give a file or one of devices, ecg, ecg-artefact, "))
            #expect(error.description.hasSuffix(", ring-s-nights-damaged, steady, ward-evening"))
        }
    }
}
