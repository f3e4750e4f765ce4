import Entries
import Monitoring
import Testing
import VitalDecoders
import Vitals

@Suite("What is typed as a measurement")
struct ManualReaderTests {
    /// 2026-03-01 03:10:00 UTC.
    private static let now = Moment(monotonicNanoseconds: 90_000_000_000_000, wallMilliseconds: 1_772_334_600_000)

    /// The result of a text, in a line: "body temperature 38.4 °C, mouth", "? …", "! …", with the minutes since then.
    private static func read(
        _ text: String, _ kind: RecordEntry.Kind, _ unit: TemperatureUnit = .celsius
    ) -> String {
        func line(_ entry: RecordEntry) -> String {
            let minutes = (now.wallMilliseconds - entry.taken.wallMilliseconds) / 60_000
            return entry.text + (minutes == 0 ? "" : " -\(minutes)")
        }
        do throws(ManualReader.EntryError) {
            switch try ManualReader.read(text, as: kind, unit: unit, now: now, timeZone: LocalTimeZone(offset: 0)) {
            case .entry(let entry): return line(entry)
            case .question(let sentence, let entry): return "? \(sentence) \(line(entry))"
            case .withdrawn: return "withdrawn"
            }
        } catch {
            return "! \(error.description)"
        }
    }

    @Test(
        "is a temperature in the unit in use or in its own, with its place and its time",
        arguments: [
            ("38.4", "body temperature 38.4 °C"), ("38,4", "body temperature 38.4 °C"),
            ("37", "body temperature 37.0 °C"), ("36.85", "body temperature 36.85 °C"),
            ("38.4°C mouth", "body temperature 38.4 °C, mouth"), ("38.4 c a", "body temperature 38.4 °C, armpit"),
            ("rectal 38.4 -15m", "! “rectal” is not a temperature. Type for example 38.4 mouth -15m."),
            ("38.4 rectal -15m", "body temperature 38.4 °C, rectum -15"),
            ("-15m 38.4 E", "body temperature 38.4 °C, ear -15"), ("98.6F", "body temperature 37.0 °C"),
            ("101.1 °F oral", "body temperature 38.39 °C, mouth"),
            ("98.6", "? 98.6 °C is not possible. Did you mean 98.6 °F (37.0 °C)? body temperature 37.0 °C"),
            ("384", "? 384.0 °C is not possible. Did you mean 38.4 °C? body temperature 38.4 °C"),
            ("42.3", "? 42.3 °C is unusual. Is it right? body temperature 42.3 °C"),
            ("33.9", "? 33.9 °C is unusual. Is it right? body temperature 33.9 °C"),
            ("14", "! 14.0 °C is not a possible body temperature: 25.0 to 45.0 °C can be entered."),
            ("98.6 °C", "! 98.6 °C is not a possible body temperature: 25.0 to 45.0 °C can be entered."),
            ("38.4 nose", "! “nose” means nothing here. Type for example 38.4 mouth -15m."),
            ("38.4 mouth ear", "! “ear” means nothing here. Type for example 38.4 mouth -15m."),
            ("38.456", "! “38.456” is not a temperature. Type for example 38.4 mouth -15m."),
            ("", "! Nothing is typed yet. Type for example 38.4 mouth -15m."),
            ("-15m", "! Nothing is typed yet. Type for example 38.4 mouth -15m."),
            ("99999999999999999999", "! “9999999999999999…” is not a temperature. Type for example 38.4 mouth -15m."),
        ])
    func temperatures(text: String, expected: String) {
        #expect(Self.read(text, .bodyTemperature) == expected)
    }

