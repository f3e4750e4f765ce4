import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("Calibrations of sensors that send counts")
struct CalibrationTests {
    private static let bridge = SensorIdentity(
        address: "C0:52:49:00:00:0A", name: "xDrip bridge", kind: .continuousGlucose)

    /// A ward with a connected bridge that has sent counts, each in whole units with its second.
    private static func ward(
        _ counts: [(count: Int, seconds: Double)] = [(118, 1)], serial: String = "6ABCD",
        settings: MonitorSettings = .withoutLimits
    ) -> Ward {
        var ward = Ward(settings: settings)
        ward.connection(bridge, .ready, at: 0)
        for (count, seconds) in counts { ward.send(count, serial, at: seconds) }
        return ward
    }

    /// A typed value of a meter.
    private static func prick(_ glucose: Int, at seconds: Double) -> RecordEntry {
        RecordEntry(.vital(.glucose, VitalValue(whole: glucose), site: nil), enteredAt: Ward.moment(seconds))
    }

    /// What a typed value can do for the bridge.
    private static func problem(_ ward: Ward, _ glucose: Int, at seconds: Double) -> CalibrationProblem? {
        guard
            case .failure(let problem)? = ward.state.calibrationProposals(by: prick(glucose, at: seconds)).first?.result
        else { return nil }
        return problem
    }

    @Test("are made of a typed value and the nearest count, are an entry of the record, and are told to the sensors")
    func made() throws {
        var ward = Self.ward([(110, 1), (118, 301)])
        let entry = Self.prick(110, at: 320)
        let proposal = try #require(ward.state.calibrationProposals(by: entry).first)
        let calibration = try proposal.result.get()
        #expect(calibration.count == 118_000 && calibration.change == 160 && calibration.serial == "6ABCD")
        ward.act(.enter(entry), at: 320)
        let effects = ward.state.apply(.calibrate(address: Self.bridge.address, with: entry.id), at: Ward.moment(330))
        let made = try #require(ward.state.patientRecord.newest(.calibration))
        #expect(made.content == .calibration(calibration) && made.taken == entry.taken)
        #expect(made.text == "calibration of xDrip bridge with 110 mg/dL")
        let dated = try #require(DatedCalibration(made))
        #expect(effects.contains(.calibrations([dated])))
        let sensor = try #require(ward.state.sensor(address: Self.bridge.address))
        #expect(try ward.state.calibrationInUse(by: sensor)?.get() == dated.applied)
    }

    @Test("are not made without a near count, of an impossible one, of an extreme value, or while it changes fast")
    func refused() {
        #expect(Self.problem(Self.ward(), 110, at: 902) == .noCount)
        #expect(Self.problem(Self.ward(), 110, at: 901) == nil)
        #expect(Self.problem(Self.ward([(4, 1)]), 110, at: 2) == .impossibleCount)
        #expect(Self.problem(Self.ward(), 39, at: 2) == .impossibleGlucose)
        #expect(Self.problem(Self.ward(), 401, at: 2) == .impossibleGlucose)
        #expect(Self.problem(Self.ward([(100, 1), (111, 301)]), 110, at: 302) == .changing)
        #expect(Self.problem(Self.ward([(111, 1), (101, 301)]), 110, at: 302) == nil)
        #expect(Self.problem(Self.ward(), 158, at: 2) == .offset)
        // A count of another transmitter says nothing of the change.
        var other = Self.ward([(100, 1)])
        other.send(150, "6WXYZ", at: 301)
        #expect(Self.problem(other, 150, at: 302) == nil)
    }

    @Test("are not proposed for a sensor without counts or link, by what a sensor or a file has, or by a mistake")
    func proposed() {
        let entry = Self.prick(110, at: 2)
        var ward = Self.ward([])
        #expect(ward.state.calibrationProposals(by: entry).isEmpty)
        ward = Self.ward()
        #expect(ward.state.calibrationProposals(by: entry).count == 1)
        var other = entry
        other.source = .sensor(SensorIdentity(address: "C0:52:49:00:00:07", name: "Meter", kind: .glucose))
        #expect(ward.state.calibrationProposals(by: other).isEmpty)
        other = entry
        other.origin = ImportOrigin(key: "a", source: "labs.csv")
        #expect(ward.state.calibrationProposals(by: other).isEmpty)
        other = entry
        other.retract(at: Ward.moment(2))
        #expect(ward.state.calibrationProposals(by: other).isEmpty)
        _ = ward.state.apply(
            MonitorEvent(
                moment: Ward.moment(3),
                kind: .connection(Self.bridge, ConnectionState(phase: .waiting, reason: .linkLost))))
        #expect(ward.state.calibrationProposals(by: entry).isEmpty)
    }

    /// A ward whose bridge is calibrated with 110 mg/dL.
    private static func calibrated(settings: MonitorSettings = .withoutLimits) -> (Ward, RecordEntry) {
        var ward = ward(settings: settings)
        let entry = prick(110, at: 2)
        ward.act(.enter(entry), at: 2)
        ward.act(.calibrate(address: bridge.address, with: entry.id), at: 3)
        return (ward, entry)
    }

    @Test("end when they are taken back, and when the value that they were made with is")
    func retracted() throws {
        for isOfValue in [false, true] {
            var (ward, entry) = Self.calibrated()
            let made = try #require(ward.state.patientRecord.newest(.calibration))
            let effects = ward.state.apply(
                .retract(isOfValue ? entry.id : made.id, reason: "misread"), at: Ward.moment(4))
            #expect(effects.contains(.calibrations([])))
            #expect(ward.state.patientRecord.entries.allSatisfy { $0.kind != .calibration || $0.isRetracted })
        }
    }

