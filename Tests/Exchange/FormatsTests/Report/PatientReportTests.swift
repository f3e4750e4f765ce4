import Formats
import Monitoring
import TestSupport
import Testing
import Vitals

@Suite("The report of a patient")
struct PatientReportTests {
    @Test("answers what is asked on the phone first, and counts no mistake")
    func answers() {
        let text = ReportExample.report().text()
        #expect(
            text.hasPrefix(
                """
                SIMULATED SENSORS
                Patient: bed-12
                From 2026-10-24 00:00 to 2026-10-26 18:00, local time, UTC+01:00 (CET); UTC+02:00 until 2026-10-25
                Fever: since 2026-10-26 15:00, highest 38.4 °C; no end is recorded
                Highest temperature: 38.9 °C on 2026-10-25
                Neutrophils: 420/µL of 2026-10-24 08:00, severe neutropenia
                MASCC risk index: 18 of 26, high risk (< 21: high risk), of 2026-10-26 10:00, by Ada
                Antipyretics: 1 dose in these days, the last paracetamol 1000 mg at 2026-10-25 05:00; they may hide a fever
                Symptoms: nausea 6/10, moderate, 2026-10-26 09:00

                """))
        #expect(text.contains("taken back at 2026-10-25 03:00 as a mistake"))
    }

    @Test("has for each day and vital the median, how much was measured, and for how long it was outside")
    func figures() {
        let text = ReportExample.report().text()
        #expect(text.contains("2026-10-25  body temperature    36.6    37.8     38.9  °C       100 %      3 h 32 min"))
        #expect(text.contains("2026-10-24  heart rate            58      72      111  /min      91 %             0 s"))
        // Where only sums are left, neither median nor coverage is known.
        #expect(text.contains("2026-10-26  heart rate            64       -      126  /min         -               -"))
        #expect(text.contains("from 2026-10-25 02:00 to 2026-10-25 08:00, highest 38.9 °C"))
    }

    @Test(
        "fault 18: axis in °F with values in °C: all temperatures of text and pictures are in the unit that is asked for"
    )
    func fahrenheit() throws {
        let report = ReportExample.report(isFahrenheit: true)
        let text = report.text()
        #expect(text.contains("Highest temperature: 102.1 °F on 2026-10-25"))
        #expect(text.contains("97.9   100.0    102.1  °F"))
        #expect(text.contains("body temperature 101.5 °F, mouth"))
        let html = report.html()
        #expect(!html.contains("°C"))
        #expect(html.contains("Body temperature, °F"))
        // The axis, and the reference lines of 38.0, 38.3 and 35.5 °C.
        for label in [">98<", ">102<", ">100.4<", ">100.94<", ">95.9<"] { #expect(html.contains(label), "\(label)") }
        #expect(!html.contains(">38.3<"))
    }

    @Test("fault 6: month-old lab counts: one older than seven days is unknown, and says so")
    func old() {
        let later = ReportExample.moment(8 + 7 * 24 - 48 + 1, ofDay: 2)
        for text in [ReportExample.report(now: later).text(), ReportExample.report(now: later).html()] {
            #expect(text.contains("older than seven days, so it counts as unknown"))
            #expect(!text.contains("2026-10-24 08:00, severe"))
        }
    }

    @Test("fault 5: a read failure means no fever: without an alarm a temperature that is one is still named")
    func feverWithoutAlarm() {
        var overview = ReportExample.overview
        overview.fevers = []
        #expect(
            ReportExample.report(overview).text().contains(
                "Fever: no alarm of a fever in these days, but 38.9 °C was measured on 2026-10-25\n"))
        for place in overview.days.indices { overview.days[place].vitals.removeAll { $0.vital == .bodyTemperature } }
        #expect(ReportExample.report(overview).text().contains("Fever: no alarm of a fever in these days\n"))
    }

    @Test("a count and a risk index from before the days are still the newest")
    func earlier() {
        var overview = ReportExample.overview
        overview.earlier = [overview.entries[0]]
        overview.entries.removeFirst()
        #expect(ReportExample.report(overview).text().contains("Neutrophils: 420/µL of 2026-10-24 08:00, severe"))
    }

    @Test("fault 17: MASCC omits the outpatient status: the report adds it up to 26")
    func mascc() {
        var overview = ReportExample.overview
        overview.entries.append(
            ReportExample.entry(
                .mascc(
                    MASCCIndex(
                        burden: .mild, hasHypotension: false, hasPulmonaryDisease: false,
                        hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true,
                        isUnder60: true)), 12, ofDay: 2))
        for text in [ReportExample.report(overview).text(), ReportExample.report(overview).html()] {
            #expect(text.contains("26 of 26, low risk"))
        }
    }

    @Test("fault 13: skin temperature is not body temperature: neither is the highest, nor in its picture")
    func skin() {
        var overview = ReportExample.overview
        overview.days[0].vitals.append(
            ReportExample.figures(.skinTemperature, 3000, 3300, 4050, covered: 60, outside: nil, length: 24))
        #expect(ReportExample.report(overview).text().contains("Highest temperature: 38.9 °C on 2026-10-25"))
        #expect(ReportExample.report(overview).html().contains("<figcaption>Skin temperature, °C</figcaption>"))
    }

    @Test("as JSON lines each day has its true beginning and length across a change of the clocks")
    func json() throws {
        var encoder = WatchEncoder(isSimulated: true, patient: PatientName("bed-12"))
        encoder.write(ReportExample.report())
        let lines = encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        for part in [
            "\"event\":\"summary\",\"simulated\":true,\"patient\":\"bed-12\",\"by\":\"day\",\"from\":\"2026-10-24T22:00:00.000Z\","
                + "\"to\":\"2026-10-25T23:00:00.000Z\",\"vital\":\"body_temperature\"",
            "\"minimum\":36.6,\"median\":37.79,\"maximum\":38.92,\"covered_percent\":100,\"covered_s\":90000,\"outside_limits_s\":12720",
            "\"to\":\"2026-10-26T17:00:00.000Z\",\"vital\":\"heart_rate\",\"unit\":\"/min\",\"readings\":1000,\"minimum\":64,\"maximum\":126,\"sums_only\":true",
            "\"from\":\"2026-10-25T01:00:00.000Z\",\"to\":\"2026-10-25T07:00:00.000Z\",\"state\":\"ended\",\"maximum\":38.92",
            "\"from\":\"2026-10-26T14:00:00.000Z\",\"state\":\"open\"",
        ] { #expect(lines.contains(part), "\(part) in \(lines)") }
    }
}