    @Test(
        "is a blood count, with each value in the unit in use or in its own",
        arguments: [
            (
                "wbc=1.2 neutrophils=35% at=08:10",
                "! 08:10 is yet to come. Type when it was measured, or yesterday 08:10 if that is meant."
            ),
            (
                "wbc=1.2 neutrophils=35% at=02:10",
                "blood count: ANC 420/µL (severe neutropenia), white cells 1.2 × 10⁹/L, neutrophils 35 % -60"
            ),
            (
                "WBC 1,2 x 10^9/L neut 35,5",
                "blood count: ANC 426/µL (severe neutropenia), white cells 1.2 × 10⁹/L, neutrophils 35.5 %"
            ),
            (
                "neutrophils 420/µL hb 98 g/L",
                "blood count: ANC 420/µL (severe neutropenia), haemoglobin 9.8 g/dL, neutrophil count 420 /µL"
            ),
            (
                "wbc=1.2 neutrophils=35% at=yesterday 02:10",
                "blood count: ANC 420/µL (severe neutropenia), white cells 1.2 × 10⁹/L, neutrophils 35 % -1500"
            ),
            ("hb 6.1 mmol/L", "blood count: haemoglobin 9.83 g/dL, ANC unknown without white cells and neutrophils"),
            (
                "hb 98",
                "? Haemoglobin 98 g/dL is not possible. Did you mean 98 g/L? blood count: haemoglobin 9.8 g/dL, ANC unknown "
                    + "without white cells and neutrophils"
            ),
            (
                "wbc 1200",
                "? white cells 1200 × 10⁹/L are not plausible. Did you mean 1200/µL? blood count: white cells 1.2 × 10⁹/L, "
                    + "ANC unknown without neutrophils"
            ),
            (
                "plt 45 2026-02-20 07:30",
                "blood count: platelets 45 × 10⁹/L, ANC unknown without white cells and neutrophils -12700"
            ),
            (
                "plt 45 2026-02-10",
                "! That is more than 14 days ago. What is older cannot be entered."
            ),
            ("plt 45 2026-03-02", "! That date lies in the future. Type when it was taken, such as 2026-11-18."),
            (
                "neutrophils 60 lymphocytes 50",
                "! The shares of the white cells add up to more than 100 %. Look at them again."
            ),
            ("wbc 1.2 wbc 1.3", "! There are two values of white cells. Type one."),
            (
                "anc 0.4",
                "! 0.4 neutrophils of what? Type 0.4/µL or 0.4x10^9/L."
            ),
            ("wbc 1.2 mg", "! “mg” is not a unit of white cells. Type for example 1.2x10^9/L or 1200/µL."),
            ("neutrophils 101%", "! 101 % is not possible for neutrophils. Look at the number and its unit."),
            (
                "wbc 1.2 neutrophils 35% anc 900/µL",
                "? The count of 900/µL and the share of the white cells, 420/µL, do not agree. Is it right? blood count: "
                    + "ANC 900/µL (moderate neutropenia), white cells 1.2 × 10⁹/L, neutrophils 35 %, neutrophil count 900 /µL"
            ),
            (
                "wbc",
                "! wbc has no value. Type for example wbc 1.2 neutrophils 35% hb 9.8 plt 45 08:10."
            ),
        ])
    func bloodCounts(text: String, expected: String) {
        #expect(Self.read(text, .lab) == expected)
    }

