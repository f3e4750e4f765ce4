import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Readings of an oximeter")
struct OximeterReadingTests {
    @Test(
        "saturation and pulse rate are measured, or there is a reason for their absence",
        arguments: [
            ("00 64 00 5A 00", Reading.Outcome.good(10000), Reading.Outcome.good(9000)),
            ("00 E8 F3 84 F3", .good(10000), .good(9000)),
            (
                "1F DE F3 CA F3 CA F3 5A F5 D4 F3 B2 F2 20 01 00 00 00 7A E3", .good(9900), .good(9700)
            ),
            ("00 FF 07 FF 07", .noMeasurement(.notANumber), .noMeasurement(.notANumber)),
            ("00 FE 07 02 08", .noMeasurement(.aboveRange), .noMeasurement(.belowRange)),
            ("00 00 08 01 08", .noMeasurement(.notANumber), .noMeasurement(.notANumber)),
            // 127 and 255 are the usual pair for "invalid"; beside one of them the other is doubtful. 127 is a rate.
            ("00 7F 00 FF 00", .noMeasurement(.outOfRange), .noMeasurement(.outOfRange)),
            ("00 F6 F4 FF 00", .noMeasurement(.outOfRange), .noMeasurement(.outOfRange)),
            ("00 7F 00 48 00", .noMeasurement(.outOfRange), .questionable(7200)),
            ("00 61 00 FF 00", .questionable(9700), .noMeasurement(.outOfRange)),
            ("00 61 00 7F 00", .good(9700), .good(12_700)),
            ("00 61 00 FE 00", .good(9700), .good(25_400)),
            // Below what an oximeter can measure: 1, 19 and 20 % and bpm.
            ("00 01 00 48 00", .noMeasurement(.outOfRange), .questionable(7200)),
            ("00 13 00 13 00", .noMeasurement(.outOfRange), .noMeasurement(.outOfRange)),
            ("00 14 00 14 00", .good(2000), .good(2000)),
            // One of both is missing or impossible, as 101, 0.5 and −1 % are: the other is doubtful.
            ("00 65 00 5A 00", .noMeasurement(.outOfRange), .questionable(9000)),
            ("00 05 F0 5A 00", .noMeasurement(.outOfRange), .questionable(9000)),
            ("00 FF 0F 5A 00", .noMeasurement(.outOfRange), .questionable(9000)),
            ("00 62 00 2D 01", .questionable(9800), .noMeasurement(.outOfRange)),
            ("00 62 00 FD 77", .questionable(9800), .noMeasurement(.outOfRange)),
            ("00 62 00 00 00", .questionable(9800), .noMeasurement(.searching)),
            ("00 00 F0 40 00", .noMeasurement(.searching), .questionable(6400)),
            ("00 62 00 FF 07", .questionable(9800), .noMeasurement(.notANumber)),
        ])
    func continuous(text: String, saturation: Reading.Outcome, pulseRate: Reading.Outcome) {
        var maker = ReadingDecoder(identity: .example(.oximeter))
        let events = decode(text, of: .pulseOximeterContinuous, by: &maker)
        #expect(events.count == events.readings.count)
        #expect(
            events.readings.map(\.vital) == [.oxygenSaturation, .pulseRate]
                + (text.hasPrefix("1F") ? [.perfusionIndex] : []))
        #expect(events.outcome(of: .oxygenSaturation) == saturation)
        #expect(events.outcome(of: .pulseRate) == pulseRate)
    }

    @Test("a PM 100 whose finger is taken out shows no stale saturation")
    func fingerOut() {
        var maker = ReadingDecoder(identity: .example(.oximeter))
        let sequence: [(String, Reading.Outcome, Reading.Outcome)] = [
            ("1C 62 00 40 00 20 00 20 00 00 22 F0", .questionable(9800), .questionable(6400)),
            ("1C 60 00 49 00 20 00 24 00 00 23 F0", .questionable(9600), .questionable(7300)),
            ("1C 5F 00 5A 00 20 00 00 00 00 57 F0", .good(9500), .good(9000)),
            ("1C 61 00 00 00 00 00 20 08 00 00 F0", .noMeasurement(.offBody), .noMeasurement(.offBody)),
            ("1C 00 00 00 00 00 00 20 08 00 00 F0", .noMeasurement(.offBody), .noMeasurement(.offBody)),
        ]
        for (text, saturation, pulseRate) in sequence {
            let events = decode(text, of: .pulseOximeterContinuous, by: &maker)
            #expect(events.outcome(of: .oxygenSaturation) == saturation)
            #expect(events.outcome(of: .pulseRate) == pulseRate)
        }
    }

    @Test(
        "the perfusion index comes with the saturation, is absent for the same reason, and is nothing where none is sent",
        arguments: [
            ("1C 5F 00 5A 00 20 00 00 00 00 57 F0", Reading.Outcome.good(870)),
            ("1C 62 00 40 00 20 00 20 00 00 22 F0", .questionable(340)),
            ("10 62 00 40 00 7A E3", .good(890)),
            // Finger out; the index is 0, special or impossible; no saturation.
            ("1C 61 00 00 00 00 00 20 08 00 22 F0", .noMeasurement(.offBody)),
            ("10 62 00 40 00 00 00", .noMeasurement(.searching)),
            ("10 62 00 40 00 FF 07", .noMeasurement(.notANumber)),
            ("10 62 00 40 00 1F 00", .noMeasurement(.outOfRange)),
            ("10 62 00 40 00 FF 0F", .noMeasurement(.outOfRange)),
            ("10 00 00 40 00 22 F0", .noMeasurement(.searching)),
            ("0C 5F 00 5A 00 20 00 00 00 00", nil),
        ])
    func perfusionIndex(text: String, expected: Reading.Outcome?) {
        var maker = ReadingDecoder(identity: .example(.oximeter))
        let events = decode(text, of: .pulseOximeterContinuous, by: &maker)
        #expect(events.outcome(of: .perfusionIndex) == expected)
        #expect(events.count == (expected == nil ? 2 : 3))
    }

    /// The outcomes of 98 % and 64 beats a minute with one bit of the measurement status set.
    private func outcomes(measurementBit bit: Int) -> OximeterOutcomes? {
        OximeterOutcomes(
            Self.values, measurement: PulseOximeterMeasurementStatus(rawValue: 1 << UInt16(bit)), device: nil)
    }

    /// The outcomes of 98 % and 64 beats a minute with one bit of the device and sensor status set.
    private func outcomes(deviceBit bit: Int) -> OximeterOutcomes? {
        OximeterOutcomes(
            Self.values, measurement: nil,
            device: PulseOximeterDeviceAndSensorStatus(rawValue: 1 << UInt32(bit)))
    }

    private static let values = OxygenSaturationAndPulseRate(
        oxygenSaturation: MedicalShortFloat(bitPattern: 98), pulseRate: MedicalShortFloat(bitPattern: 64))

    private static let good = OximeterOutcomes(saturation: .good(9800), pulseRate: .good(6400))
    private static let doubtful = OximeterOutcomes(
        saturation: .questionable(9800), pulseRate: .questionable(6400))
    private static let faulty = OximeterOutcomes(saturation: .malfunction(9800), pulseRate: .malfunction(6400))
    private static func neither(_ reason: AbsenceReason) -> OximeterOutcomes {
        OximeterOutcomes(saturation: .noMeasurement(reason), pulseRate: .noMeasurement(reason))
    }

    @Test(
        "each bit of the measurement status has its meaning",
        arguments: zip(
            0...15,
            [
                good, good, good, good, good, good, doubtful, good, good, nil, neither(.demo), neither(.test),
                neither(.calibrating), neither(.searching), doubtful, neither(.searching),
            ] as [OximeterOutcomes?]))
    func measurementStatus(bit: Int, expected: OximeterOutcomes?) {
        #expect(outcomes(measurementBit: bit) == expected)
    }

    @Test(
        "each bit of the device and sensor status has its meaning",
        arguments: zip(
            0...16,
            [
                good, faulty, doubtful, neither(.searching), doubtful, doubtful, doubtful,
                neither(.lowPerfusion), doubtful, doubtful, doubtful, neither(.offBody), faulty, neither(.offBody),
                faulty, neither(.equipment), good,
            ]))
    func deviceStatus(bit: Int, expected: OximeterOutcomes) {
        #expect(outcomes(deviceBit: bit) == expected)
    }

    @Test("zeros with low perfusion are for low perfusion, those during the analysis for searching")
    func reasonsForZero() {
        let zeros = OxygenSaturationAndPulseRate(
            oxygenSaturation: MedicalShortFloat(bitPattern: 0), pulseRate: MedicalShortFloat(bitPattern: 0xF000))
        #expect(
            OximeterOutcomes(zeros, measurement: nil, device: .lowPerfusion) == Self.neither(.lowPerfusion))
        #expect(
            OximeterOutcomes(zeros, measurement: nil, device: .signalAnalysisOngoing) == Self.neither(.searching))
        #expect(OximeterOutcomes(zeros, measurement: nil, device: nil) == Self.neither(.searching))
        #expect(
            OximeterOutcomes(Self.values, measurement: .unavailable, device: .lowPerfusion)
                == Self.neither(.lowPerfusion))
    }

    @Test("off the body comes before every other reason but demonstration and test")
    func precedence() {
        #expect(
            OximeterOutcomes(
                Self.values, measurement: [.invalid, .calibrationOngoing],
                device: [.sensorUnconnectedToUser, .equipmentMalfunction, .nonPulsatileSignal])
                == Self.neither(.offBody))
        #expect(
            OximeterOutcomes(Self.values, measurement: .demonstration, device: .sensorUnconnectedToUser)
                == Self.neither(.demo))
    }

    @Test("a malfunction is reported with every value, and before every other doubt")
    func malfunction() {
        #expect(
            OximeterOutcomes(
                Self.values, measurement: .questionable, device: [.equipmentMalfunction, .poorSignal]) == Self.faulty)
        let alone = OxygenSaturationAndPulseRate(
            oxygenSaturation: MedicalShortFloat(bitPattern: 98), pulseRate: MedicalShortFloat(bitPattern: 0))
        #expect(
            OximeterOutcomes(alone, measurement: nil, device: .equipmentMalfunction)
                == OximeterOutcomes(saturation: .malfunction(9800), pulseRate: .noMeasurement(.searching)))
    }

    @Test("a spot check with a malfunction is doubtful, and its time is kept")
    func spotCheck() {
        var maker = ReadingDecoder(identity: .example(.oximeter))
        let events = decode(
            "0F AC F3 BE F5 E8 07 0B 1D 17 08 39 20 40 22 00 00 66 E3", of: .pulseOximeterSpotCheck, by: &maker)
        #expect(events.outcome(of: .oxygenSaturation) == .malfunction(9400))
        #expect(events.outcome(of: .pulseRate) == .malfunction(14_700))
        let time = DeviceTime(year: 2024, month: 11, day: 29, hour: 23, minute: 8, second: 57)
        #expect(events.outcome(of: .perfusionIndex) == .malfunction(870))
        #expect(events.readings.map(\.deviceTime) == [time, time, time])
    }

    @Test("the time of a spot check is not kept when the clock is not set")
    func clockNotSet() {
        var maker = ReadingDecoder(identity: .example(.oximeter))
        let events = decode("11 62 00 40 00 E8 07 0B 1D 17 08 39", of: .pulseOximeterSpotCheck, by: &maker)
        #expect(events.outcome(of: .oxygenSaturation) == .good(9800))
        #expect(events.readings.map(\.deviceTime) == [nil, nil])
    }

    @Test("a measurement from the oximeter's memory is no reading of now")
    func stored() {
        var maker = ReadingDecoder(identity: .example(.oximeter))
        #expect(decode("02 62 00 40 00 00 02", of: .pulseOximeterSpotCheck, by: &maker).isEmpty)
        #expect(decode("04 62 00 40 00 00 02", of: .pulseOximeterContinuous, by: &maker).isEmpty)
    }

    @Test("truncated octets are malformed", arguments: ["", "00", "00 62 00 40", "1C 62 00 40 00 20 00 20 00 00 22"])
    func malformed(text: String) {
        var maker = ReadingDecoder(identity: .example(.oximeter))
        let events = decode(text, of: .pulseOximeterContinuous, by: &maker)
        #expect(events.count == 1)
        #expect(events.readings.isEmpty)
    }

    @Test("any octets give readings or an error, and never trap")
    func anyOctets() {
        var generator = SeededGenerator(seed: 5)
        for characteristic in ReadCharacteristic.allCases {
            var maker = ReadingDecoder(identity: .example(.core))
            for _ in 0..<2000 {
                let octets = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                maker.interpret(octets, of: characteristic, at: at(0)) { kind in
                    guard case .reading(let reading) = kind, case .measured(let value, _) = reading.outcome else {
                        return
                    }
                    #expect(reading.vital.isMeasurable(value))
                }
            }
        }
    }
}
