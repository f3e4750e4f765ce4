import Monitoring
import Testing
import VitalDecoders
import Vitals
import Wording

@testable import Dashboard

@Suite("Keys about alarms")
struct AlarmKeysTests {
    private func text(_ ward: Ward, columns: Int = 80, rows: Int = 24) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("p pauses the sound with a countdown, and ends the pause")
    func pause() {
        var ward = Ward.high()
        #expect(ward.press(.character("p")) == .patient(.pauseAudio(nil)))
        ward.obey(.character("p"))
        #expect(text(ward).contains("⊘ SOUND PAUSED 2:00"))
        ward.hold([.heartRate: 15_200], seconds: 13)
        #expect(text(ward).contains("⊘ SOUND PAUSED 1:47"))
        #expect(ward.press(.character("p")) == .patient(.endAudioPause))
        ward.answer(.endAudioPause)
        #expect(!text(ward).contains("SOUND PAUSED"))
    }

    @Test("Z asks for how long to be silent while a ward screen sounds, shows who sounds, and ends that")
    func silence() {
        var ward = Ward.high()
        #expect(ward.press(.character("Z")) == nil)
        #expect(text(ward).contains("Only a ward screen can sound instead"))
        _ = ward.state.apply(.ward(.connected, at: ward.now))
        #expect(ward.press(.character("Z")) == nil)
        #expect(text(ward).contains("Be silent for how long?"))
        #expect(ward.press(.character("4")) == .patient(.planSilence(.seconds(4 * 3600))))
        ward.answer(.planSilence(.seconds(4 * 3600)))
        #expect(text(ward).contains("not silent yet: asking for a ward screen"))
        let report = ListenerReport.sounds(identifier: "a", name: "WARD-PC", proven: ward.now.monotonic)
        _ = ward.state.apply(.listener(report, at: ward.now))
        for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
            #expect(text(ward, columns: columns, rows: rows).contains("SILENT until "), "\(columns)")
            #expect(text(ward, columns: columns, rows: rows).contains("sounded by WARD-PC"), "\(columns)")
        }
        #expect(ward.state.worstAlarm?.isFlashing == true)
        for page in ["A", "l", "L", ",", "K"] {
            ward.obey(.character(page.unicodeScalars.first ?? "A"))
            #expect(text(ward).contains("sounded by WARD-PC"), "\(page)")
            ward.obey(.escape)
        }
        #expect(ward.press(.character("Z")) == .patient(.endSilence))
        ward.answer(.endSilence)
        #expect(!text(ward).contains("SILENT until"))
        _ = ward.state.apply(.ward(.lost(reason: "refused", since: ward.now), at: ward.now))
        #expect(ward.press(.character("Z")) == nil)
        #expect(text(ward).contains("The ward is not reached"))
    }

    @Test("a blood count that is due is deferred by S, whose label says until when, and stays to be seen")
    func deferral() throws {
        var ward = Ward.live(seconds: 60)
        let lab = LabResult([.init(.whiteCells, VitalValue(whole: 1200))])
        let old = ward.now.advanced(by: .seconds(-9 * 86_400))
        ward.answer(.enter(RecordEntry(.lab(lab), taken: old, enteredAt: ward.now)))
        ward.obey(.character("A"))
        let due = try #require(ward.state.shownAlarms.first { $0.kind == .labDue })
        #expect(text(ward).contains("S defers it to 09:00"))
        #expect(text(ward, columns: 200, rows: 60).contains("S defer to 09:00"))
        #expect(ward.press(.character("S")) == .patient(.snooze(due.id, nil)))
        ward.answer(.snooze(due.id, nil))
        #expect(text(ward).contains("DEFERRED Blood count due until 09:00"))
        #expect(!text(ward).contains("S defers it"))
        #expect(text(ward, columns: 200, rows: 60).contains("S remind now"))
        ward.obey(.escape)
        #expect(text(ward).contains("Blood count due"))
        ward.obey(.character("L"))
        #expect(text(ward).contains("Blood count due deferred") && !text(ward).contains("over"))
    }

    @Test("on the page of alarms one alarm is acknowledged, the others are not")
    func acknowledgesOne() throws {
        var ward = Ward.several()
        ward.obey(.character("A"))
        ward.obey(.down)
        let second = ward.state.shownAlarms[1].id
        #expect(ward.press(.enter) == .patient(.acknowledge(second)))
        ward.answer(.acknowledge(second))
        #expect(ward.state.alarms.first { $0.id == second }?.acknowledgedAt != nil)
        #expect(ward.state.shownAlarms.contains { $0.acknowledgedAt == nil })
        #expect(ward.press(.character("a")) == .patient(.acknowledgeAll))
    }

    @Test("S snoozes the selected kind, and S or Enter on the snooze ends it")
    func snooze() throws {
        var ward = Ward.snoozed()
        let key = try #require(ward.state.signal.snoozes.first?.key)
        #expect(text(ward).contains("SILENCED SpO₂ low"))
        ward.obey(.character("A"))
        ward.obey(.down)
        #expect(ward.press(.enter) == .patient(.endSnooze(key)))
        #expect(ward.press(.character("S")) == .patient(.endSnooze(key)))
    }

    @Test("c holds the alarms of the selected sensor, and ends that")
    func care() {
        var ward = Ward.high()
        ward.screen.list.selection = Ward.strap.address
        ward.screen.pages.show(.sensors)
        #expect(ward.press(.character("c")) == .patient(.pauseForCare(address: Ward.strap.address, nil)))
        ward.obey(.character("c"))
        #expect(text(ward).contains("held for care"))
        #expect(ward.press(.character("c")) == .patient(.endCarePause(address: Ward.strap.address)))
    }

    @Test("only a fever can be declared over, and only after a question")
    func declareOver() throws {
        var ward = Ward.fever()
        ward.obey(.character("A"))
        let fever = try #require(ward.state.shownAlarms.first { $0.kind.isFever })
        #expect(ward.press(.character("F")) == nil)
        #expect(ward.press(.character("n")) == nil)
        #expect(ward.press(.character("F")) == nil)
        #expect(ward.press(.character("y")) == .patient(.clear(fever.id)))
        var other = Ward.high()
        other.obey(.character("A"))
        #expect(other.press(.character("F")) == nil)
        #expect(other.screen.dialogs.message?.contains("Only a fever") == true)
    }

    @Test("another patient is asked about first")
    func newPatient() {
        var ward = Ward.newPatient()
        #expect(text(ward).contains("Another patient?"))
        #expect(ward.press(.enter) == nil)
        #expect(ward.press(.character("y")) == .patient(.newPatient))
        #expect(!text(ward).contains("Forgets trends"))
    }

    @Test("a neutrophil count without a date is refused with a sentence, with one it is taken")
    func neutrophils() {
        var ward = Ward.neutrophils()
        #expect(text(ward).contains("When was the blood taken?"))
        ward.type("/µL today")
        guard case .monitor(.patient(.enter(let entry))) = ward.press(.enter) else {
            Issue.record("it is not taken")
            return
        }
        #expect(entry.content == .neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: 1_772_323_200_000)))
        #expect(entry.taken.wallMilliseconds == 1_772_323_200_000)
        ward.type("Nnone")
        #expect(ward.press(.enter) == .patient(.setNeutrophils(nil)))
    }

    @Test("a limit is changed by a text, refused when it contradicts another, and off is a word")
    func limits() {
        var ward = Ward.limitRefused()
        #expect(text(ward).contains("Not changed: the low limit 50 must lie below the high limit 45."))
        ward.obey(.eraseLine)
        ward.type("125 high 5 s")
        let limit = AlarmLimit(VitalValue(whole: 125), .high, delay: .seconds(5))
        #expect(ward.press(.enter) == .patient(.setLimit(.heartRate, .high, limit)))
        ward.answer(.setLimit(.heartRate, .high, limit))
        // An oximeter measures the same as a pulse rate.
        #expect(text(ward).contains("Set high 125 for the pulse rate, too?"))
        #expect(ward.press(.character("y")) == .patient(.setLimit(.pulseRate, .high, limit)))
        ward.answer(.setLimit(.pulseRate, .high, limit))
        #expect(text(ward).contains("125* ▲▲▲ 5 s"))
        #expect(ward.press(.character("s")) == .keepLimit(.heartRate, .limit(.high, limit)))
        ward.obey(.enter)
        ward.obey(.eraseLine)
        ward.type("off")
        ward.obey(.enter)
        ward.obey(.character("n"))
        ward.obey(.escape)
        #expect(text(ward, columns: 100, rows: 30).contains("⊘ HIGH OFF"))
    }

    @Test("falls, rises and flat lines are changed like limits, kept, and marked as off beside the vital")
    func otherRules() {
        var ward = Ward.limitsPage()
        for _ in 0..<3 { ward.obey(.right) }
        ward.obey(.enter)
        ward.obey(.eraseLine)
        ward.type("30 in 20 s high")
        let rise = LimitSetting.rise(ChangeLimit(VitalValue(whole: 30), within: .seconds(20), .high))
        ward.obey(.enter)
        ward.obey(.character("n"))
        #expect(ward.state.currentLimits.heartRate[.rise] == rise)
        #expect(text(ward).contains("HR rise: by 30 bpm or more within 20 s, high priority; changed here"))
        #expect(ward.press(.character("s")) == .keepLimit(.heartRate, rise))
        ward.obey(.right)
        ward.obey(.enter)
        ward.obey(.eraseLine)
        ward.type("5")
        ward.obey(.enter)
        #expect(text(ward).contains("the time of a flat line, 5 s, must lie within 10 and 86400 s"))
        ward.obey(.eraseLine)
        ward.type("off")
        ward.obey(.enter)
        ward.obey(.character("n"))
        #expect(text(ward).contains("HR flat line: off, no alarm"))
        ward.obey(.escape)
        #expect(text(ward, columns: 100, rows: 30).contains("⊘ FLAT LINE OFF"))
    }

    @Test("the log scrolls, keeps its place when entries come, and is filtered")
    func log() throws {
        var ward = Ward.logPage()
        for _ in 0..<40 { ward.record([.action(ActionRecord(moment: ward.now, actor: .user, kind: .limitsReset))]) }
        ward.press(.down)
        ward.press(.pageDown)
        let before = ward.drawn(80, 24).text(row: 5)
        let top = ward.screen.pages[AlarmLogPage.self].top
        #expect(top > 1)
        ward.record([.action(ActionRecord(moment: ward.now, actor: .user, kind: .restarted))])
        ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
        #expect(ward.screen.pages[AlarmLogPage.self].top == top + 1)
        #expect(ward.drawn(80, 24).text(row: 5) == before)
        ward.press(.character("f"))
        #expect(text(ward).contains("· patient"))
        #expect(!text(ward).contains("you "))
        ward.press(.character("h"))
        ward.press(.character("h"))
        #expect(text(ward).contains("· high"))
        ward.press(.escape)
        #expect(ward.screen.pages.current == nil)
    }

    @Test("Esc closes a page and never quits, and every page keeps the alarm line", arguments: ["A", "L", "l"])
    func pages(key: String) throws {
        var ward = Ward.high()
        ward.type(key)
        #expect(ward.screen.pages.current != nil)
        for (columns, rows) in [(200, 60), (80, 24), (45, 20), (30, 6), (20, 4)] {
            #expect(text(ward, columns: columns, rows: rows).contains("▲▲▲ HR SEVERELY HIGH"))
        }
        #expect(ward.press(.escape) == nil)
        #expect(ward.screen.pages.current == nil)
    }
}

