import Glibc
import Testing

@Suite("What the program stands on goes away, and the program says so and lives on")
struct MortalDaemonTests {
    @Test("no message bus at all")
    func noBus() async throws {
        let bedside = try await ProgramInTerminal.start()
        try await bedside.waitFor("NO MESSAGE BUS")
        await bedside.type("?")
        try await bedside.waitFor("HELP")
        await bedside.type("?")
        await bedside.type("q")
        #expect(try await bedside.waitForExit() == .exited(0))
        #expect(await bedside.damageToTerminal.isEmpty)
    }

    @Test("the message bus is killed")
    func busKilled() async throws {
        let bus = try await SimulatedBus.start("steady")
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: bus)
        try await bedside.waitForSteadyValues()
        try await bus.end()
        try await bedside.waitFor("NO MESSAGE BUS")
        await bedside.type("q")
        #expect(try await bedside.waitForExit() == .exited(0))
    }

    @Test("bluetoothd is killed and comes back; the sensors that were wanted come back by themselves")
    func daemonKilled() async throws {
        let bus = try await SimulatedBus.start("steady")
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: bus)
        try await bedside.waitForSteadyValues()
        try await bus.please("bluez-kill")
        try await bedside.waitUntil("the cause and the remedy are told") {
            $0.shows("BLUETOOTH NOT RUNNING") && $0.shows("sudo systemctl start bluetooth")
        }
        try await bus.please("bluez-start")
        try await bedside.waitUntil("everything is as before") {
            !$0.shows("BLUETOOTH NOT RUNNING") && $0.number(of: "HEART RATE") == "72"
                && $0.number(of: "SpO₂") == "98" && $0.number(of: "TEMPERATURE") == "36.8"
        }
    }

    @Test("the adapter is unplugged and plugged in again")
    func adapterUnplugged() async throws {
        let bus = try await SimulatedBus.start("steady")
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: bus)
        try await bedside.waitForSteadyValues()
        try await bus.please("unplug")
        try await bedside.waitFor("NO BLUETOOTH ADAPTER")
        try await bus.please("plug")
        try await bedside.waitUntil("everything is as before") {
            !$0.shows("NO BLUETOOTH ADAPTER") && $0.number(of: "HEART RATE") == "72"
        }
    }

    @Test("a link is lost; the sensor is connected again and the drop is counted")
    func linkLost() async throws {
        let bus = try await SimulatedBus.start("steady")
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: bus)
        try await bedside.waitForSteadyValues()
        try await bus.please("drop hr")
        try await bedside.waitUntil("the drop is counted and the strap measures again") {
            $0.row(of: Steady.strap)?.contains("1 drop") == true && $0.number(of: "HEART RATE") == "72"
        }
    }

    @Test("a sensor falls silent")
    func silence() async throws {
        let bus = try await SimulatedBus.start("steady")
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: bus)
        try await bedside.waitForSteadyValues()
        try await bus.please("quiet spo2")
        try await bedside.waitFor("NO MEASUREMENT · connected, but nothing arrives")
        try await bus.please("loud spo2")
        try await bedside.waitUntil("the oxygen saturation is back") { $0.number(of: "SpO₂") == "98" }
    }
}
