import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Configuration

@Suite("Settings")
struct SettingsTests {
    func settings(_ text: String) throws -> Settings {
        try Settings(ConfigurationDocument(text))
    }

    @Test(
        "a file without settings keeps the usual ones", arguments: ["", "\n", "# nothing\n", "[screen]\n", "\u{FEFF}"])
    func empty(_ text: String) throws {
        #expect(try settings(text) == Settings())
    }

    @Test("each value reaches what it is about")
    func values() throws {
        let read = try settings(
            """
            [screen]
            units = "fahrenheit"
            glyphs = "ascii"   # a word
            bed = 'Bed "12"'
            [sensors]
            connect = ["CORE 1A2B", "C0:52:49:00:00:02"]
            [freshness]
            stale_after = 4
            shortest_interval = "250ms"
            [fever]
            rule = "neutrofeverguard"
            threshold = 38.5
            sustained_time = "45min"
            [technical]
            link_lost_delay = 20
            """)
        #expect(read.screen.units == .fahrenheit)
        #expect(read.screen.glyphs == .ascii)
        #expect(read.screen.bed == "Bed \"12\"")
        #expect(read.sensors.connect == ["CORE 1A2B", "C0:52:49:00:00:02"])
        #expect(read.monitor.freshness.staleFactor == 4)
        #expect(read.monitor.freshness.shortestInterval == .milliseconds(250))
        #expect(read.monitor.fever.rule == .neutroFeverGuard)
        #expect(read.monitor.fever.threshold == VitalValue(hundredths: 3850))
        #expect(read.monitor.fever.sustainedDuration == .seconds(45 * 60))
        #expect(read.monitor.technical.linkLostDelay == .seconds(20))
    }

    @Test("each limit of each vital reaches its place, and off is a word")
    func limits() throws {
        let read = try settings(
            """
            [limits.heart_rate]
            severe_high = 150
            high_priority = "high"
            [limits.spo2]
            low = 88
            low_delay = 30
            severe_low = "off"
            [limits.body_temperature]
            high = 38.25
            rise = 0.5
            rise_within = "10min"
            [alarms]
            sound = "off"
            """)
        #expect(read.monitor.limits.heartRate.severeHigh.value == VitalValue(whole: 150))
        #expect(read.monitor.limits.heartRate.high.priority == .high)
        #expect(read.monitor.limits.oxygenSaturation.low.value == VitalValue(whole: 88))
        #expect(read.monitor.limits.oxygenSaturation.low.delay == .seconds(30))
        #expect(read.monitor.limits.oxygenSaturation.severeLow.value == nil)
        #expect(read.monitor.limits.bodyTemperature.high.value == VitalValue(hundredths: 3825))
        #expect(read.monitor.limits.bodyTemperature.rise.amount == VitalValue(hundredths: 50))
        #expect(read.monitor.limits.bodyTemperature.rise.within == .seconds(600))
        #expect(read.monitor.alarmSignals.isSoundOff)
        #expect(throws: Never.self) { try read.monitor.limits.validate() }
    }

    @Test("the night is as the day but for what it says itself, and only when it is wanted")
    func night() throws {
        let text = """
            [limits.heart_rate]
            low = 48
            high = 110
            [schedule.night]
            enabled = true
            from = "21:30"
            volume = 40
            high_gap = "10s"
            low_gap = "off"
            [schedule.night.heart_rate]
            low = 44
            severe_high = "off"
            """
        let night = try #require(try settings(text).monitorSettings.schedule.first)
        #expect(night.start == 21 * 60 + 30 && night.end == 7 * 60 && night.days == .all && night.volume == 40)
        #expect(night.pattern?.highGap == .seconds(10) && night.pattern?.mediumGap == .seconds(15))
        #expect(night.limits.heartRate.low.value == VitalValue(whole: 44))
        #expect(night.limits.heartRate.high.value == VitalValue(whole: 110))
        #expect(night.limits.heartRate.severeHigh.value == nil)
        let off = try settings(text.replacing("enabled = true", with: "enabled = false"))
        #expect(off.monitorSettings.schedule.isEmpty)
        #expect(off.monitorSettings.limits.heartRate.low.value == VitalValue(whole: 48))
    }

