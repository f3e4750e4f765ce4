import Foundation
import Glibc
import TestSupport
import Testing

/// What a cuff hands over: confirmed or discarded by somebody, and of one of its several persons.
@Suite("What a cuff hands over", .startsPrograms)
struct HandedOverTests {
    let folder: TemporaryFolder
    var environment: [String: String] {
        [
            "XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state",
            "XDG_RUNTIME_DIR": folder.path,
        ]
    }
    var store: String { folder.path + "/data/bedside/simulated/store.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A cuff that hands over pressures of persons, again and again, each with the time of its clock.
    private func cuff(_ pressures: [(systolic: UInt8, user: UInt8)]) throws -> String {
        let values = pressures.enumerated().map { number, one in
            String(
                format: "'1E %02X 00 46 00 55 00 EA 07 0B 1C 03 %02X 05 48 00 %02X 00 00'", one.systolic, number,
                one.user)
        }
        let scenario = """
            {
              title: 'A cuff of several persons',
              sensors: [{
                name: 'BM 54', address: 'C0:52:49:00:00:07', kind: 'generic', interval: 1, advertises: ['1810'],
                services: [
                  { uuid: '1810', characteristics: [{ uuid: '2A35', flags: ['indicate'], values: [\(values.joined(separator: ", "))] }] },
                ],
              }],
            }
            """
        return try folder.write(scenario, to: "cuff.json5")
    }

    private func start(_ arguments: [String] = [], on world: World) async throws -> ProgramInTerminal {
        let program = try await ProgramInTerminal.start(
            ["--connect", "all"] + arguments, on: world, environment: environment)
        try await program.waitFor("SENSORS")
        return program
    }

    private func rows() async throws -> [[String]] {
        try await SQLiteTool.rows("SELECT systolic, status FROM record_entries ORDER BY systolic", in: store)
    }

    @Test("waits as unconfirmed, also after a kill, until keys or the command confirm or discard it")
    func confirmed() async throws {
        let world = try await World.simulated(try cuff([(118, 1), (142, 1), (150, 1)]))
        let first = try await start(["--set", "record.confirm=true"], on: world)
        try await first.waitFor("3 to confirm")
        try await first.waitFor("UNCONFIRMED")
        await first.type("e")
        try await first.waitFor("TO CONFIRM")
        await first.type("v")
        try await first.waitFor("2 to confirm")
        try await world.waitUntil("the confirmation is in the store") {
            try await rows().map { $0[1] }.sorted() == ["final", "preliminary", "preliminary"]
        }
        await first.send(signal: SIGKILL)
        _ = try await first.waitForExit()
        // Somebody switched it off meanwhile: what waits still waits.
        let second = try await start(on: world)
        try await second.waitFor("2 to confirm")
        await second.type("e")
        try await second.waitFor("TO CONFIRM")
        await second.type("x")
        try await second.waitFor("Discard blood pressure")
        await second.type("y")
        try await second.waitFor("1 to confirm")
        try await second.closePage()
        #expect(try await second.quit() == .exited(0))
        let list = try await ProgramWithPipes.run(["confirm", "--simulate"], environment: environment)
        #expect(list.status == .exited(0) && list.output.contains("unconfirmed") && list.output.contains("BM 54"))
        #expect(list.output.split(separator: "\n").count == 1, "\(list.output)")
        let wrong = try await ProgramWithPipes.run(["confirm", "--simulate", "99"], environment: environment)
        #expect(wrong.status == .exited(65))
        let rest = try await ProgramWithPipes.run(["confirm", "--simulate", "all"], environment: environment)
        #expect(rest.output.hasPrefix("Confirmed, while nobody monitors: blood pressure"))
        #expect(try await rows().map { $0[1] }.sorted() == ["entered-in-error", "final", "final"])
        let none = try await ProgramWithPipes.run(["confirm", "--simulate"], environment: environment)
        #expect(none.output == "No measurement waits to be confirmed.\n")
    }

    @Test("of several persons waits, also after a kill, until a key says who the patient is; that of others is counted")
    func severalUsers() async throws {
        let world = try await World.simulated(try cuff([(118, 1), (142, 2), (150, 2)]))
        // Whichever comes first counts until the second person comes.
        let counts = """
            SELECT (SELECT count(*) FROM waiting_entry), (SELECT count(*) FROM record_entry WHERE retracted_wall_ms IS NULL),
                (SELECT count(*) FROM left_out_measurement)
            """
        let first = try await start(on: world)
        try await first.waitFor("WHICH USER OF BM 54 IS THE PATIENT?")
        try await world.waitUntil("each waits in the store, or counts") {
            let found = try await SQLiteTool.rows(counts, in: store).first ?? []
            return found.prefix(2).compactMap { Int($0) }.reduce(0, +) == 3 && found.last == "0"
        }
        await first.send(signal: SIGKILL)
        _ = try await first.waitForExit()
        let second = try await start(on: world)
        try await second.waitFor("WHICH USER OF BM 54 IS THE PATIENT?")
        await second.type("U")
        try await second.waitFor("Which user of BM 54 is the patient?")
        await second.type("1")
        try await world.waitUntil("only the patient's counts") {
            try await SQLiteTool.rows(counts, in: store) == [["0", "1", "2"]]
        }
        #expect(try await rows().filter { $0[1] == "final" } == [["118", "final"]])
        #expect(try await second.quit() == .exited(0))
        // Nobody is asked again, and what comes again is not counted again.
        let third = try await start(on: world)
        try await third.waitFor("BP 118/70")
        // The record has the pressure before the cuff is there.
        try await third.waitFor("ready to measure")
        await third.type("i")
        try await third.waitFor("2 values of other users left out")
        try await third.closePage()
        #expect(try await third.quit() == .exited(0))
        #expect(try await SQLiteTool.rows(counts, in: store) == [["0", "1", "2"]])
    }
}