    @Test(
        "a count per µL with a separator is refused, whatever its decimals, and one that nobody has is asked about",
        arguments: ["wbc", "plt", "anc", "neutrophils"])
    func separators(name: String) {
        for number in ["1.000", "1,000", "1.234", "12.000", "150,000", "450.0", "0.450", "1.2"] {
            for unit in ["/µL", " /uL", "/mm3", " cells/µL"] {
                #expect(
                    Self.read("\(name) \(number)\(unit)", .lab)
                        == "! A count per µL is a whole number without separators, such as 1200/µL.")
                if name == "anc" {
                    let read = Self.read("\(number)\(unit) today", .neutrophils)
                    #expect(read == "! A count per µL is a whole number without separators, such as 450/µL.")
                }
            }
            // In 10⁹/L the decimals are decimals; a number without a unit is one of those, and never per µL.
            if name == "wbc" || name == "plt" {
                #expect(!Self.read("\(name) \(number)", .lab).contains("/µL?"), "\(number)")
            }
        }
        for number in ["1.000.000", "1,000,000", "1'000", "1 000"] {
            #expect(Self.read("\(name) \(number)/µL", .lab).hasPrefix("!"), "\(number)")
        }
        #expect(Self.read("wbc 1.000", .lab).hasPrefix("blood count: white cells 1 × 10⁹/L"))
        #expect(Self.read("\(name == "neutrophils" ? "anc" : name) 1200/µL", .lab).hasPrefix("blood count"))
    }

    @Test(
        "a number of cells that nobody has is asked about, and none at all is possible",
        arguments: [
            ("wbc 1/µL", true), ("wbc 9/µL", true), ("wbc 10/µL", false), ("wbc 0", false), ("wbc 0.001", true),
            ("plt 45/µL", true), ("plt 999/µL", true), ("plt 1000/µL", false), ("plt 0.045", true), ("anc 0/µL", false),
        ])
    func absurdCounts(text: String, isAsked: Bool) {
        #expect(Self.read(text, .lab).hasPrefix("?") == isAsked, "\(Self.read(text, .lab))")
    }

    @Test(
        "a dose whose separator may be one of thousands is asked about",
        arguments: [
            ("paracetamol 1.000 mg", true), ("paracetamol 1,000mg", true), ("x 1.250 mg", true), ("x 12.500 IU", true),
            ("digoxin 0.125 mg", false), ("x 1.25 mg", false), ("x 1000 mg", false), ("x 2.5 mL", false),
        ])
    func doses(text: String, isAsked: Bool) {
        #expect(Self.read(text, .medication).hasPrefix("?") == isAsked)
    }

    @Test(
        "is a medication with its dose, or a symptom with its rating",
        arguments: [
            ("paracetamol 500 mg -15m", RecordEntry.Kind.medication, "medication: paracetamol 500 mg, antipyretic -15"),
            ("name=ondansetron dose=4mg", .medication, "medication: ondansetron 4 mg"),
            ("vitamin B12 1,5 µg", .medication, "medication: vitamin B12 1.5 µg"),
            ("saline", .medication, "medication: saline"),
            ("suppository antipyretic", .medication, "medication: suppository, antipyretic"),
            (
                "aspirin 500", .medication,
                "! 500 of what? There are mg, µg, g, mL, IU, drops, tablets and %."
            ),
            ("500 mg", .medication, "! What was given? Type for example paracetamol 500 mg -15m."),
            ("nausea 6 -1h", .symptom, "symptom: nausea 6/10, moderate -60"),
            ("pain=7/10", .symptom, "symptom: pain 7/10, severe"),
            ("burning mouth 0", .symptom, "symptom: burning mouth 0/10, none"),
            (
                "pain 11", .symptom,
                "! A symptom is rated from 0 (none) to 10 (the worst): 11 is not possible."
            ),
            ("pain", .symptom, "! A symptom has a rating from 0 to 10. Type for example nausea 6 -1h."),
        ])
    func care(text: String, kind: RecordEntry.Kind, expected: String) {
        #expect(Self.read(text, kind) == expected)
    }

    @Test("is a risk index only when every item has an answer")
    func riskIndex() {
        let items = "burden=moderate hypotension=no copd=no tumour=yes dehydration=no outpatient=yes"
        #expect(Self.read("\(items) under60=no by=Ada L.", .mascc) == "MASCC 22 of 26, low risk, by Ada L.")
        #expect(
            Self.read(items, .mascc) == "! The index needs every item; there is no answer to under60.")
        #expect(
            Self.read("\(items) under60=perhaps", .mascc)
                == "! Younger than 60 years? Type under60 yes or under60 no.")
    }

    @Test("example of each kind is accepted as it stands", arguments: RecordEntry.Kind.typed)
    func examples(kind: RecordEntry.Kind) {
        guard kind != .neutrophils, kind != .lab else { return }
        let answer = Self.read(ManualReader.example(of: kind, unit: .celsius), kind)
        #expect(!answer.hasPrefix("!") && !answer.hasPrefix("?"))
    }

    @Test(
        "is a temperature in degrees Fahrenheit where those are in use",
        arguments: [
            ("98.6", "body temperature 37.0 °C"), ("100.4 mouth", "body temperature 38.0 °C, mouth"),
            ("37", "? 37.0 °F is not possible. Did you mean 37.0 °C (98.6 °F)? body temperature 37.0 °C"),
            ("38.4 C", "body temperature 38.4 °C"),
            ("1004", "? 1004.0 °F is not possible. Did you mean 100.4 °F? body temperature 38.0 °C"),
            ("120", "! 120.0 °F is not a possible body temperature: 77.0 to 113.0 °F can be entered."),
        ])
    func fahrenheit(text: String, expected: String) {
        #expect(Self.read(text, .bodyTemperature, .fahrenheit) == expected)
    }

    @Test(
        "is a rate or a saturation: a whole number that a body can have",
        arguments: [
            ("72", RecordEntry.Kind.heartRate, "heart rate 72 /min"), ("72/min", .heartRate, "heart rate 72 /min"),
            ("72 bpm 03:00", .heartRate, "heart rate 72 /min -10"),
            ("25", .heartRate, "? 25 /min is unusual. Is it right? heart rate 25 /min"),
            (
                "0", .heartRate,
                "! 0 /min is not a possible heart rate: 20 to 300 can be entered. "
                    + "If there is no pulse, that is no value to enter but an emergency."
            ),
            ("72.5", .heartRate, "! A whole number is wanted, without a decimal point, such as 72 03:10."),
            ("fast", .heartRate, "! “fast” is not a valid heart rate. Type for example 72 03:10."),
            ("97", .oxygenSaturation, "oxygen saturation 97 %"), ("97%", .oxygenSaturation, "oxygen saturation 97 %"),
            ("0", .oxygenSaturation, "! 0 % is not a possible SpO₂: 20 to 100 can be entered."),
            ("101", .oxygenSaturation, "! 101 % is not a possible SpO₂: 20 to 100 can be entered."),
            ("100", .oxygenSaturation, "oxygen saturation 100 %"),
            ("69", .oxygenSaturation, "? 69 % is unusual. Is it right? oxygen saturation 69 %"),
            ("97 98", .oxygenSaturation, "! “98” means nothing here. Type for example 97 -5m."),
        ])
    func wholeNumbers(text: String, kind: RecordEntry.Kind, expected: String) {
        #expect(Self.read(text, kind) == expected)
    }

    @Test(
        "is a blood pressure as people write it",
        arguments: [
            ("120/80", "blood pressure 120/80 mmHg"), ("120 / 80", "blood pressure 120/80 mmHg"),
            ("120 /80 mmHg", "blood pressure 120/80 mmHg"), ("120/80/93", "blood pressure 120/80/93 mmHg"),
            ("120/80 (93) 72", "blood pressure 120/80/93 mmHg, pulse 72"),
            ("120/80 pulse 72 -5m", "blood pressure 120/80 mmHg, pulse 72 -5"),
            ("120/80 hr 72 map 93", "blood pressure 120/80/93 mmHg, pulse 72"),
            (
                "80/120",
                "! The second number, the diastolic pressure, must be lower than the first: 80/120 cannot be."
            ),
            (
                "120/120",
                "! The second number, the diastolic pressure, must be lower than the first: 120/120 cannot be."
            ),
            ("120", "! A blood pressure is two numbers with a stroke between. Type for example 120/80 pulse 72."),
            ("120-80", "! A blood pressure is two numbers with a stroke between. Type for example 120/80 pulse 72."),
            (
                "16/10 kPa",
                "! Blood pressures are entered in mmHg; 1 kPa is 7.5 mmHg. Type for example 120/80 pulse 72."
            ),
            ("400/80", "! 400/80 is not a possible blood pressure: 30 to 300 over 10 to 250 mmHg can be entered."),
            (
                "120/80/130",
                "! The mean pressure lies between the two others: 130 does not lie between 80 and 120."
            ),
            ("240/100", "? 240/100 mmHg is unusual. Is it right? blood pressure 240/100 mmHg"),
            ("90/80", "? 90/80 mmHg is unusual. Is it right? blood pressure 90/80 mmHg"),
            ("120/80 25", "? 25 /min is unusual. Is it right? blood pressure 120/80 mmHg, pulse 25"),
            ("120/80 fine", "! “fine” means nothing here. Type for example 120/80 pulse 72."),
            ("120/80 72 73", "! “73” means nothing here. Type for example 120/80 pulse 72."),
        ])
    func pressures(text: String, expected: String) {
        #expect(Self.read(text, .bloodPressure) == expected)
    }

    @Test(
        "is about now unless it says when, never about the future, and about the last 24 hours only",
        arguments: [
            ("72 now", "heart rate 72 /min"), ("72 03:10", "heart rate 72 /min"),
            ("72 at 3:00", "heart rate 72 /min -10"),
            ("72 -1h30m", "heart rate 72 /min -90"),
            ("72 15m", "! “15m” means nothing here. Type for example 72 03:10."),
            ("72 -24h", "heart rate 72 /min -1440"),
            ("72 -25h", "! That is more than 24 hours ago. What was measured since then can be entered."),
            (
                "72 -9999h",
                "! That is more than 24 hours ago. What was measured since then can be entered."
            ),
            // After midnight the evening before is meant.
            ("72 23:40", "heart rate 72 /min -210"), ("72 yesterday 23:40", "heart rate 72 /min -210"),
            (
                "72 03:11",
                "! 03:11 is yet to come. Type when it was measured, or yesterday 03:11 if that is meant."
            ),
            (
                "72 15:00",
                "! 15:00 is yet to come. Type when it was measured, or yesterday 15:00 if that is meant."
            ),
            ("72 yesterday 15:00", "heart rate 72 /min -730"),
            ("72 yesterday 02:00", "! That is more than 24 hours ago. What was measured since then can be entered."),
            ("72 yesterday", "! Yesterday at what time? Type for example yesterday 23:50."),
            ("72 -5m 03:00", "! There are two times, and “03:00” is one of them. Type one."),
            ("72 24:00", "! “24:00” means nothing here. Type for example 72 03:10."),
            ("72 -m", "! “-m” means nothing here. Type for example 72 03:10."),
        ])
    func times(text: String, expected: String) {
        let isFarEvening = text.contains("15:00") && !text.contains("yesterday")
        // 15:00 lies 12 h 10 min back, which is no longer the evening before.
        #expect(Self.read(text, .heartRate) == expected, "\(isFarEvening)")
    }

    @Test(
        "is a note, which keeps its words and takes only a time in front",
        arguments: [
            ("vomited twice", "note: vomited twice"), ("03:00 vomited", "note: vomited -10"),
            ("-15m asleep", "note: asleep -15"), ("back at 02:00", "note: back at 02:00"),
            ("=1+1 \u{202E}x", "note: =1+1 x"),
            ("  ", "! Nothing is typed yet. Type for example asleep, refuses the strap."),
        ])
    func notes(text: String, expected: String) {
        #expect(Self.read(text, .note) == expected)
    }

    @Test("is a neutrophil count, or its withdrawal")
    func neutrophils() {
        #expect(Self.read("450/µL 2026-02-28", .neutrophils) == "neutrophil count 450/µL -1630")
        #expect(Self.read("none", .neutrophils) == "withdrawn")
        #expect(Self.read("4 today", .neutrophils) == "! 4 of what? Type 4/µL or 4 10^9/L.")
    }

    @Test("takes local time where that is another one")
    func timeZone() throws {
        let outcome = try ManualReader.read(
            "72 05:00", as: .heartRate, unit: .celsius, now: Self.now, timeZone: LocalTimeZone(offset: 2 * 3600))
        guard case .entry(let entry) = outcome else {
            Issue.record("it is not taken")
            return
        }
        #expect(Self.now.wallMilliseconds - entry.taken.wallMilliseconds == 10 * 60_000)
        #expect(entry.taken.monotonicNanoseconds == Self.now.monotonicNanoseconds - 600_000_000_000)
    }

    /// Germany: back on 25 October 2026 at 01:00 UTC, forward on 29 March at 01:00 UTC; a time of day typed at a moment.
    private static func typed(_ text: String, at moment: Int64) throws -> String {
        let changes = [
            LocalTimeZone.Change(moment: 1_792_890_000, offsetBefore: 7200),
            LocalTimeZone.Change(moment: 1_774_746_000, offsetBefore: 3600),
        ].filter { $0.moment <= moment }
        let zone = LocalTimeZone(offset: changes.first?.moment == 1_774_746_000 ? 7200 : 3600, changes: changes)
        let now = Moment(monotonicNanoseconds: 900_000_000_000_000, wallMilliseconds: moment * 1000)
        do throws(ManualReader.EntryError) {
            let outcome = try ManualReader.read(text, as: .heartRate, unit: .celsius, now: now, timeZone: zone)
            guard case .entry(let entry) = outcome else { return "no entry" }
            #expect(
                now.monotonicNanoseconds - entry.taken.monotonicNanoseconds
                    == (now.wallMilliseconds - entry.taken.wallMilliseconds) * 1_000_000)
            return "-\((now.wallMilliseconds - entry.taken.wallMilliseconds) / 60_000) min"
        } catch {
            return error.description
        }
    }

    @Test(
        "has the time that the clock showed then, also across the night in which it was changed",
        arguments: [
            // Sunday, 25 October, 08:00 in winter time: ten hours since 23:00 in summer time.
            ("72 yesterday 23:00", Int64(1_792_911_600), "-600 min"), ("72 01:30", 1_792_911_600, "-450 min"),
            // 02:30 came twice; the last one counts that is not to come, even if the clock shows less now.
            ("72 02:30", 1_792_911_600, "-330 min"), ("72 02:30", 1_792_889_400, "-20 min"),
            ("72 02:40", 1_792_890_600, "-30 min"),
            // Sunday, 29 March, 08:00 in summer time: eight hours since 23:00 in winter time; no clock showed 02:30.
            ("72 yesterday 23:00", 1_774_764_000, "-480 min"), ("72 01:30", 1_774_764_000, "-330 min"),
            (
                "72 02:30", 1_774_764_000,
                "There was no 02:30 then: the clocks were set forward. Type for example -30m, or the time shown then."
            ),
        ])
    func changedClocks(text: String, moment: Int64, expected: String) throws {
        #expect(try Self.typed(text, at: moment) == expected)
    }
}
