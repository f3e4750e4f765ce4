import Glibc
import Testing

extension BothBackEnds {
    @Suite("The computer's clock")
    struct ClockTests {
        @Test(
            "is set back by an hour: it is reported, values go on, and all are in the store in their order",
            .only(.setClock))
        func setBack() async throws {
            let world = try await World.start()
            let folder = try TemporaryFolder()
            let watch = try await ProgramWithPipes.start(
                ["watch", "--json", "--connect", "all"], on: world, environment: ["XDG_DATA_HOME": folder.path])
            _ = try await watch.next("a heart rate") { $0.isReading(of: "heart_rate", 72) }
            try await world.please("set-clock -3600")
            let gap = try await watch.next("the gap") { $0.event == "gap" && $0.text("reason") == "clock_set" }
            let (from, to) = (try #require(gap.text("from")), try #require(gap.text("to")))
            #expect(to < from)
            let alarm = try await watch.next("the notice") { $0.text("kind") == "clock_jump" }
            #expect(alarm.text("text")?.hasPrefix("Clock was set: back by ") == true, "\(alarm)")
            try await world.please("hr 81")
            let later = try await watch.next("a heart rate of afterwards") { $0.isReading(of: "heart_rate", 81) }
            #expect(try #require(later.text("t")) < from)
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))

            // In the order of the clock that never jumps, the wall clock falls once, and nothing else happens.
            let falls = try await SQLiteTool.rows(
                """
                SELECT value, before FROM (SELECT value, wall_ms < lag(wall_ms) OVER all_of_them AS fell,
                    lag(value) OVER all_of_them AS before FROM readings WHERE vital = 'heart_rate'
                    WINDOW all_of_them AS (ORDER BY monotonic_ns)) WHERE fell;
                SELECT count(*) > 0 FROM readings WHERE vital = 'heart_rate' AND value = 81; PRAGMA integrity_check
                """, in: folder.path + "/bedside/store.sqlite")
            #expect(falls.count == 3, "\(falls)")
            #expect(falls.suffix(2) == [["1"], ["ok"]])
        }
    }
}
