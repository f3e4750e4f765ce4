import Configuration
import SetupPage
import Testing
import Vitals

@Suite("A file of answers")
struct SetupAnswersFileTests {
    private func errors(_ text: String) throws -> [String] {
        let document = try ConfigurationDocument(text)
        do throws(ConfigurationErrors) {
            _ = try SetupAnswersFile(document)
            return []
        } catch {
            return error.list.map { $0.sentence(file: "f") }
        }
    }

    @Test("answers the steps, and skips what is not in it")
    func answers() throws {
        let text = """
            [setup]
            profile = "adult"
            start = "boot"
            sensors = [
                { address = "c0:52:49:00:00:02", label = "Ada" },
                { address = "C0:52:49:00:00:03" },
            ]
            [screen]
            bed = "Bed 12"
            [limits.heart_rate]
            low = 45
            """
        var state = try SetupState(ConfigurationDocument("[limits.heart_rate]\nhigh = 110\n"))
        state.remembered = [
            RememberedSensor(address: "C0:52:49:00:00:03", name: "Clip", kind: .oximeter, label: "old", isWanted: false)
        ]
        try state.answer(SetupAnswersFile(ConfigurationDocument(text)))
        #expect(state.step == .review && state.start == .boot && state.profile == .adult)
        #expect(state.settings.screen.bed == "Bed 12")
        // What is typed goes before the profile, and the profile before what was there.
        #expect(state.settings.monitor.limits.heartRate.low.value == VitalValue(whole: 45))
        #expect(state.settings.monitor.limits.heartRate.high.value == VitalValue(whole: 120))
        #expect(state.newSensors.map(\.address) == ["C0:52:49:00:00:02", "C0:52:49:00:00:03"])
        #expect(state.newSensors.map(\.label) == ["Ada", "old"])
        #expect(state.newSensors.allSatisfy { $0.isWanted == true })
        #expect(state.newSensors[1].name == "Clip")
    }

    @Test(
        "says of each mistake where it is and what is allowed",
        arguments: [
            ("[setup]\nprofile = \"kid\"\n", "f:2:11: profile: expected one of \"adult\", \"child\", \"chemotherapy\""),
            ("[setup]\nprofil = \"child\"\n", "f:2:1: there is no key 'profil' in [setup]; did you mean 'profile'?"),
            ("[setup]\nstart = true\n", "f:2:9: start: expected one of \"login\", \"boot\", found true"),
            ("[setup]\nsensors = \"all\"\n", "f:2:11: sensors: expected a list such as"),
            ("[setup]\nsensors = [{ label = \"x\" }]\n", "f:2:11: sensors: a sensor has no address"),
            (
                "[setup]\nsensors = [\n  { address = \"C0:52\" },\n]\n",
                "f:3:15: address: expected a Bluetooth address such as"
            ),
            (
                "[setup]\nsensors = [{ address = \"C0:52:49:00:00:02\", name = \"x\" }]\n",
                "f:2:45: a sensor has address and label, not 'name'"
            ),
            ("[setupp]\n", "f:1:2: there is no section [setupp]"),
            ("[screen]\nbeds = \"x\"\n", "f:2:1: there is no key 'beds' in [screen]; did you mean 'bed'?"),
            ("[limits.spo2]\nlow = 300\n", "f:2:7: low: "),
            ("[limits.spo2]\nlow = 80\n", "f:2:7: low: "),
        ])
    func mistakes(text: String, sentence: String) throws {
        let found = try errors(text)
        #expect(found.count == 1 && found[0].hasPrefix(sentence), "\(found)")
    }

    @Test("that contradicts what is there is refused")
    func contradiction() throws {
        var state = try SetupState(ConfigurationDocument("[limits.heart_rate]\nhigh = 60\n"))
        let file = try SetupAnswersFile(ConfigurationDocument("[limits.heart_rate]\nlow = 70\n"))
        let before = state
        #expect(throws: ConfigurationError.self) { try state.answer(file) }
        #expect(state.answers.count < SetupStep.limits.rawValue && state.values == before.values)
    }
}