    @Test("hold after a restart, and end with the patient")
    func restart() throws {
        var (ward, _) = Self.calibrated()
        let entries = ward.state.patientRecord.entries
        var next = MonitorState(start: Ward.moment(100))
        let dated = try #require(ward.state.patientRecord.newest(.calibration).flatMap { DatedCalibration($0) })
        #expect(next.restore(entries, at: Ward.moment(100)).contains(.calibrations([dated])))
        #expect(ward.state.apply(.newPatient, at: Ward.moment(5)).contains(.calibrations([])))
        #expect(ward.state.calibrationProposals(by: Self.prick(110, at: 6)).isEmpty)
        // Its newest count comes again without the calibration.
        ward.send(118, "6ABCD", at: 1)
        #expect(ward.state.calibrationProposals(by: Self.prick(110, at: 6)).isEmpty)
        ward.send(118, "6ABCD", at: 7)
        #expect(ward.state.calibrationProposals(by: Self.prick(110, at: 8)).count == 1)
    }

    @Test("say why they do not hold: none, of another transmitter, too old")
    func inUse() throws {
        func problem(_ ward: Ward) -> CalibrationProblem? {
            guard let sensor = ward.state.sensor(address: Self.bridge.address),
                case .failure(let problem)? = ward.state.calibrationInUse(by: sensor)
            else { return nil }
            return problem
        }
        #expect(problem(Self.ward()) == .missing)
        var (ward, _) = Self.calibrated()
        #expect(problem(ward) == nil)
        ward.send(120, "6WXYZ", at: 301)
        #expect(problem(ward) == .missing)
        (ward, _) = Self.calibrated()
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(86_402), kind: .tick))
        #expect(problem(ward) == nil)
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(86_403), kind: .tick))
        #expect(problem(ward) == .tooOld)
    }

    @Test("make estimates: they raise alarms only where the settings say so")
    func alarms() {
        for judges in [false, true] {
            var settings = MonitorSettings()
            settings.limits.judgesGlucoseEstimates = judges
            var ward = Self.ward(settings: settings)
            let applied = AppliedCalibration(glucose: VitalValue(whole: 110), wallMilliseconds: 0)
            _ = ward.state.apply(
                MonitorEvent(
                    moment: Ward.moment(2),
                    kind: .reading(
                        Reading(
                            sensor: Self.bridge, vital: .glucose,
                            outcome: .measured(VitalValue(whole: 45), .calibrated),
                            moment: Ward.moment(2), calibration: applied))))
            #expect(ward.state.alarms.contains { $0.kind == .low } == judges)
            #expect(ward.state[.glucose].condition.lastSample?.calibration == applied)
        }
    }

    @Test(
        "are no change of the glucose: neither an arrow nor an alarm compares a value with one by another calibration")
    func change() {
        var settings = MonitorSettings()
        settings.limits.judgesGlucoseEstimates = true
        func kinds(_ last: AppliedCalibration) -> ([AlarmKind], GlucoseCourse) {
            let first = AppliedCalibration(glucose: VitalValue(whole: 110), wallMilliseconds: 0)
            var ward = Self.ward([], settings: settings)
            for (value, calibration, seconds) in [(150, first, 1.0), (152, first, 301.0), (168, last, 601.0)] {
                let reading = Reading(
                    sensor: Self.bridge, vital: .glucose, outcome: .measured(VitalValue(whole: value), .calibrated),
                    moment: Ward.moment(seconds), calibration: calibration)
                _ = ward.state.apply(MonitorEvent(moment: Ward.moment(seconds), kind: .reading(reading)))
            }
            let course = GlucoseCourse(ward.state[.glucose].trend, at: Ward.moment(601))
            return (ward.state.alarms.map(\.kind), course)
        }
        let same = kinds(AppliedCalibration(glucose: VitalValue(whole: 110), wallMilliseconds: 0))
        #expect(same.0 == [.rise] && same.1.arrow == .risingFast)
        let other = kinds(AppliedCalibration(glucose: VitalValue(whole: 120), wallMilliseconds: 300))
        #expect(other.0.isEmpty && other.1.arrow == nil)
    }

    @Test("keep counts of half an hour only, in their order, and each once")
    func trail() {
        var trail = RawGlucoseTrail()
        for minute in [40, 38, 0, 39, 40] {
            trail.add(
                RawGlucose(count: minute * 1000, serial: nil, method: .line), at: Ward.moment(Double(minute) * 60))
        }
        #expect(trail.points.map(\.raw.count) == [38_000, 39_000, 40_000])
        #expect(trail.change(at: Ward.moment(2400)) == nil, "two minutes show no change")
        #expect(trail.nearest(to: Ward.moment(2395))?.raw.count == 40_000)
        #expect(trail.nearest(to: Ward.moment(2400 + 901)) == nil)
        for count in [Int.min, .max] {
            trail.add(RawGlucose(count: count, serial: nil, method: .line), at: Ward.moment(2800))
            #expect(trail.change(at: Ward.moment(2800)) != nil)
        }
    }
}

extension Ward {
    /// The bridge sends a count, in whole units.
    fileprivate mutating func send(_ count: Int, _ serial: String, at seconds: Double) {
        let bridge = SensorIdentity(address: "C0:52:49:00:00:0A", name: "xDrip bridge", kind: .continuousGlucose)
        let reading = Reading(
            sensor: bridge, vital: .glucose, outcome: .noMeasurement(.uncalibrated), moment: Self.moment(seconds),
            raw: RawGlucose(count: count * 1000, serial: serial, method: .line))
        _ = state.apply(MonitorEvent(moment: Self.moment(seconds), kind: .reading(reading)))
    }
}
