import Foundation
import Formats
import Monitoring
import TestSupport
import Testing
import Vitals

@Suite("The report as HTML")
struct ReportHTMLTests {
    @Test("looks as it was approved")
    func golden() throws {
        try expectGolden(ReportExample.report().html(), "report.html")
    }

    /// A report whose every text is an attack.
    private static var hostile: PatientReport {
        let attack = "<script>alert(1)</script>\"'&amp;<!--]]>\u{202E}\u{2066}\u{1B}[2J\u{0}\u{7}\u{85}\u{2028}"
        var overview = ReportExample.overview
        overview.entries += [
            ReportExample.entry(.note(attack), 12, ofDay: 2),
            ReportExample.entry(.medication(Medication("paracetamol " + attack)), 12, ofDay: 2),
            ReportExample.entry(.symptom(SymptomRating(Symptom(attack), severity: 10)), 12, ofDay: 2),
            ReportExample.entry(
                .mascc(
                    MASCCIndex(
                        burden: .mild, hasHypotension: false, hasPulmonaryDisease: false,
                        hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true,
                        isUnder60: true, assessedBy: attack)), 13, ofDay: 2),
        ]
        overview.entries[1].entry.retractedAt = nil
        overview.entries[1].entry.retract(at: ReportExample.now, reason: attack)
        var report = ReportExample.report(overview)
        report.patient = PatientName("bed-12")
        report.zoneName = attack
        return report
    }

    @Test("is harmless with hostile names: no tag, no quote, no control and no bidirectional character is left of them")
    func hostileNames() {
        let html = Self.hostile.html()
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(!html.contains("<script"))
        let allowed: (Unicode.Scalar) -> Bool = { scalar in
            scalar == "\n" || ![.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
        }
        #expect(html.unicodeScalars.allSatisfy(allowed))
        #expect(!html.contains("<!--]]>"))
    }

    @Test(
        "is valid by an independent parser, without script, link or anything from elsewhere", arguments: [false, true])
    func valid(isHostile: Bool) throws {
        try #require(PythonScript.isHere(with: "html5lib"), "python3-html5lib is missing; make test installs it")
        let folder = try ScratchFolder()
        let html = isHostile ? Self.hostile.html() : ReportExample.report().html()
        let file = try folder.write(html, to: "report.html")
        let checker = try PythonScript(
            URL(filePath: #filePath).deletingLastPathComponent().appendingPathComponent("check_html.py").path)
        #expect(try checker.answer(to: file) == "valid")
    }

    @Test(
        "the checker of HTML finds what is wrong",
        arguments: [
            ("<p>unclosed", "DOCTYPE"), ("<!DOCTYPE html><title>a</title><p onclick=\"f()\">b</p>", "onclick"),
            ("<!DOCTYPE html><title>a</title><script>f()</script>", "script"),
            ("<!DOCTYPE html><title>a</title><p><img src=\"http://example.org/a.png\" alt=\"\"></p>", "img"),
            ("<!DOCTYPE html><title>a</title><svg><rect></svg>", "expected"),
        ])
    func checkerFindsFaults(html: String, word: String) throws {
        try #require(PythonScript.isHere(with: "html5lib"), "python3-html5lib is missing; make test installs it")
        let folder = try ScratchFolder()
        let file = try folder.write(html, to: "report.html")
        let checker = try PythonScript(
            URL(filePath: #filePath).deletingLastPathComponent().appendingPathComponent("check_html.py").path)
        let answer = try checker.answer(to: file)
        #expect(answer != "valid" && answer.contains(word), "\(answer)")
    }

    @Test(
        "shows no meaning by colour alone: nothing but black, white and greys, and words for what is hatched or filled")
    func grey() throws {
        let html = ReportExample.report().html()
        for color in html.matches(of: /#[0-9a-fA-F]{3,6}/).map({ String($0.output) }) where !color.hasPrefix("#39") {
            let digits = Set(color.dropFirst())
            #expect(digits.count == 1, "\(color)")
        }
        #expect(html.contains("hatched: fever") && html.contains("thick line: the median"))
    }

    @Test("says what it is, of whom, when it was made, in which time, and that the data are simulated")
    func heading() {
        let html = ReportExample.report().html()
        for text in [
            "Patient bed-12: the last 3 days", "SIMULATED SENSORS", "Bedside is not a medical device",
            "local time, UTC+01:00 (CET)",
            "at 2026-10-26 18:00", "size: A4",
        ] { #expect(html.contains(text), "\(text)") }
    }

    @Test("is made of nothing but a record, of one day, and of a year")
    func extremes() {
        var overview = ReportExample.overview
        for place in overview.days.indices { overview.days[place].vitals = [] }
        #expect(ReportExample.report(overview).html().contains("No vital was measured in these days."))
        overview = PatientOverview(days: [ReportExample.overview.days[0]])
        #expect(ReportExample.report(overview).html().contains("the last day"))
        #expect(ReportExample.report(overview).html().contains("Nothing was entered in these days."))
        let day = ReportExample.overview.days[0]
        let length = day.range.upperBound - day.range.lowerBound
        overview.days = (0..<366).map { number in
            let start = day.range.lowerBound + Int64(number) * length
            return PatientOverview.Day(start..<start + length, vitals: day.vitals)
        }
        #expect(ReportExample.report(overview).html().count < 2_000_000)
    }
}
