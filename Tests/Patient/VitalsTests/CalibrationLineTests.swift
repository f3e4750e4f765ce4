import Foundation
import TestSupport
import Testing

@testable import Vitals

@Suite("The line of a glucose sensor's calibrations")
struct CalibrationLineTests {
    /// 2026-03-01 00:00 UTC.
    private static let start: Int64 = 1_772_323_200_000

    /// A calibration: concentration and count in whole units, the time in hours.
    private static func dated(
        _ glucose: Double, _ count: Double, hours: Double, change: Double? = 0
    ) -> DatedCalibration {
        DatedCalibration(
            GlucoseCalibration(
                glucose: VitalValue(hundredths: Int(glucose * 100)), count: Int(count * 1000),
                change: change.map { Int($0 * 100) }, address: "C0:52:49:00:00:0A", name: "xDrip bridge",
                serial: "6ABCD"),
            wallMilliseconds: start + Int64(hours * 3_600_000))
    }

    private static func raw(_ count: Double, _ method: CalibrationMethod = .line) -> RawGlucose {
        RawGlucose(count: Int(count * 1000), serial: "6ABCD", method: method)
    }

    @Test("is that of the article's worked examples")
    func article() throws {
        let article = try UserDocuments.text("Sources/Program/bedside/Bedside.docc/Calibration.md")
        let rows = article.split(separator: "\n").filter {
            $0.hasPrefix("| ") && $0.contains(" h") && $0.contains(" at ")
        }
        #expect(rows.count == 7)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let calibrations = try cells[0].split(separator: ";").map { text in
                let words = text.split { $0 == " " || $0 == "," }
                return Self.dated(
                    try #require(Double(words[0])), try #require(Double(words[2])),
                    hours: try #require(Double(words[3])), change: words.count > 5 ? Double(words[5]) : nil)
            }
            let line = try? CalibrationLine(calibrations, .line, at: nil)
            guard let slope = Double(cells[1]) else {
                #expect(line == nil, "\(row)")
                continue
            }
            let found = try #require(line)
            let (offset, count) = (try #require(Double(cells[2])), try #require(Double(cells[3])))
            let result = Int((try #require(Double(cells[4])) * 100).rounded())
            #expect(abs(found.slope - slope) < 1e-6 && abs(found.offset - offset) < 1e-6, "\(row)")
            #expect(found.glucose(Self.raw(count))?.hundredths == result, "\(row)")
        }
    }

    @Test("of a Libre is shifted by the newest calibration alone")
    func offset() throws {
        let calibrations = [Self.dated(90, 100, hours: 0), Self.dated(200, 170, hours: 12)]
        let line = try CalibrationLine(calibrations, .offset, at: nil)
        #expect(line.slope == 1 && line.offset == 30)
        #expect(line.newest == calibrations[1])
        #expect(line.glucose(Self.raw(100, .offset)) == VitalValue(whole: 130))
    }

    @Test("says why there is none")
    func problems() {
        func problem(_ calibrations: [DatedCalibration], at now: Int64? = nil) -> CalibrationProblem? {
            do throws(CalibrationProblem) {
                _ = try CalibrationLine(calibrations, .line, at: now)
                return nil
            } catch {
                return error
            }
        }
        let one = Self.dated(110, 118, hours: 0)
        #expect(problem([]) == .missing)
        #expect(problem([one], at: Self.start + 86_400_000) == nil)
        #expect(problem([one], at: Self.start + 86_400_001) == .tooOld)
        // A clock that was set back does not make it old.
        #expect(problem([one], at: Self.start - 86_400_000) == nil)
        #expect(problem([one], at: Self.start - 86_400_001) == .tooOld)
        #expect(problem([Self.dated(157, 118, hours: 0)]) == nil)
        #expect(problem([Self.dated(158, 118, hours: 0)]) == .offset)
        #expect(problem([one, Self.dated(200, 118, hours: 1)]) == .offset)
        #expect(problem([one, Self.dated(200, 140, hours: 1)]) == .slope)
        #expect(problem([Self.dated(110, 4, hours: 0)]) == .impossibleCount)
        #expect(problem([Self.dated(401, 370, hours: 0)]) == .impossibleCount)
    }

    @Test("makes nothing of an impossible count, and no impossible concentration")
    func bounds() throws {
        let line = try CalibrationLine([Self.dated(60, 118, hours: 0)], .line, at: nil)
        #expect(line.glucose(Self.raw(4.999)) == nil)
        #expect(line.glucose(Self.raw(67)) == nil, "9 mg/dL")
        #expect(line.glucose(Self.raw(68)) == VitalValue(whole: 10))
        #expect(line.glucose(Self.raw(658)) == VitalValue(whole: 600))
        #expect(line.glucose(Self.raw(658.01)) == nil)
    }

    @Test(
        "makes no number that is not finite or possible, whatever the calibrations and counts are", .computing,
        arguments: 0..<400)
    func anything(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let extremes: [Int64] = [.min, .max, 0, 1, -1, Self.start]
        func time(_ random: inout SeededGenerator) -> Int64 {
            Bool.random(using: &random)
                ? Self.start + Int64.random(in: -400_000_000...400_000_000, using: &random)
                : extremes.randomElement(using: &random) ?? 0
        }
        func number(_ random: inout SeededGenerator, _ usual: ClosedRange<Int>) -> Int {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: [Int.min, .max, 0, -1].randomElement(using: &random) ?? 0
            case 1: Int.random(in: .min ... .max, using: &random)
            default: Int.random(in: usual, using: &random)
            }
        }
        for _ in 0..<50 {
            let calibrations = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                DatedCalibration(
                    GlucoseCalibration(
                        glucose: VitalValue(hundredths: number(&random, 4000...40_000)),
                        count: number(&random, 5000...1_000_000),
                        change: Bool.random(using: &random) ? nil : number(&random, 0...200), address: "a", name: "b",
                        serial: nil),
                    wallMilliseconds: time(&random))
            }
            let method: CalibrationMethod = Bool.random(using: &random) ? .line : .offset
            let now: Int64? = Bool.random(using: &random) ? nil : time(&random)
            guard let line = try? CalibrationLine(calibrations, method, at: now) else { continue }
            #expect(line.slope.isFinite && line.offset.isFinite && (0.7...1.6).contains(line.slope))
            for _ in 0..<20 {
                let raw = RawGlucose(count: number(&random, 5000...1_000_000), serial: nil, method: method)
                if let glucose = line.glucose(raw) { #expect(CalibrationLine.concentrations.contains(glucose)) }
            }
        }
    }

    // MARK: Readings

    private static let bridge = SensorIdentity(
        address: "C0:52:49:00:00:0A", name: "xDrip bridge", kind: .continuousGlucose)

    private static func reading(_ raw: RawGlucose?) -> Reading {
        Reading(
            sensor: bridge, vital: .glucose, outcome: .noMeasurement(.uncalibrated),
            moment: Moment(monotonicNanoseconds: 0, wallMilliseconds: start), raw: raw)
    }

    @Test("gives a reading its number, with what it was calibrated with")
    func reading() {
        let calibrations = [Self.dated(110, 118, hours: 0)]
        let calibrated = Self.reading(Self.raw(150)).calibrated(by: calibrations, at: Self.start)
        #expect(calibrated.outcome == .measured(VitalValue(whole: 142), .calibrated))
        #expect(
            calibrated.calibration == AppliedCalibration(glucose: VitalValue(whole: 110), wallMilliseconds: Self.start))
        let beyond = Self.reading(Self.raw(700)).calibrated(by: calibrations, at: Self.start)
        #expect(beyond.outcome == .noMeasurement(.aboveRange) && beyond.calibration == nil)
        let below = Self.reading(Self.raw(17)).calibrated(by: calibrations, at: Self.start)
        #expect(below.outcome == .noMeasurement(.belowRange) && below.calibration == nil)
        let impossible = Self.reading(Self.raw(2000)).calibrated(by: calibrations, at: Self.start)
        #expect(impossible.outcome == .noMeasurement(.outOfRange))
    }

