import Foundation
import Glibc
import TestSupport
import Testing

/// Buses that let a program wait: none of them may keep an alarm from the hook, or the program from ending.
@Suite("A bus that hangs", .startsPrograms, .timeLimit(.minutes(10)))
struct HangingBusTests {
    /// A bus, and how it hangs.
    struct Case: CustomTestStringConvertible, Sendable {
        var variable: String
        var behaviour: HangingBus.Behaviour
        var testDescription: String { "\(variable) \(behaviour)" }
    }

    private static let cases = ["DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"].flatMap { variable in
        HangingBus.Behaviour.allCases.map { Case(variable: variable, behaviour: $0) }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Options for alarms that a hook receives, with simulated sensors where the system's bus is not the one that hangs.
    private func options(_ hanging: Case) -> [String] {
        let alarms = [
            "--set", "alarms.hook=cat >>'\(folder.path)/received'", "--set", "limits.heart_rate.high=55",
            "--set", "limits.heart_rate.high_delay=1s",
        ]
        return hanging.variable == "DBUS_SESSION_BUS_ADDRESS"
            ? ["--simulate=steady", "--connect", "all"] + alarms : alarms
    }

    private func received() -> String {
        (try? String(contentsOfFile: folder.path + "/received", encoding: .utf8)) ?? ""
    }

    /// What the hook receives: a heart rate, or that there is no message bus.
    private func word(_ hanging: Case) -> String {
        hanging.variable == "DBUS_SESSION_BUS_ADDRESS" ? "\"kind\":\"high\"" : "\"kind\":\"bus_lost\""
    }

    @Test("holds up neither the hook nor the end of record", arguments: cases)
    func record(hanging: Case) async throws {
        let bus = try HangingBus(hanging.behaviour, path: folder.path + "/bus")
        let record = try await ProgramWithPipes.start(
            ["record"] + options(hanging), environment: [hanging.variable: bus.address])
        try await awaitCondition("the hook receives the alarm", within: Harness.timeout) {
            received().contains(word(hanging))
        }
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }

    @Test("holds up neither the hook nor the end of the screen", arguments: cases)
    func screen(hanging: Case) async throws {
        let bus = try HangingBus(hanging.behaviour, path: folder.path + "/bus")
        let bedside = try await ProgramInTerminal.start(
            options(hanging), environment: [hanging.variable: bus.address])
        try await awaitCondition("the hook receives the alarm", within: Harness.timeout) {
            received().contains(word(hanging))
        }
        if hanging.variable == "DBUS_SESSION_BUS_ADDRESS" {
            try await bedside.quitWhenAsked()
        } else {
            try await bedside.waitFor("NO MESSAGE BUS")
            await bedside.type("q")
        }
        #expect(try await bedside.waitForExit() == .exited(0))
    }

    @Test("holds up neither the hook nor the end of watch", arguments: cases)
    func watch(hanging: Case) async throws {
        let bus = try HangingBus(hanging.behaviour, path: folder.path + "/bus")
        let watch = try await ProgramWithPipes.start(
            ["watch", "--json"] + options(hanging), environment: [hanging.variable: bus.address])
        guard hanging.variable == "DBUS_SESSION_BUS_ADDRESS" else {
            // Where there is no bus at the start it says so, and waits for one as every monitor does.
            try await watch.waitForWarning("it does not answer")
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
            return
        }
        try await awaitCondition("the hook receives the alarm", within: Harness.timeout) {
            received().contains(word(hanging))
        }
        await watch.send(signal: SIGTERM)
        #expect(try await watch.waitForExit().status == .exited(0))
    }

    @Test("does not hold up the end when it hangs later, with sensors connected", arguments: [false, true])
    func later(hasScreen: Bool) async throws {
        let world = try await World.simulated("steady")
        let process = try await world.process(of: "org.freedesktop.DBus")
        defer { kill(process, SIGCONT) }
        // Less than the 25 s for which an answer on a bus is waited for.
        let limit = Duration.seconds(20)
        if hasScreen {
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitFor("3 connected")
            kill(process, SIGSTOP)
            try await bedside.quitWhenAsked()
            #expect(try await bedside.waitForExit(within: limit) == .exited(0))
        } else {
            let record = try await ProgramWithPipes.start(["record", "--connect", "all"], on: world)
            try await record.waitForWarning("CORE [1A] connected")
            kill(process, SIGSTOP)
            await record.send(signal: SIGTERM)
            #expect(try await record.waitForExit(within: limit).status == .exited(0))
        }
    }

    @Test(
        "does not hold up a program that is ended while it still waits for the bus",
        arguments: HangingBus.Behaviour.allCases)
    func early(behaviour: HangingBus.Behaviour) async throws {
        let bus = try HangingBus(behaviour, path: folder.path + "/bus")
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address]
        let bedside = try await ProgramInTerminal.start(environment: environment)
        try await bedside.waitFor("Bedside")
        #expect(try await bedside.quit() == .exited(0))
        let record = try await ProgramWithPipes.start(["record"], environment: environment)
        try await record.waitForWarning("bedside")
        await record.send(signal: SIGTERM)
        #expect(try await record.waitForExit().status == .exited(0))
    }
}
