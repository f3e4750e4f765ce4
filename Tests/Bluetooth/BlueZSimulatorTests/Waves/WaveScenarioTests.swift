import Base
import Testing

@testable import BlueZSimulator

@Suite("Waves in scenarios")
struct WaveScenarioTests {
    private static func scenario(_ characteristic: String, answer: String? = nil) -> String {
        let conversation = answer.map { ", conversation: [{subscribed: 'FFE1', answers: [\($0)]}]" } ?? ""
        return """
            {sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: 'generic', services: [
            {uuid: 'FFE0', characteristics: [{uuid: 'FFE1', flags: ['notify'], \(characteristic)}]}]\(conversation)}]}
            """
    }

    @Test(
        "a mistake is one sentence with the field",
        arguments: [
            (
                scenario("wave: {rate: 0, sample: '00', count: 1}"),
                ".rate: expected a number of samples a second from 0.1 to 1000, found 0"
            ),
            (scenario("wave: {rate: 'beat', sample: '00', count: 1}"), ".rate: expected a number or 'beats'"),
            (scenario("wave: {rate: 5, count: 1}"), ".wave: the field 'sample' is missing"),
            (
                scenario("wave: {rate: 5, sample: '{u8 pulsWave}', count: 1}"),
                "unknown word 'pulsWave'; did you mean 'pulseWave'?"
            ),
            (
                scenario("wave: {rate: 5, sample: '00', count: 1, frame: '01'}"),
                ".frame: a frame has the place '{samples}'"
            ),
            (
                scenario("wave: {rate: 'beats', sample: '00', count: 17}"),
                ".wave: expected at most 16 beats in a frame, found 17"
            ),
            (scenario("values: ['{samples}']"), "characteristics[0]: the place '{samples}' is for a wave"),
            (
                scenario("", answer: "{from: 'FFE1', octets: '{samples}'}"),
                "answers[0]: the place '{samples}' is for a wave"
            ),
            (
                scenario("", answer: "{from: 'FFE1', octets: '00', wave: {rate: 5, sample: '00', count: 1}}"),
                ".wave: an answer with a wave has the place '{samples}'"
            ),
        ] as [(String, String)])
    func mistakes(text: String, sentence: String) throws {
        let error = #expect(throws: ScenarioError.self) { try Scenario(json5: text, file: "ward.json5") }
        let description = try #require(error?.description)
        #expect(description.hasSuffix(sentence) && description.hasPrefix("ward.json5:"), "\(description)")
    }

    @Test(
        "each built-in scenario of waves has a sensor whose wave anybody can receive",
        arguments: BuiltInScenario.waves.keys.sorted())
    func builtIn(name: String) throws {
        let scenario = try Scenario.load(path: name)
        let sensor = try #require(scenario.sensors.first)
        #expect(scenario.sensors.count == 1 && Scenario.builtInNames.contains(name))
        let hasWave = sensor.services.flatMap(\.characteristics).contains { $0.wave != nil }
        #expect((sensor.vitals.electrocardiogram != nil) == name.hasPrefix("ecg") && hasWave == name.hasPrefix("pleth"))
        #expect(scenario.events.allSatisfy { $0.seconds < scenario.period ?? 0 })
    }

    /// A sensor of a built-in scenario.
    private static func sensor(_ name: String) throws -> SimulatedPeripheral {
        let scenario = try Scenario.load(path: name)
        return SimulatedPeripheral(scenario.sensors[0], noise: Noise(seed: 1), period: scenario.period)
    }

    @Test("each has what its name says")
    func content() throws {
        /// Root mean square of an ECG with its mean removed, over four seconds.
        func power(_ name: String, _ seconds: Double) throws -> Double {
            let strap = try Self.sensor(name)
            strap.advanceBody(to: seconds)
            return (0..<520).map { index in
                let moment = seconds + Double(index) / 130
                strap.advanceBody(to: moment)
                return strap.microvolts(at: moment)
            }.deviation
        }
        #expect(try power("ecg-artefact", 24) > 2 * power("ecg-artefact", 10))
        func height(_ name: String, _ seconds: Double) throws -> Double {
            let oximeter = try Self.sensor(name)
            let wave = (0..<200).map { index in
                let moment = seconds + Double(index) / 50
                oximeter.advanceBody(to: moment)
                return oximeter.pulseWave(at: moment)
            }
            return (wave.max() ?? 0) - (wave.min() ?? 0)
        }
        #expect(try height("pleth", 10) > 60)
        #expect(try height("pleth-weak", 10) > 60 && height("pleth-weak", 40) < 12)
        #expect(try height("pleth-drop-out", 10) > 60 && height("pleth-drop-out", 20.5) < 3)
        #expect(try Self.sensor("pleth-motion").motion(at: 30) == 0.8)
        #expect(try Self.sensor("ecg-late").vitals.electrocardiogram?.delay == 25)
    }

    @Test("the trial shows an ECG and a pulse wave, and its numbers are as they were")
    func trial() throws {
        let sensors = Scenario.trial.sensors
        #expect(sensors[1].vitals.electrocardiogram != nil)
        #expect(sensors[2].services.flatMap(\.characteristics).contains { $0.wave != nil })
        let oximeter = SimulatedPeripheral(sensors[2], noise: Noise(seed: 1), period: Scenario.trial.period)
        let characteristics = oximeter.database.services.flatMap(\.characteristics)
        let content = try #require(characteristics.first { $0.wave != nil }?.content)
        let values = (0..<900).map { second in
            oximeter.nextSample(at: Double(second))
            return oximeter.octets(content, at: Double(second))
        }
        #expect(values.allSatisfy { $0.count == 10 && (94...99).contains($0[5]) && (65...95).contains($0[4]) })
    }
}