    @Test("a schedule has any number of entries, each of them like the day but for what it says itself")
    func schedule() throws {
        let read = try settings(
            """
            [alarms.repetition]
            lost_sensor = "2min"
            [schedule.weekend]
            days = ["sun", "sat"]
            from = "10:00"
            to = "18:00"
            [schedule.weekend.glucose]
            low = 80
            [schedule.weekend.sounds]
            glucose_low = "infusion"
            [schedule.weekend.repetition]
            glucose_low = "5s"
            [schedule.school]
            days = ["mon", "tue", "wed", "thu", "fri"]
            from = "8:00"
            to = "13:00"
            """)
        let entries = read.monitorSettings.schedule
        #expect(entries.map(\.name) == ["weekend", "school"])
        #expect(entries[0].days.list == [.saturday, .sunday] && entries[1].days.list.count == 5)
        #expect(entries[0].limits.glucose.low.value == VitalValue(whole: 80))
        #expect(entries[0].pattern?.melodies == [.glucoseLow: .infusion])
        #expect(entries[0].pattern?.repetitions == [.glucoseLow: .seconds(5), .lostSensor: .seconds(120)])
        #expect(entries[1].pattern == nil && entries[1].volume == nil && entries[1].limits == read.monitor.limits)
        #expect(SettingTable.sections(for: read).map(\.name).contains("schedule.school.spo2"))
    }

    @Test("an entry of the schedule is changed and kept like any other setting")
    func scheduleKept() throws {
        var document = try ConfigurationDocument(
            "[schedule.weekend]  # mine\nfrom = \"10:00\"\nto = \"18:00\"\n")
        let old = try Settings(document)
        var desk = SettingsStore(old, document: document)
        #expect(desk.items.contains { $0.name == "schedule.weekend.spo2.low" && $0.heading == "Weekend: SpO₂" })
        try desk.change("schedule.weekend.to", .text("19:00"))
        try desk.change("schedule.weekend.spo2.low", .text("85"))
        #expect(desk.changedNames == ["schedule.weekend.to", "schedule.weekend.spo2.low"])
        document.apply(changesFrom: old, to: desk.settings)
        #expect(try Settings(document) == desk.settings)
        #expect(document.text.hasPrefix("[schedule.weekend]  # mine\nfrom = \"10:00\"\nto = \"19:00\"\n"))
        #expect(throws: ConfigurationError.self) { try desk.change("schedule.weekend.to", .text("10:05")) }
    }

    @Test("a limit that is kept while an entry is in force is one of the entry, and only the limit's value")
    func setInEntry() {
        var settings = Settings()
        let limit = AlarmLimit(VitalValue(whole: 42), .high)
        settings.set(.limit(.low, limit), of: .heartRate, in: "night")
        let key = Settings.Schedule.Limit(vital: .heartRate, kind: .low)
        #expect(settings.schedule["night"].limits == [key: VitalValue(whole: 42)])
        #expect(settings.monitor.limits.heartRate.low.value == Settings().monitor.limits.heartRate.low.value)
        #expect(settings.monitor.limits.heartRate.low.priority == .high)
        settings.set(.limit(.low, limit), of: .heartRate, in: nil)
        #expect(settings.monitor.limits.heartRate.low == limit)
    }

    @Test("no schedule can silence an alarm", .computing)
    func neverSilent() {
        var random = SeededGenerator(seed: 601)
        for _ in 0..<300 {
            var settings = Settings()
            settings.schedule["night"].isEnabled = true
            for setting in SettingTable.settings(for: settings) {
                guard setting.section.hasPrefix("schedule") || setting.section.hasPrefix("alarms.") else { continue }
                let texts = ["10min", "15s", "2.5s", "10", "100", "off", "0", "infusion", "same", "usual"]
                try? setting.set(texts[Int.random(in: texts.indices, using: &random)], in: &settings)
                setting.step(&settings, by: Int.random(in: -1000...1000, using: &random))
            }
            guard let entry = settings.monitorSettings.schedule.first else { continue }
            let pattern = entry.pattern ?? settings.monitor.alarmSignals.pattern
            #expect(!settings.monitorSettings.alarmSignals.isSoundOff && entry.volume.map { $0 >= 10 } ?? true)
            for priority in [AlarmPriority.high, .medium] {
                let isInRange = pattern.gap(priority).map { SoundPattern.gaps(priority).contains($0) }
                #expect(isInRange == true)
            }
        }
    }