@Suite("Limits that are typed")
struct LimitEntryTests {
    private let present = AlarmLimit(VitalValue(whole: 90), .medium, delay: .seconds(15))

    @Test("a number, off, a priority and a delay are understood; what is not said stays")
    func understood() throws {
        func limit(_ text: String, _ vital: Vital = .oxygenSaturation, _ unit: DisplayUnits = .celsius) throws
            -> AlarmLimit
        {
            guard
                case .limit(.low, let limit) = try LimitEntry.setting(
                    text, of: vital, present: .limit(.low, present), unit: unit)
            else { throw LimitEntry.EntryError(description: "another rule") }
            return limit
        }
        #expect(try limit("88") == AlarmLimit(VitalValue(whole: 88), .medium, delay: .seconds(15)))
        #expect(try limit("off") == AlarmLimit(nil, .medium, delay: .seconds(15)))
        #expect(try limit(" 88 HIGH 0 ") == AlarmLimit(VitalValue(whole: 88), .high))
        #expect(try limit("88 2 min low") == AlarmLimit(VitalValue(whole: 88), .low, delay: .seconds(120)))
        #expect(try limit("38,5 10s", .bodyTemperature).value == VitalValue(hundredths: 3850))
        #expect(try limit("100.94", .bodyTemperature, .fahrenheit).value == VitalValue(hundredths: 3830))
    }

