import Glibc
import Testing

extension BothBackEnds {
    /// The terminal is as it was, whatever ends the program.
    @Suite("On every way out the terminal is restored")
    struct LeavingTests {
        /// A way to end the program.
        enum Way: String, CaseIterable, CustomTestStringConvertible {
            case q, controlC, terminate, hangUpSignal, interrupt

            var testDescription: String { rawValue }

            var expected: ExitStatus { self == .hangUpSignal ? .exited(129) : .exited(0) }
        }

        @Test("by a key or a signal", arguments: Way.allCases)
        func leaving(way: Way) async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.waitUntil("sensors are listed") { $0.row(of: Steady.strap) != nil }
            #expect(await bedside.screen.modes.isAlternateScreen)
            switch way {
            case .q: await bedside.type("q")
            case .controlC: await bedside.press(.controlC)
            case .terminate: await bedside.send(signal: SIGTERM)
            case .hangUpSignal: await bedside.send(signal: SIGHUP)
            case .interrupt: await bedside.send(signal: SIGINT)
            }
            #expect(try await bedside.waitForExit() == way.expected)
            #expect(await bedside.damageToTerminal.isEmpty)
        }

        @Test(
            "by a crash or Ctrl-\\, which still reports that it was one",
            arguments: [SIGSEGV, SIGILL, SIGABRT, SIGTRAP, SIGQUIT])
        func crash(signal: Int32) async throws {
            let world = try await World.start()
            // The Swift runtime's own report of the crash would take seconds to make.
            let bedside = try await ProgramInTerminal.start(on: world, environment: ["SWIFT_BACKTRACE": "enable=no"])
            try await bedside.waitUntil("sensors are listed") { $0.row(of: Steady.strap) != nil }
            await bedside.send(signal: signal)
            #expect(try await bedside.waitForExit() == .killed(signal: signal))
            #expect(await bedside.damageToTerminal.isEmpty)
        }

        @Test("and when its window is closed, the program does not live on")
        func hangUp() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(on: world)
            try await bedside.waitUntil("sensors are listed") { $0.row(of: Steady.strap) != nil }
            await bedside.hangUp()
            #expect(try await bedside.waitForExit() == .exited(129))
        }

        @Test("with sensors connected, which are disconnected first")
        func disconnecting() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitForSteadyValues()
            #expect(try await world.connectedSensors() == Steady.all.count)
            #expect(try await bedside.quit() == .exited(0))
            try await world.waitUntilNothingIsConnected()
        }
    }
}
