import Testing

@testable import BlueZSimulator

@Suite("Mistakes in conversations")
struct ConversationMistakesTests {
    /// A sensor with one characteristic; its other fields begin in line 2.
    private static func sensor(_ fields: String) -> String {
        """
        {sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: 'generic',
        services: [{uuid: 'FFE0', characteristics: [{uuid: 'FFE1', flags: ['notify', 'write']}]}], \(fields)}]}
        """
    }

    private static func answer(_ octets: String) -> String {
        sensor("conversation: [{written: 'FFE1', octets: '01', answers: [{from: 'FFE1', octets: '\(octets)'}]}]")
    }

    @Test(
        "every mistake is one sentence with the field",
        arguments: [
            (
                answer("0"),
                "conversation[0].answers[0].octets: expected octets as pairs of hexadecimal digits, '..', '*' or '{'"
            ),
            (
                answer("01 *"),
                "conversation[0].answers[0].octets: '..' and '*' are for what is written to a sensor, not for answers"
            ),
            (answer("{u8"), "conversation[0].answers[0].octets: a '{' is not closed"),
            (answer("{crc9}"), "conversation[0].answers[0].octets: unknown word 'crc9'; did you mean 'crc8'?"),
            (answer("{u8}"), "conversation[0].answers[0].octets: '{u8}': expected a quantity, such as 'u8 pulseRate'"),
            (answer("{u8 pulsRate}"), ": unknown word 'pulsRate'; did you mean 'pulseRate'?"),
            (answer("{saved token}"), ": nothing saves 'token'"),
            (answer("{request 3..1}"), "'{request 3..1}': expected the places of octets, such as 'request 1..9'"),
            (
                sensor("conversation: [{written: 'FFE2'}]"),
                ": the conversation names the characteristic FFE2, which the sensor does not have"
            ),
            (
                sensor("conversation: [{answers: []}]"),
                "conversation[0]: expected one of written, subscribed and measured"
            ),
            (
                sensor("conversation: [{subscribed: 'FFE1', octets: '01'}]"),
                "conversation[0].octets: octets to compare are for a rule with 'written'"
            ),
            (sensor("identifier: '12345'"), "identifier: expected six letters and digits"),
            (sensor("quantities: {'a b': 3}"), "quantities.a b: expected a name of letters and digits"),
            (sensor("records: {from: 'FFE1'}"), "records: the field 'octets' is missing"),
        ])
    func mistakes(text: String, sentence: String) throws {
        let error = #expect(throws: ScenarioError.self) { try Scenario(json5: text, file: "ward.json5") }
        let description = try #require(error?.description)
        #expect(description.hasSuffix(sentence) && description.hasPrefix("ward.json5:"), "\(description)")
    }

    @Test(
        "every built-in device can be played with a name and an address alone",
        arguments: SensorDescription.Kind.allCases)
    func devices(kind: SensorDescription.Kind) throws {
        let text = "{sensors: [{name: 'S', address: 'C0:52:49:00:00:02', kind: '\(kind.rawValue)'}]}"
        let scenario = try Scenario(json5: text, file: "ward.json5")
        #expect(BuiltInDevice.contains(kind) == !scenario.sensors[0].services.isEmpty)
    }
}