    @Test(
        "what is no limit is refused with a sentence",
        arguments: ["", " ", "many", "-5", "88.5", "88.123", "99999", "88 soon", "88 medium 15 h"])
    func refused(text: String) {
        for setting in [LimitSetting.limit(.low, present), .fall(change), .flatLine(.seconds(300))] {
            let refusal = #expect(throws: LimitEntry.EntryError.self) {
                _ = try LimitEntry.setting(text, of: .oxygenSaturation, present: setting, unit: .celsius)
            }
            #expect(refusal?.description.contains("Type") == true)
        }
    }

    private let change = ChangeLimit(nil, within: .seconds(60), .medium)

    @Test("a change by speed is an amount within a time, with a priority if need be")
    func changes() throws {
        func change(_ text: String, _ vital: Vital = .heartRate, _ unit: DisplayUnits = .celsius) throws
            -> LimitSetting
        {
            try LimitEntry.setting(text, of: vital, present: .rise(self.change), unit: unit)
        }
        #expect(try change("20") == .rise(ChangeLimit(VitalValue(whole: 20), within: .seconds(60), .medium)))
        #expect(
            try change("20 in 30 s high") == .rise(ChangeLimit(VitalValue(whole: 20), within: .seconds(30), .high)))
        #expect(
            try change("0,9 within 10min", .bodyTemperature, .fahrenheit)
                == .rise(ChangeLimit(VitalValue(hundredths: 50), within: .seconds(600), .medium)))
        #expect(try change("off") == .rise(self.change))
        let warm = LimitSetting.rise(ChangeLimit(VitalValue(hundredths: 50), within: .seconds(600), .medium))
        #expect(LimitEntry.text(warm, of: .bodyTemperature, unit: .fahrenheit) == "0.9 in 10 min")
    }

    @Test("the time of a flat line is typed with or without its unit", arguments: ["5 min", "5min", "300 s", "300"])
    func flatLine(text: String) throws {
        let setting = try LimitEntry.setting(text, of: .heartRate, present: .flatLine(nil), unit: .celsius)
        #expect(setting == .flatLine(.seconds(300)))
        #expect(LimitEntry.text(setting, of: .heartRate, unit: .celsius) == "5 min")
    }
}

