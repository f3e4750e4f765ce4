import MonitorLink
import Monitoring
import Testing
import Vitals

@Suite("A wish of somebody who looks at a monitor from elsewhere")
struct WishTests {
    private static let now = RandomInputs.moment(tenths: 0)
    private static let strap = RandomInputs.sensors[0]

    /// A monitor with a sensor, an adapter, an alarm and an entry.
    static func monitor() -> MonitorState {
        let start = now.advanced(by: .seconds(-60))
        var state = MonitorState(settings: RandomInputs.settings, start: start)
        let adapter = AdapterStatus(identifier: "hci0", address: nil, power: .ready, isScanning: true)
        _ = state.apply(MonitorEvent(moment: start, kind: .adapters([adapter])))
        _ = state.apply(MonitorEvent(moment: start, kind: .connection(strap, ConnectionState(phase: .ready))))
        let interval = AnnouncedInterval(seconds: 60, isSettable: true)
        _ = state.apply(MonitorEvent(moment: start, kind: .announcedInterval(strap, interval)))
        let transmitter = TransmitterStatus(newSensor: .asked)
        _ = state.apply(MonitorEvent(moment: start, kind: .transmitter(strap, transmitter)))
        for second in 0..<30 {
            let moment = now.advanced(by: .seconds(second - 30))
            let reading = Reading(
                sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 200), .good), moment: moment)
            _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        }
        _ = state.apply(.enter(RecordEntry(.note("Asleep."), enteredAt: now)), at: now)
        return state
    }

    private static func entry(
        _ content: RecordEntry.Content, taken: Duration = .zero, entered: Duration = .zero
    ) -> Wish {
        let enteredAt = now.advanced(by: entered)
        var entry = RecordEntry(content, enteredAt: enteredAt)
        // As no initialiser makes it, and a line can.
        entry.content = content
        entry.taken = enteredAt.advanced(by: taken)
        return .patient(.enter(entry))
    }

    /// What a screen's keys can send.
    static var possible: [Wish] {
        let alarm = monitor().alarms.first?.id ?? 0
        let address = strap.address
        return [
            .sensor(.connect(address: address)), .sensor(.disconnect(address: address)),
            .sensor(.rename(address: address, label: "Left wrist, Müller")), .sensor(.forget(address: address)),
            .sensor(.inspect(address: address)), .sensor(.inspect(address: nil)),
            .sensor(.setInterval(address: address, seconds: 0)),
            .sensor(.setInterval(address: address, seconds: 65_535)),
            .sensor(.assign(address: address, [.heartRate])), .sensor(.useAdapter("hci0")),
            .sensor(.pair(address: address)), .sensor(.answerPairing(address: address, .text("042137"))),
            .sensor(.answerNewSensor(address: address, isAccepted: true)),
            .sensor(.cancelPairing(address: address)), .sensor(.setScanning(true)), .sensor(.setPowered(true)),
            .patient(.acknowledgeAll), .patient(.acknowledge(alarm)), .patient(.clear(alarm)),
            .patient(.pauseAudio(nil)),
            .patient(.pauseAudio(.seconds(120))), .patient(.endAudioPause), .patient(.snooze(alarm, nil)),
            .patient(.endSnooze(SnoozeKey(kind: .high, vital: .heartRate))),
            .patient(.pauseForCare(address: address, nil)), .patient(.endCarePause(address: address)),
            .patient(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 130), .medium, delay: .seconds(10)))),
            .patient(.setLimit(.heartRate, .low, AlarmLimit(nil, .medium))),
            .patient(.change(.heartRate, .fall(ChangeLimit(VitalValue(whole: 20), within: .seconds(60), .high)))),
            .patient(.change(.heartRate, .flatLine(.seconds(300)))), .patient(.change(.heartRate, .flatLine(nil))),
            .patient(.resetLimits), .patient(.newPatient), .patient(.setNeutrophils(nil)), .patient(.retract(now)),
            entry(.note("Refuses the strap, 38.4 °C at home")),
            entry(.vital(.bodyTemperature, VitalValue(hundredths: 3840), site: .mouth), taken: .seconds(-900)),
            entry(.vital(.heartRate, VitalValue(whole: 72), site: nil), taken: .seconds(-86_400)),
            entry(.vital(.oxygenSaturation, VitalValue(whole: 97), site: nil), entered: .seconds(-30)),
            entry(.bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: 93, pulse: 72))),
            entry(.neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: now.wallMilliseconds - 86_400_000))),
            .keepLimit(.oxygenSaturation, .limit(.low, AlarmLimit(VitalValue(whole: 88), .high))),
        ]
    }

    @Test("is carried out when a person can have it, and when the settings let views act")
    func possibleOnes() {
        var state = Self.monitor()
        for wish in Self.possible { #expect(state.refusal(of: wish, at: Self.now) == nil, "\(wish)") }
        var settings = RandomInputs.settings
        settings.viewsMayAct = false
        _ = state.apply(.settings(settings, name: nil, value: nil, at: Self.now))
        for wish in Self.possible {
            switch wish {
            case .sensor(.inspect): #expect(state.refusal(of: wish, at: Self.now) == nil, "\(wish)")
            default: #expect(state.refusal(of: wish, at: Self.now) == .viewsOnlyLook, "\(wish)")
            }
        }
    }

    static let impossible: [Wish] = {
        let address = strap.address
        let count = 4_611_686_018_427_387_904
        let heart = { (value: Int) in entry(.vital(.heartRate, VitalValue(hundredths: value), site: nil)) }
        return [
            .sensor(.connect(address: "A0:00:00:00:00:99")), .sensor(.connect(address: "\u{1B}[2J")),
            .sensor(.rename(address: address, label: "a\nb")),
            .sensor(.rename(address: address, label: String(repeating: "x", count: 33))),
            .sensor(.rename(address: address, label: "e" + String(repeating: "\u{301}", count: 5000))),
            .sensor(.useAdapter("hci7")), .sensor(.inspect(address: "")),
            .sensor(.setInterval(address: address, seconds: -1)), .sensor(.setInterval(address: "", seconds: 60)),
            .sensor(.setInterval(address: address, seconds: 65_536)),
            .sensor(.setInterval(address: RandomInputs.sensors[1].address, seconds: 60)),
            .sensor(.answerNewSensor(address: RandomInputs.sensors[1].address, isAccepted: true)),
            .sensor(.answerPairing(address: address, .text(String(repeating: "1", count: 65)))),
            .patient(.acknowledge(999)), .patient(.clear(.max)), .patient(.snooze(.min, nil)),
            .patient(.pauseAudio(.zero)), .patient(.pauseAudio(.seconds(-1))),
            .patient(.pauseAudio(.seconds(Int64.max))),
            .patient(.snooze(1, .seconds(90_000))), .patient(.pauseForCare(address: "x", nil)),
            .patient(.pauseForCare(address: address, .seconds(Int64.min))), .patient(.endCarePause(address: "")),
            .patient(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(hundredths: .max), .medium))),
            .patient(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(hundredths: -1), .medium))),
            .patient(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 45), .medium))),
            .patient(.setLimit(.heartRate, .high, AlarmLimit(VitalValue(whole: 130), .medium, delay: .seconds(-1)))),
            .patient(.setLimit(.skinTemperature, .high, AlarmLimit(VitalValue(whole: 38), .medium))),
            .patient(
                .change(.heartRate, .rise(ChangeLimit(VitalValue(whole: 20), within: .seconds(Int64.max), .high)))),
            .patient(.change(.heartRate, .flatLine(.zero))),
            .patient(.change(.heartRate, .flatLine(.seconds(Int64.max)))),
            .keepLimit(.heartRate, .limit(.low, AlarmLimit(VitalValue(hundredths: .min), .high))),
            .patient(.retract(now.advanced(by: .seconds(1)))),
            .patient(.chooseUser(address: address, 1)), .patient(.confirm([])), .patient(.confirm([now])),
            .patient(.confirm([now.advanced(by: .seconds(1))])),
            heart(0), heart(-100), heart(.max), heart(30_001), heart(.min),
            entry(.vital(.pulseRate, VitalValue(whole: 72), site: nil)),
            entry(.vital(.bodyTemperature, VitalValue(whole: 72), site: nil)),
            entry(.vital(.oxygenSaturation, VitalValue(whole: 101), site: nil)),
            entry(.bloodPressure(BloodPressure(systolic: 80, diastolic: 120))),
            entry(.bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: .max))),
            entry(.bloodPressure(BloodPressure(systolic: 120, diastolic: 80, pulse: 0))),
            entry(.neutrophils(NeutrophilCount(perMicrolitre: count, sampledAt: now.wallMilliseconds))),
            entry(.neutrophils(NeutrophilCount(perMicrolitre: -1, sampledAt: now.wallMilliseconds))),
            entry(.neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: .max))),
            .patient(.setNeutrophils(NeutrophilCount(perMicrolitre: count, sampledAt: now.wallMilliseconds))),
            .patient(.setNeutrophils(NeutrophilCount(perMicrolitre: 1, sampledAt: 0))),
            entry(.note("")), entry(.note("a\u{1B}[2Jb")), entry(.note(String(repeating: "x", count: 201))),
            entry(.note("x"), taken: .seconds(1)), entry(.note("x"), taken: .seconds(-17 * 86_400)),
            entry(.note("x"), entered: .seconds(60)), entry(.note("x"), entered: .seconds(-3600)),
        ]
    }()

    @Test("is refused with a sentence when it is impossible", arguments: impossible)
    func impossibleOnes(wish: Wish) throws {
        let refusal = try #require(Self.monitor().refusal(of: wish, at: Self.now))
        #expect(refusal != .viewsOnlyLook && refusal.description.hasPrefix("Not done: "))
        #expect(refusal.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test("is refused when its moments are at the ends of the clocks", arguments: [Int64.min, -1, 0, .max])
    func moments(nanoseconds: Int64) {
        let state = Self.monitor()
        for milliseconds in [Int64.min, 0, .max] {
            let moment = Moment(monotonicNanoseconds: nanoseconds, wallMilliseconds: milliseconds)
            var entry = RecordEntry(.note("x"), enteredAt: Self.now)
            entry.taken = moment
            #expect(state.refusal(of: .patient(.enter(entry)), at: Self.now) != nil)
            (entry.taken, entry.enteredAt) = (Self.now, moment)
            #expect(state.refusal(of: .patient(.enter(entry)), at: Self.now) != nil)
            #expect(state.refusal(of: .patient(.retract(moment)), at: Self.now) != nil)
        }
    }

    @Test("comes no faster than fingers press keys; the rest is refused, with a sentence each second")
    func rate() {
        var rate = WishRate()
        let burst = (0..<1000).count { _ in rate.allows(at: Self.now) }
        #expect(burst == WishRate.burst)
        #expect(rate.mayComplain(at: Self.now) == true)
        #expect(rate.mayComplain(at: Self.now) == false)
        var now = Self.now
        var allowed = 0
        for _ in 0..<10_000 {
            now = now.advanced(by: .milliseconds(1))
            if rate.allows(at: now) { allowed += 1 }
        }
        #expect((95...105).contains(allowed))
        #expect(rate.mayComplain(at: now) == true)
        // Clocks that no computer shows.
        for nanoseconds in [Int64.min, .max, 0] {
            let moment = Moment(monotonicNanoseconds: nanoseconds, wallMilliseconds: 0)
            _ = rate.allows(at: moment)
            _ = rate.mayComplain(at: moment)
        }
    }
}
