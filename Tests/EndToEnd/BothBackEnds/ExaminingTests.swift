import TestSupport
import Testing

extension BothBackEnds {
    @Suite("The doctor finds what is wrong, and names what helps")
    struct ExaminingTests {
        @Test("nothing, when all is well")
        func healthy() async throws {
            let world = try await World.start()
            // A sound card, which not every computer has.
            let folder = try TemporaryFolder()
            let sound = try folder.write("pcm.default { type null }\n", to: "alsa.conf")
            let verdicts = try await DoctorVerdicts.examine(
                on: world, environment: ["ALSA_CONFIG_PATH": sound], status: 0)
            for name in ["bus", "daemon", "permission", "adapter", "roles", "power"] {
                #expect(verdicts[name]?.verdict == "ok", "\(name)")
            }
            #expect(verdicts["daemon"]?.finding.contains("SIMULATED") == BackEnd.current.isSimulator)
        }

        @Test("an adapter that is switched off")
        func switchedOff() async throws {
            let world = try await World.start()
            try await world.otherProgram().setPower(false)
            let verdicts = try await DoctorVerdicts.examine(on: world, status: 2)
            #expect(verdicts["power"]?.verdict == "trouble")
            #expect(verdicts["power"]?.remedy == "bluetoothctl power on")
        }

        @Test("an adapter that rfkill blocks")
        func blocked() async throws {
            let world = try await World.withRadioSwitch()
            try await world.please("rfkill block")
            let verdicts = try await DoctorVerdicts.examine(on: world, status: 2)
            #expect(verdicts["rfkill"]?.remedy == "rfkill unblock bluetooth")
            #expect(verdicts["power"]?.finding.contains("blocked") == true)
        }

        @Test("no adapter")
        func unplugged() async throws {
            let world = try await World.start()
            try await world.please("unplug")
            let verdicts = try await DoctorVerdicts.examine(on: world, status: 2)
            #expect(verdicts["permission"]?.verdict == "ok")
            #expect(verdicts["adapter"]?.verdict == "trouble")
            #expect(verdicts["power"]?.verdict == "skipped")
        }

        @Test("no bluetoothd")
        func noDaemon() async throws {
            let world = try await World.start()
            try await world.please("bluez-stop")
            let verdicts = try await DoctorVerdicts.examine(on: world, status: 2)
            #expect(verdicts["bus"]?.verdict == "ok")
            #expect(verdicts["daemon"]?.verdict == "trouble")
            #expect(verdicts["adapter"]?.verdict == "skipped")
        }

        @Test("a bus that does not let us call bluetoothd")
        func denied() async throws {
            let world = try await World.start()
            try await world.permitCalls(false)
            let verdicts = try await DoctorVerdicts.examine(on: world, status: 2)
            #expect(verdicts["daemon"]?.verdict == "ok")
            #expect(verdicts["permission"]?.verdict == "trouble")
            #expect(verdicts["permission"]?.remedy?.contains("bluetooth") == true)
        }
    }
}