    @Test("whatever limits are accepted, the alarm engine accepts too", .computing)
    func engine() {
        var random = SeededGenerator(seed: 7)
        var accepted = 0
        for _ in 0..<500 {
            var text = ""
            for vital in MonitorSettings.Limits.vitals {
                text += "[limits.\(vital.rawValue)]\n"
                for kind in LimitKind.allCases {
                    let range = vital == .bodyTemperature ? 33...42 : vital == .oxygenSaturation ? 80...100 : 30...170
                    let base =
                        range.lowerBound + (range.count * (2 * (LimitKind.allCases.firstIndex(of: kind) ?? 0) + 1)) / 8
                    let value = base + Int.random(in: -(range.count / 7)...(range.count / 7), using: &random)
                    let isOff = Int.random(in: 0..<4, using: &random) == 0
                    text += "\(kind.rawValue) = \(isOff ? "\"off\"" : "\(value)")\n"
                }
            }
            guard let read = try? settings(text) else { continue }
            accepted += 1
            #expect(throws: Never.self, "\(text)") { try read.monitor.limits.validate() }
        }
        #expect(accepted > 20)
    }

    @Test("temperatures are exact", arguments: [("38.3", 3830), ("38.30", 3830), ("38", 3800), ("38.29", 3829)])
    func exact(text: String, hundredths: Int) throws {
        #expect(try settings("[fever]\nthreshold = \(text)\n").monitor.fever.threshold.hundredths == hundredths)
    }

    @Test("what is printed of a setting is read back as the same", arguments: SettingTable.settings.map(\.name))
    func roundTrip(name: String) throws {
        let setting = try #require(SettingTable.setting(named: name))
        var settings = Settings()
        // Steps go to other values; both ends of the range are among them.
        for count in [1, -1, 1_000_000, -1_000_000] {
            setting.step(&settings, by: count)
            let literal = setting.value(in: settings).literal
            var read = Settings()
            try setting.set(literal, in: &read)
            #expect(setting.value(in: read) == setting.value(in: settings), "\(literal)")
        }
    }

    @Test("a value can be typed without quotes, and a wrong one says what is right")
    func typed() throws {
        var settings = Settings()
        try #require(SettingTable.setting(named: "screen.bed")).set("Bed 12", in: &settings)
        #expect(settings.screen.bed == "Bed 12")
        try #require(SettingTable.setting(named: "screen.bed")).set("12", in: &settings)
        #expect(settings.screen.bed == "12")
        let units = try #require(SettingTable.setting(named: "screen.units"))
        let mistake = try #require(throws: ConfigurationError.self) { try units.set("farenheit", in: &settings) }
        #expect(mistake.reason == "unknown word \"farenheit\"; did you mean \"fahrenheit\"?")
    }

    @Test("words go round, numbers stop at the ends of their range")
    func steps() throws {
        var settings = Settings()
        let glyphs = try #require(SettingTable.setting(named: "screen.glyphs"))
        glyphs.step(&settings, by: -1)
        #expect(settings.screen.glyphs == .ascii)
        glyphs.step(&settings, by: 1)
        #expect(settings.screen.glyphs == .auto)
        let threshold = try #require(SettingTable.setting(named: "fever.threshold"))
        threshold.step(&settings, by: 2)
        #expect(settings.monitor.fever.threshold == VitalValue(hundredths: 3850))
        threshold.step(&settings, by: 1000)
        #expect(settings.monitor.fever.threshold == VitalValue(hundredths: 4200))
    }

    @Test("changes that contradict each other are reported before they are saved")
    func contradiction() {
        var settings = Settings()
        #expect(settings.contradiction == nil)
        settings.monitor.freshness.staleFactor = 9
        #expect(
            settings.contradiction
                == "freshness.lost_after: 6 must not be below stale_after, which is 9; change one of the two")
    }

    @Test("only what was changed is written")
    func changes() throws {
        var document = try ConfigurationDocument("# mine\n[screen]\nbed = \"12\"  # window side\n")
        var changed = try Settings(document)
        let old = changed
        changed.screen.units = .fahrenheit
        changed.screen.bed = "13"
        document.apply(changesFrom: old, to: changed)
        #expect(
            document.text == """
                # mine
                [screen]
                # The unit in which temperatures are shown; those in the configuration file are always in °C.
                # Allowed: "celsius" or "fahrenheit". Usually: "celsius".
                units = "fahrenheit"
                bed = "13"  # window side

                """)
        #expect(try Settings(document) == changed)
    }
}
