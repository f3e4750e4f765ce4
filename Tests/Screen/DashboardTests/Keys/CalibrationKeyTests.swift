import Appearance
import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("The question whether to calibrate a sensor that sends counts")
struct CalibrationKeyTests {
    private static let bridge = SensorIdentity(
        address: "C0:52:49:00:00:0A", name: "xDrip bridge", kind: .continuousGlucose)

    /// A ward with a connected bridge that has sent a count, in whole units.
    private static func ward(_ count: Int? = 118) -> Ward {
        var ward = Ward.live(seconds: 5)
        ward.find(bridge, signal: -60)
        ward.apply(.connection(bridge, ConnectionState(phase: .ready)))
        if let count { ward.send(count) }
        ward.screen.list.selection = bridge.address
        return ward
    }

    private static func text(_ ward: Ward) -> String {
        (0..<40).map { ward.drawn(100, 40).text(row: $0) }.joined(separator: "\n")
    }

    /// Types a value of a meter; returns its entry.
    private static func type(_ text: String, in ward: inout Ward) throws -> RecordEntry {
        ward.press(.character("e"))
        ward.press(.character("s"))
        for scalar in text.unicodeScalars { ward.press(.character(scalar)) }
        guard case .monitor(.patient(.enter(let entry)))? = ward.press(.enter) else { throw NotEntered() }
        ward.answer(.enter(entry))
        return entry
    }

    private struct NotEntered: Error {}

    @Test("comes after a typed value, in the lowest line, and wishes what is answered")
    func asked() throws {
        var ward = Self.ward()
        let entry = try Self.type("110", in: &ward)
        #expect(Self.text(ward).contains("Calibrate xDrip bridge with 110 mg/dL?"))
        let wish = PatientWish.calibrate(address: Self.bridge.address, with: entry.id)
        #expect(ward.press(.character("y")) == .patient(wish))
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("comes again by the key, until the value is too old or taken back")
    func again() throws {
        var ward = Self.ward()
        ward.press(.character("B"))
        #expect(ward.screen.dialogs.message?.contains("Type the value of a finger-prick first") == true)
        let entry = try Self.type("110", in: &ward)
        ward.press(.character("n"))
        ward.press(.escape)
        #expect(ward.press(.character("B")) == nil)
        #expect(Self.text(ward).contains("Calibrate xDrip bridge with 110 mg/dL?"))
        ward.press(.character("n"))
        ward.answer(.retract(entry.id))
        ward.press(.character("B"))
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("does not come where no sensor sends counts, and a sentence says why one cannot be calibrated")
    func refused() throws {
        var ward = Self.ward(nil)
        _ = try Self.type("110", in: &ward)
        #expect(ward.screen.dialogs.inputLine == nil && ward.screen.dialogs.message == nil)
        ward = Self.ward(60)
        _ = try Self.type("110", in: &ward)
        #expect(ward.screen.dialogs.inputLine == nil)
        #expect(ward.screen.dialogs.message?.contains("xDrip bridge is not calibrated: the value is too far") == true)
    }

    @Test("offers each of several sensors")
    func several() throws {
        var ward = Self.ward()
        let other = SensorIdentity(address: "C0:52:49:00:00:09", name: "miaomiao 4F", kind: .continuousGlucose)
        ward.find(other, signal: -60)
        ward.apply(.connection(other, ConnectionState(phase: .ready)))
        ward.send(118, from: other)
        let entry = try Self.type("110", in: &ward)
        #expect(Self.text(ward).contains("Calibrate which sensor with it?"))
        let wish = PatientWish.calibrate(address: other.address, with: entry.id)
        #expect([ward.press(.character("1")), nil].contains(.patient(wish)) || ward.screen.dialogs.inputLine == nil)
    }

    @Test("a calibration is an entry that is taken back, and not corrected")
    func entry() throws {
        var ward = Self.ward()
        let entry = try Self.type("110", in: &ward)
        ward.press(.character("n"))
        ward.answer(.calibrate(address: Self.bridge.address, with: entry.id))
        let made = try #require(ward.state.patientRecord.newest(.calibration))
        ward.screen.beginCorrection(of: made)
        #expect(ward.screen.dialogs.inputLine == nil)
        #expect(ward.screen.dialogs.message?.contains("type the right value") == true)
        ward.press(.escape)
        ward.press(.character("i"))
        #expect(Self.text(ward).contains("calibrated with 110 mg/dL at"))
    }
}

extension Ward {
    fileprivate mutating func send(
        _ count: Int,
        from sensor: SensorIdentity = SensorIdentity(
            address: "C0:52:49:00:00:0A", name: "xDrip bridge", kind: .continuousGlucose)
    ) {
        apply(
            .reading(
                Reading(
                    sensor: sensor, vital: .glucose, outcome: .noMeasurement(.uncalibrated), moment: now,
                    raw: RawGlucose(count: count * 1000, serial: "6ABCD", method: .line))))
    }
}