    @Test("of several calibrations at almost the same count takes the newest, whatever their weights")
    func sameCount() throws {
        for hours in stride(from: 0.1, through: 20, by: 0.7) {
            for glucose in stride(from: 85, through: 140, by: 5) {
                let first = Self.dated(110, 118, hours: 0)
                let second = Self.dated(Double(glucose), 118, hours: hours)
                let line = try CalibrationLine([first, second], .line, at: nil)
                #expect(line.slope == 1)
                #expect(line.glucose(Self.raw(118)) == VitalValue(whole: glucose))
            }
        }
    }

    @Test("after the clock was set back takes the newest of those that are not in the future")
    func clockSetBack() throws {
        let future = Self.dated(110, 118, hours: 2)
        let now = Self.dated(150, 140, hours: 0)
        let line = try CalibrationLine([future, now], .offset, at: Self.start)
        #expect(line.newest == now)
        #expect(try CalibrationLine([future], .offset, at: Self.start).newest == future)
    }

    @Test("leaves a reading of another sensor, without a count, or after a day as it was")
    func otherReadings() {
        let calibrations = [Self.dated(110, 118, hours: 0)]
        func isLeft(_ reading: Reading, at now: Int64 = Self.start) -> Bool {
            reading.calibrated(by: calibrations, at: now) == reading
        }
        #expect(isLeft(Self.reading(nil)))
        #expect(isLeft(Self.reading(RawGlucose(count: 150_000, serial: "6WXYZ", method: .line))))
        #expect(isLeft(Self.reading(RawGlucose(count: 150_000, serial: nil, method: .line))))
        #expect(isLeft(Self.reading(Self.raw(150)), at: Self.start + 2 * 86_400_000))
        var elsewhere = Self.reading(Self.raw(150))
        elsewhere.sensor.address = "C0:52:49:00:00:0B"
        #expect(isLeft(elsewhere))
    }
}
