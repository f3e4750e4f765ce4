import Foundation
import TestSupport
import Testing

/// The last days at a glance: the page of the screen, and the report to hand over.
@Suite("The last days", .startsPrograms)
struct DaysTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A zone in which it is about noon, so that no day ends meanwhile.
    private static let noon = "XST\(Int(Date().timeIntervalSince1970) / 3600 % 24 - 12)"

    private func environment(_ zone: String) -> [String: String] {
        ["XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "TZ": zone]
    }

    private func run(_ words: [String], zone: String = "Europe/Berlin") async throws -> ProgramWithPipes.Outcome {
        try await ProgramWithPipes.run(words, environment: environment(zone))
    }

    @Test("D opens the page, the arrows read days, and Enter opens a day in the trends from the store")
    func page() async throws {
        let bedside = try await ProgramInTerminal.start(
            ["--simulate=steady", "--connect", "all"], environment: environment(Self.noon), columns: 120, rows: 40)
        try await bedside.waitForSteadyValues()
        let lab = try await run(["enter", "--simulate", "lab", "wbc=1.2", "neutrophils=35%"], zone: Self.noon)
        #expect(lab.status == .exited(0), "\(lab.errorOutput)")
        let dose = try await run(["enter", "--simulate", "medication", "paracetamol", "500", "mg"], zone: Self.noon)
        #expect(dose.status == .exited(0), "\(dose.errorOutput)")
        // What was measured within the last second is not in the store yet; the page is read anew when it is opened.
        try await bedside.waitUntil("the page reads today", pressing: "D") {
            $0.shows("THE LAST 14 DAYS") && $0.shows("heart rate 7") && $0.shows("ANC 420/µL (severe neutropenia)")
        }
        await bedside.press(.left)
        try await bedside.waitFor("no vital was measured")
        await bedside.press(.right)
        try await bedside.waitFor("ANC 420/µL (severe neutropenia)")
        await bedside.press(.enter)
        try await bedside.waitUntil("the day is in the trends") { $0.shows("HISTORY") && !$0.shows("THE LAST 14 DAYS") }
        await bedside.press(.escape)
        try await bedside.waitUntil("the trends show now") { !$0.shows("HISTORY") }
        try await bedside.quitWhenAsked()
        #expect(try await bedside.waitForExit() == .exited(0))
    }

    @Test("bedside report --format html writes one page, once, with what was entered in it")
    func report() async throws {
        for words in [
            ["lab", "wbc=1.2", "neutrophils=35%", "at=-2m"], ["temperature", "38.6", "mouth"],
            ["note", "<script>alert('1')</script>\u{1B}[2J"], ["medication", "paracetamol", "1", "g"],
        ] { #expect(try await run(["enter"] + words).status == .exited(0)) }
        let file = folder.path + "/report.html"
        let written = try await run(["report", "--format", "html", "--output", file])
        #expect(written.status == .exited(0) && written.output.isEmpty, "\(written.errorOutput)")
        let html = try String(contentsOfFile: file, encoding: .utf8)
        for text in [
            "<!DOCTYPE html>", "38.6 °C", "420/µL", "severe neutropenia", "the last paracetamol 1 g",
            "not a medical device",
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;", "<svg", "the last 14 days", "UTC+0",
        ] { #expect(html.contains(text), "\(text)") }
        #expect(!html.contains("<script") && !html.contains("\u{1B}") && !html.contains("SIMULATED"))
        // Nothing is replaced unasked, and never a store.
        #expect(try await run(["report", "--format", "html", "--output", file]).status == .exited(74))
        #expect(try await run(["report", "--format=html", "--output", file, "--force"]).status == .exited(0))
        let store = folder.path + "/bedside/store.sqlite"
        #expect(try await run(["report", "--format=html", "--output", store, "--force"]).status == .exited(74))
        let fahrenheit = try await run(["report", "--format", "html", "--fahrenheit", "--days", "3"])
        #expect(fahrenheit.output.contains("101.5 °F") && !fahrenheit.output.contains("°C"))
        // The other formats have the same figures.
        let text = try await run(["report"]).output
        #expect(text.contains("Highest temperature: 38.6 °C") && text.contains("Outside limits"))
        let lines = try await run(["report", "--format", "json"]).output
        let same = try await run(["report", "--json"]).output
        #expect(same.split(separator: "\n").count == lines.split(separator: "\n").count && same.hasPrefix("{"))
        #expect(lines.contains("\"by\":\"day\"") && lines.contains("\"maximum\":38.6"))
        #expect(try await run(["report", "--json", "--format", "html"]).status == .exited(64))
        #expect(try await run(["report", "--format", "htm"]).errorOutput.contains("did you mean 'html'?"))
    }
}
