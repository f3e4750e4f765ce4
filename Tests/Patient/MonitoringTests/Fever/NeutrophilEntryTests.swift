import Testing
import Vitals

@testable import Monitoring

@Suite("A typed neutrophil count")
struct NeutrophilEntryTests {
    /// 2026-11-20 13:43:12 in a place two hours ahead of UTC.
    private static let now = Moment(monotonicNanoseconds: 1, wallMilliseconds: 1_795_182_192_000)
    private static let offset = 7200

    private func read(_ text: String) throws(NeutrophilEntry.EntryError) -> NeutrophilEntry {
        try NeutrophilEntry(text, now: Self.now, timeZone: LocalTimeZone(offset: Self.offset), enteredBy: "K. Meier")
    }

    private func refusal(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error.description
        }
    }

    static let unitsTable: [(String, Int)] = [
        ("500/µL", 500), ("500 /uL", 500), ("499 cells/µL", 499), ("450/mm³", 450), ("450", 450), ("100", 100),
        ("0", 0), ("0/µL", 0), ("4/µL", 4),
        ("0.5 × 10⁹/L", 500), ("0.5 10^9/L", 500), ("0,5 x10E9/l", 500), ("0.499 10*9/L", 499),
        ("0.45 G/L", 450), ("0.4500000 Gpt/L", 450), ("4 10^9/L", 4000), ("1.2 K/µL", 1200),
        ("1.2 x 10^3/uL", 1200), ("0.1 /nL", 100), ("0.099 10^9/L", 99), ("100000/µL", 100_000),
    ]

    static let datesTable: [(String, Int64)] = [
        ("2026-11-20", -15 * 3600 - 43 * 60 - 12), ("today", -15 * 3600 - 43 * 60 - 12),
        ("TODAY 15:43", -12), ("yesterday", -39 * 3600 - 43 * 60 - 12),
        ("2026-11-19 15:43", -86_400 - 12), ("2026-11-14 0:00", -6 * 86_400 - 15 * 3600 - 43 * 60 - 12),
    ]

    static let refusedTable: [(String, String)] = [
        ("", "When was the blood taken? Type the date behind the count, such as 450/µL 2026-11-18."),
        ("450/µL", "When was the blood taken? Type the date behind the count, such as 450/µL 2026-11-18."),
        ("many today", "A neutrophil count begins with a number. Type for example 450/µL or 0.45 10^9/L."),
        ("-5/µL today", "A neutrophil count begins with a number. Type for example 450/µL or 0.45 10^9/L."),
        ("1.2.3/µL today", "A neutrophil count begins with a number. Type for example 450/µL or 0.45 10^9/L."),
        ("4 today", "4 of what? Type 4/µL or 4 10^9/L."),
        ("99 today", "99 of what? Type 99/µL or 99 10^9/L."),
        ("0.5 today", "0.5 of what? Type 0.5/µL or 0.5 10^9/L."),
        ("1.200 today", "1.200 of what? Type 1.200/µL or 1.200 10^9/L."),
        ("1.200/µL today", "A count per µL is a whole number without separators, such as 450/µL."),
        (
            "0.4999 10^9/L today",
            "That number has more digits than a count has. Type for example 450/µL or 0.45 10^9/L."
        ),
        (
            "12345678901234567890/µL today",
            "That number has more digits than a count has. Type for example 450/µL or 0.45 10^9/L."
        ),
        ("450 mg/dL today", "“ mg/dL” is not a unit of a neutrophil count. Type for example 450/µL or 0.45 10^9/L."),
        ("450 10^9/L today", "450000 per µL is more than anybody has. Look at the unit: 0.45 10^9/L are 450/µL."),
        ("100001/µL today", "100001 per µL is more than anybody has. Look at the unit: 0.45 10^9/L are 450/µL."),
        ("450/µL 2026-02-30", "That is no date. Type year, month and day, such as 2026-11-18."),
        ("450/µL 18-11-2026", "That is no date. Type year, month and day, such as 2026-11-18."),
        (
            "450/µL 2026-11-18 7 Uhr",
            "There is too much behind the date. Type a count and a date, such as 450/µL 2026-11-18."
        ),
        ("450/µL today 24:00", "That is no time of day. Type hours and minutes, such as 2026-11-18 07:30."),
        ("450/µL today 15:44", "That date lies in the future. Type when it was taken, such as 2026-11-18."),
        ("450/µL 2026-11-21", "That date lies in the future. Type when it was taken, such as 2026-11-18."),
        (
            "450/µL 2026-11-13",
            "That blood was taken more than 7 days ago. A count so old says nothing; type a newer one."
        ),
        ("450/µL 1969-12-31", "That is no date. Type year, month and day, such as 2026-11-18."),
        (
            String(repeating: "4", count: 5000) + " today",
            "That is too long. Type a count and a date, such as 450/µL 2026-11-18."
        ),
        (
            "450\u{1B}[2J today",
            "“\u{FFFD}[2J” is not a unit of a neutrophil count. Type for example 450/µL or 0.45 10^9/L."
        ),
    ]

    @Test(
        "is exact in every unit that laboratories use",
        arguments: unitsTable)
    func units(_ text: String, _ perMicrolitre: Int) throws {
        guard case .count(let count) = try read("\(text) today") else {
            Issue.record("\(text) is no count")
            return
        }
        #expect(count.perMicrolitre == perMicrolitre)
        #expect(count.enteredBy == "K. Meier")
    }

    @Test(
        "knows when the blood was taken, by the local calendar",
        arguments: datesTable)
    func dates(_ date: String, _ seconds: Int64) throws {
        guard case .count(let count) = try read("450/µL \(date)") else {
            Issue.record("\(date) is no date")
            return
        }
        #expect(count.sampledAt - Self.now.wallMilliseconds == seconds * 1000)
    }

    @Test("can be withdrawn", arguments: ["none", "Unknown", "off", " none "])
    func withdrawn(_ text: String) throws {
        #expect(try read(text) == .withdrawn)
    }

    @Test(
        "is refused with a sentence that says what to type",
        arguments: refusedTable)
    func refused(_ text: String, _ sentence: String) {
        #expect(refusal(text) == sentence)
    }

    @Test(
        "has a calendar with leap years",
        arguments: [
            ("2024-02-29", 1_709_164_800), ("2000-03-01", 951_868_800), ("1970-01-01", 0),
            ("2100-03-01", 4_107_542_400),
        ])
    func calendar(_ date: String, _ seconds: Int64) throws {
        let later = Moment(monotonicNanoseconds: 1, wallMilliseconds: (seconds + 86_399) * 1000)
        let entry = try NeutrophilEntry("450 \(date)", now: later, timeZone: LocalTimeZone(offset: 0))
        #expect(entry == .count(NeutrophilCount(perMicrolitre: 450, sampledAt: seconds * 1000)))
    }

    @Test("is of the local time of its own day, also after the clocks were changed")
    func changedClocks() throws {
        // Germany, 28 October 2026, 12:00 UTC; back on the 25th at 01:00 UTC.
        let now = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_793_188_800_000)
        let zone = LocalTimeZone(offset: 3600, changes: [.init(moment: 1_792_890_000, offsetBefore: 7200)])
        func sampled(_ text: String) throws -> Int64? {
            guard case .count(let count) = try NeutrophilEntry("450/µL \(text)", now: now, timeZone: zone) else {
                return nil
            }
            return count.sampledAt
        }
        #expect(try sampled("2026-10-24 12:00") == 1_792_836_000_000)
        #expect(try sampled("2026-10-26 12:00") == 1_793_012_400_000)
        // Of the doubled hour the first one, so that the count is rather forgotten too early.
        #expect(try sampled("2026-10-25 02:30") == 1_792_888_200_000)
        #expect(try sampled("2026-10-25") == 1_792_879_200_000)
        let spring = LocalTimeZone(offset: 7200, changes: [.init(moment: 1_774_746_000, offsetBefore: 3600)])
        let later = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_774_900_000_000)
        #expect(throws: NeutrophilEntry.EntryError.self) {
            try NeutrophilEntry("450/µL 2026-03-29 02:30", now: later, timeZone: spring)
        }
    }
}
