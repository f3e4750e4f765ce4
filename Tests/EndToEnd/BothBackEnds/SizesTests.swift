import Testing

extension BothBackEnds {
    @Suite("A terminal of any size")
    struct SizesTests {
        @Test("shows the values, and never ends the program")
        func sizes() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitForSteadyValues()
            for (columns, rows) in [(20, 4), (34, 7), (60, 16), (80, 24), (200, 60), (300, 100), (1, 1), (20, 4)] {
                await bedside.resize(columns: columns, rows: rows)
                try await bedside.waitUntil("\(columns) x \(rows) shows the heart rate") {
                    $0.shows("HR") || $0.shows("HEART RATE") || columns == 1
                }
            }
            try await bedside.waitUntil("the smallest screen shows all values in its lines") {
                $0.line(showing: "HR")?.contains("72") == true && $0.line(showing: "SpO₂")?.contains("98") == true
                    && $0.shows("36.8")
            }
            await bedside.resize(columns: 100, rows: 30)
            try await bedside.waitForSteadyValues()
        }

        @Test("may change all the time")
        func storm() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitForSteadyValues()
            for step in 0..<120 {
                await bedside.resize(columns: 20 + step * 37 % 181, rows: 4 + step * 13 % 57)
            }
            await bedside.resize(columns: 100, rows: 30)
            try await bedside.waitForSteadyValues()
            try await bedside.waitUntil("the frame is whole") {
                $0.lines[2].hasPrefix("─ ") && $0.lines[2].hasSuffix(" ─") && $0.lines[29].hasPrefix(" Enter sensors ")
                    && $0.lines[29].contains("q quit")
            }
            #expect(try await bedside.quit() == .exited(0))
            #expect(await bedside.damageToTerminal.isEmpty)
        }

        @Test("and of any locale: without UTF-8 it shows ASCII")
        func ascii() async throws {
            let world = try await World.start()
            let bedside = try await ProgramInTerminal.start(
                ["--connect", "all"], on: world, environment: ["LANG": "C", "LC_ALL": "C"], columns: 34, rows: 7)
            let screen = try await bedside.waitUntil("the heart rate is shown") {
                $0.line(showing: "HR")?.contains("72") == true
            }
            #expect(screen.text.utf8.allSatisfy { $0 < 0x80 })
        }
    }
}
