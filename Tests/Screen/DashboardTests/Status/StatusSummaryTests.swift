import Base
import Monitoring
import Status
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("The status line")
struct StatusSummaryTests {
    /// The states whose lines are kept for reading by eye.
    private static let states: [(name: String, ward: @Sendable () -> Ward)] = [
        ("nothing on the air", { .empty() }), ("no daemon", { .noDaemon() }), ("adapter off", { .adapterOff() }),
        ("live", { .live() }), ("simulated", { .simulated(.live()) }), ("fever", { .fever() }),
        ("one reading of fever", { .pending() }), ("several alarms", { .several() }), ("high", { .high() }),
        ("acknowledged", { .acknowledged() }), ("suspended", { .suspended() }), ("latched", { .latched() }),
        ("off the body", { .offBody() }), ("stale", { .stale() }), ("link lost", { .linkLost() }),
        ("no count of neutrophils", { .countExpired() }), ("sound paused", { .audioPaused() }),
        ("care", { .carePaused() }), ("storage full", { .storageFull() }), ("hostile name", { .hostileName() }),
        ("two sensors", { .standIn() }), ("remembered", { .remembered() }),
    ]

    private static func summary(_ ward: Ward, patient: String? = nil) -> StatusSummary {
        StatusSummary(
            ward.state, patient: patient.flatMap(PatientName.init),
            provenance: ward.screen.session.isSimulated ? .simulated : .real, now: ward.now)
    }

    @Test("says of every state what a tired nurse should read, in any unit and in ASCII")
    func golden() throws {
        var text = ""
        for (name, ward) in Self.states {
            let summary = Self.summary(ward())
            text += "\(name)\n  \(StatusLine(summary).text)\n"
            text += "  \(StatusLine(summary, unit: .fahrenheit, isASCII: true).text)\n"
        }
        try expectGolden(text, "glance.txt")
    }

    @Test("is the line of the requirement")
    func requirement() {
        var ward = Ward.empty()
        for sensor in [Ward.strap, Ward.oximeter, Ward.core] { ward.connect(sensor) }
        for _ in 0..<6 {
            ward.now = ward.now.advanced(by: .seconds(1))
            ward.measure(Ward.strap, .heartRate, 7200)
            ward.measure(Ward.oximeter, .oxygenSaturation, 9800)
            ward.measure(Ward.core, .bodyTemperature, 3860, site: .ear)
        }
        let line = StatusLine(Self.summary(ward)).text
        #expect(line.hasPrefix("♥ 72  SpO₂ 98  38.6° FEVER"))
    }

    @Test("shows no number without its age once it should have been renewed, and none once it is lost")
    func ages() throws {
        var ward = Ward.live(seconds: 60)
        var lines: [String] = []
        for _ in 0..<240 {
            ward.pass(1)
            lines.append(StatusLine(Self.summary(ward)).text)
        }
        let numbers = lines.filter { $0.firstMatch(of: #/♥ \d/#) != nil }
        // Current for some seconds, then with an age, then gone.
        #expect(numbers.contains { $0.contains("old)") })
        #expect(numbers.count < 60)
        let last = try #require(lines.last)
        #expect(last.firstMatch(of: #/♥ -- /#) != nil && last.firstMatch(of: #/SpO₂ -- /#) != nil)
        for line in lines.dropFirst(20) { #expect(line.firstMatch(of: #/♥ \d+ (?!\()/#) == nil, "\(line)") }
    }

    @Test("rounds no temperature across the limit of a fever")
    func rounding() {
        var ward = Ward.live(seconds: 10)
        ward.measure(Ward.core, .bodyTemperature, 3829, site: .core)
        #expect(StatusLine(Self.summary(ward)).text.contains("38.29°"))
    }

    @Test("shows the patient, and sanitizes text from sensors")
    func hostile() {
        #expect(StatusLine(Self.summary(.live(), patient: "bed-12")).text.hasPrefix("bed-12:  ♥"))
        for (name, ward) in Self.states {
            for isASCII in [false, true] {
                let line = StatusLine(Self.summary(ward()), isASCII: isASCII).text
                #expect(line == sanitized(line, limit: 1000), "\(name)")
                let strange = line.unicodeScalars.filter { !$0.isASCII }
                if isASCII { #expect(strange.isEmpty, "\(name): \(line)") }
            }
        }
    }

    @Test("names the sensor that refuses again and again, until it is connected")
    func refusing() {
        var ward = Ward.remembered()
        func refusing() -> [String] { Self.summary(ward).sensors.filter(\.isRefusing).map(\.address) }
        #expect(refusing() == [])
        ward.apply(
            .connection(
                Ward.oximeter, ConnectionState(phase: .waiting, reason: .refused, attempt: 4, hint: .inUse)))
        #expect(refusing() == [Ward.oximeter.address])
        ward.connect(Ward.oximeter, battery: 50)
        #expect(refusing() == [])
    }

    @Test("is sent again when it changes, and not for a repeated value")
    func fingerprint() {
        var ward = Ward.live(seconds: 60)
        let first = Self.summary(ward)
        for (sensor, vital) in [
            (Ward.strap, Vital.heartRate), (Ward.oximeter, .oxygenSaturation), (Ward.core, .bodyTemperature),
        ] {
            ward.now = ward.now.advanced(by: .milliseconds(300))
            if let sample = ward.state[vital].condition.lastSample {
                ward.measure(sensor, vital, sample.value.hundredths, site: sample.site)
            }
        }
        #expect(Self.summary(ward).fingerprint == first.fingerprint)
        #expect(first.secondsUntilChange == nil)
        ward.measure(Ward.strap, .heartRate, 15_000)
        #expect(Self.summary(ward).fingerprint != first.fingerprint)
        ward.pass(5)
        let stale = Self.summary(ward)
        #expect(stale.secondsUntilChange == 1)
        ward.pass(1)
        #expect(Self.summary(ward).fingerprint != stale.fingerprint)
    }
}