@Suite("Flashing")
struct FlashingTests {
    private func isLit(_ ward: Ward, after milliseconds: Int) -> Bool {
        var ward = ward
        ward.now = ward.now.advanced(by: .milliseconds(milliseconds))
        let attributes = ward.drawn(80, 24)[40, 1].style.attributes
        return attributes.contains(.reverse) && !attributes.contains(.second)
    }

    @Test("high priority flashes at 2 Hz, medium at 0.5 Hz, low never")
    func phases() {
        let high = [0, 249, 250, 499, 500, 750].map { isLit(.high(), after: $0) }
        #expect(high == [true, true, false, false, true, false])
        #expect([0, 999, 1000, 1999, 2000].map { isLit(.medium(), after: $0) } == [true, true, false, false, true])
        #expect([0, 250, 1000, 1250].map { isLit(.low(), after: $0) } == [false, false, false, false])
    }

    @Test("the screen is redrawn for each phase")
    func redraw() {
        let ward = Ward.high()
        #expect(ward.state.nextFlash(after: ward.now)?.since(ward.now) == .milliseconds(250))
    }

    @Test("where motion is reduced nothing flashes")
    func reducedMotion() {
        var settings = MonitorSettings()
        settings.alarmSignals.isMotionReduced = true
        var ward = Ward.live(seconds: 10, settings: settings)
        ward.hold([.heartRate: 15_200], seconds: 4)
        #expect([0, 250, 500, 750, 1000].allSatisfy { isLit(ward, after: $0) })
    }

    @Test("what is acknowledged is steady, ticked, and says so")
    func acknowledged() {
        var ward = Ward.high()
        ward.answer(.acknowledgeAll)
        #expect([0, 250, 500].allSatisfy { !isLit(ward, after: $0) })
        #expect(ward.drawn(80, 24).text(row: 1).contains("▲▲▲ ✓ HR SEVERELY HIGH"))
        #expect(ward.drawn(80, 24).text(row: 1).hasSuffix("acknowledged"))
    }
}
