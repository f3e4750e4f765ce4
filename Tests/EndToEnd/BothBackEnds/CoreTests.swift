import Glibc
import Testing

extension BothBackEnds {
    @Suite("A CORE that is not connected")
    struct BeaconTests {
        @Test("tells its temperature with its advertisements, which is no reading")
        func beacon() async throws {
            let world = try await ForwardingTests.world()
            let watch = try await ProgramWithPipes.start(["watch", "--json"], on: world)
            let beacon = try await watch.next("a beacon") { line in
                #expect(line.event != "reading")
                return line.event == "beacon"
            }
            #expect(beacon.sensor == "CORE 1A2B")
            #expect((36.7...36.9).contains(try #require(beacon.number("value"))))
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
        }
    }

    @Suite("A CORE that is told the heart rate of a strap")
    struct ForwardingTests {
        /// The flag of a heart rate in Core Body Temperature (2101).
        private static let heartRate: UInt8 = 1 << 4

        /// A world with a CORE.
        static func world() async throws -> World {
            BackEnd.current.isSimulator
                ? try await World.simulated("ward-evening") : try await World.inMachine("ward")
        }

        @Test("has the strap's rate in its own values, and no more when the strap is off the body")
        func told() async throws {
            let world = try await Self.world()
            let watch = try await ProgramWithPipes.start(
                ["watch", "--json", "--connect", "all", "--set", "sensors.forward_heart_rate=true"], on: world)
            let other = try await world.otherProgram()
            let value = "00002101-5b1e-4347-b07c-97b514dae121"
            _ = try await watch.next("a heart rate") {
                $0.event == "reading" && $0.text("vital") == "heart_rate" && $0.text("state") == "measured"
            }
            try await world.waitUntil("it has the strap's rate") {
                guard let octets = try await other.newestValue(of: value), let flags = octets.first,
                    let rate = octets.last
                else { return false }
                return flags & Self.heartRate != 0 && (40...200).contains(rate)
            }
            try await world.please("contact off")
            try await world.waitUntil("it goes by its own") {
                try await other.newestValue(of: value)?.first.map { $0 & Self.heartRate == 0 } ?? false
            }
            await other.leave()
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
        }
    }
}
