import Glibc
import TestSupport
import Testing

/// A sensor that sends counts is calibrated with a typed value, by the real program.
@Suite("Calibrating a sensor that sends counts", .startsPrograms)
struct CalibratingTests {
    private static let bridge = """
        { sensors: [{
          name: 'xDrip bridge', address: 'C0:52:49:18:00:0A', kind: 'xDripBridge', interval: 2,
          quantities: { glucose: 118, charge: 75 },
        }] }
        """
    private static let label = "CALIBRATED 110 at "

    @Test(
        "a bridge has no number until somebody calibrates it, after a restart it still has, and none a day later or without"
    )
    func bridge() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(Self.bridge, to: "bridge.json5"))
        let environment = ["XDG_DATA_HOME": folder.path + "/data"]
        let store = folder.path + "/data/bedside/simulated/store.sqlite"
        func start() async throws -> ProgramInTerminal {
            try await ProgramInTerminal.start(["--connect", "all"], on: world, environment: environment)
        }

        var bedside = try await start()
        try await bedside.waitFor("valid calibration")
        await bedside.type("e")
        try await bedside.waitFor("ENTER BY HAND")
        await bedside.type("s")
        try await bedside.waitFor("Glucose mg/dL")
        await bedside.type("110")
        await bedside.press(.enter)
        try await bedside.waitFor("Calibrate xDrip bridge with 110 mg/dL?")
        await bedside.type("y")
        try await bedside.waitFor("calibration of xDrip bridge with 110 mg/dL")
        try await bedside.closePage()
        try await bedside.waitFor(Self.label)
        #expect(try await bedside.quit() == .exited(0))

        // The driver takes one count in two minutes, so after a restart it is the first one.
        bedside = try await start()
        try await bedside.waitFor(Self.label)
        #expect(try await bedside.quit() == .exited(0))
        let export = try await ProgramWithPipes.run(
            ["export", "--format", "csv", "--store", store], environment: environment)
        #expect(
            export.output.split(separator: "\n").contains {
                $0.contains(",glucose,110,mg/dL,calibrated,") && $0.contains("calibrated with 110 mg/dL of 20")
            }, "\(export.output)")

        try await Self.shiftCalibration(by: -86_400_000, in: store)
        bedside = try await start()
        try await bedside.waitFor("valid calibration")
        await bedside.type("i")
        try await bedside.waitFor("calibrated more than 24 h ago")
        try await bedside.closePage()
        #expect(try await bedside.quit() == .exited(0))

        try await Self.shiftCalibration(by: 86_400_000, in: store)
        bedside = try await start()
        try await bedside.waitFor(Self.label)
        await bedside.type("e")
        try await bedside.waitFor("ENTER BY HAND")
        await bedside.type("x")
        try await bedside.waitFor("Take back calibration of xDrip bridge with 110 mg/dL?")
        await bedside.type("y")
        try await bedside.waitFor("MISTAKE")
        try await bedside.closePage()
        try await bedside.waitFor("valid calibration")
        #expect(await !bedside.screen.text.contains(Self.label))
        #expect(try await bedside.quit() == .exited(0))
    }

    /// Moves the calibration in the store, as if the days were others.
    private static func shiftCalibration(by milliseconds: Int, in store: String) async throws {
        _ = try await SQLiteTool.rows(
            "UPDATE record_entry SET taken_wall_ms = taken_wall_ms + (\(milliseconds)) WHERE kind = 'calibration'",
            in: store)
    }

    @Test("the lines of watch say with what and when a value was calibrated, and a shell enters without a question")
    func lines() async throws {
        let folder = try TemporaryFolder()
        let world = try await World.simulated(try folder.write(Self.bridge, to: "bridge.json5"))
        let environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_RUNTIME_DIR": folder.path + "/run"]
        mkdir(folder.path + "/run", 0o700)
        let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world, environment: environment)
        try await bedside.waitFor("valid calibration")
        let entered = try await ProgramWithPipes.run(
            ["enter", "--simulate", "glucose", "110"], environment: environment)
        #expect(entered.status == .exited(0), "\(entered.errorOutput)")
        try await bedside.waitFor("manual")
        #expect(await !bedside.screen.text.contains("Calibrate xDrip"))
        await bedside.type("B")
        try await bedside.waitFor("Calibrate xDrip bridge with 110 mg/dL?")
        await bedside.type("y")
        try await bedside.waitFor("GLUC 110?")
        try await bedside.closePage()
        try await bedside.waitFor(Self.label)
        let status = try await ProgramWithPipes.run(["status", "--json"], environment: environment)
        #expect(status.output.contains(#""doubt":"calibrated","calibrated_with":110"#), "\(status.output)")
        #expect(try await bedside.quit() == .exited(0))
    }
}
