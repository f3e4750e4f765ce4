import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, calibrating", .timeLimit(.minutes(10)))
struct SupervisorCalibratingTests {
    private static let bridge = "C0:52:49:00:00:0A"
    private static let calibration = DatedCalibration(
        GlucoseCalibration(
            glucose: VitalValue(whole: 110), count: 118_000, change: nil, address: bridge, name: "xDrip bridge",
            serial: "6ABCD"),
        wallMilliseconds: Moment.now().wallMilliseconds)

    private static func bench() async throws -> SupervisorBench {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.offer(bridge, service: "ffe0", ["ffe1 notify write-without-response"])
        await bench.central.appear(bridge, name: "xDrip bridge", services: ["ffe0"])
        try await bench.read(until: .connected, of: bridge)
        await bench.wait(for: .subscribe("ffe1"))
        return bench
    }

    /// The bridge sends the count 150 of the transmitter 6ABCD.
    private static func send(on bench: SupervisorBench) async {
        await bench.central.notify(
            bridge, "ffe1", [0x11, 0, 0xF0, 0x49, 2, 0, 0xF0, 0x49, 2, 0, 210, 80, 0x8D, 0x2D, 0x65, 0, 1])
    }

    private static func reading(on bench: SupervisorBench) async throws -> Reading? {
        let read = try await bench.read { if case .reading = $0 { true } else { false } }
        guard case .reading(let reading)? = read.last else { return nil }
        return reading
    }

    @Test("gives the next count its number, and with each change of the calibrations the newest one, with its time")
    func changes() async throws {
        let bench = try await Self.bench()
        await Self.send(on: bench)
        let first = try await Self.reading(on: bench)
        #expect(first?.outcome == .noMeasurement(.uncalibrated))
        #expect(first?.raw == RawGlucose(count: 150_000, serial: "6ABCD", method: .line))
        await bench.supervisor.use(calibrations: [Self.calibration])
        let second = try await Self.reading(on: bench)
        #expect(second?.outcome == .measured(VitalValue(whole: 142), .calibrated))
        #expect(second?.calibration == Self.calibration.applied && second?.moment == first?.moment)
        await bench.supervisor.use(calibrations: [])
        #expect(try await Self.reading(on: bench)?.outcome == .noMeasurement(.uncalibrated))
    }

    @Test("uses the calibrations that were known before the sensor connected")
    func before() async throws {
        let bench = try await Self.bench()
        await bench.supervisor.use(calibrations: [Self.calibration])
        await Self.send(on: bench)
        #expect(try await Self.reading(on: bench)?.outcome == .measured(VitalValue(whole: 142), .calibrated))
    }
}
