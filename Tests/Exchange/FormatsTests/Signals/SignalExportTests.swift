import EDF
import Foundation
import Nights
import TestSupport
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import Formats

/// Recordings that are exported as EDF+ and read again.
enum SignalExample {
    static let ring = SensorIdentity(address: "C0:52:49:00:00:09", name: "O2Ring", kind: .oximeter)
    static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    /// 2026-01-02T03:04:05Z.
    static let start: Int64 = 1_767_323_045

    static func reading(
        _ milliseconds: Int64, _ vital: Vital, _ outcome: Reading.Outcome, of sensor: SensorIdentity = ring
    ) -> RecordedReading {
        let moment = Moment(
            monotonicNanoseconds: milliseconds * 1_000_000, wallMilliseconds: start * 1000 + milliseconds)
        return RecordedReading(
            Reading(sensor: sensor, vital: vital, outcome: outcome, moment: moment), run: 1, number: 0, sensorNumber: 1)
    }

    static func value(_ hundredths: Int) -> Reading.Outcome { .measured(VitalValue(hundredths: hundredths), .good) }

    /// A second of an ECG, or less.
    static func wave(
        _ milliseconds: Int64, _ samples: [Int32], rate: Double = 130, isContinuing: Bool = true
    ) -> RecordedWave {
        let nanoseconds = Int64(Double(samples.count) * 1e9 / rate)
        return RecordedWave(
            WaveSegment(
                sensor: strap, kind: .electrocardiogram,
                start: Moment(
                    monotonicNanoseconds: milliseconds * 1_000_000, wallMilliseconds: start * 1000 + milliseconds),
                samples: samples, spans: [.init(count: samples.count, nanoseconds: nanoseconds)],
                isContinuing: isContinuing), run: 1, number: 0)
    }

    static func file(
        readings: [RecordedReading] = [], waves: [RecordedWave] = [], nights: [StoredNight] = [],
        entries: [RecordedEntry] = [], isSimulated: Bool = false, in range: Range<Int64> = .min..<(.max)
    ) throws -> EDFFile {
        try EDFFile(
            octets(
                readings: readings, waves: waves, nights: nights, entries: entries, isSimulated: isSimulated, in: range)
        )
    }

    static func octets(
        readings: [RecordedReading] = [], waves: [RecordedWave] = [], nights: [StoredNight] = [],
        entries: [RecordedEntry] = [], isSimulated: Bool = false, in range: Range<Int64> = .min..<(.max)
    ) -> [UInt8] {
        var survey = SignalSurvey(in: range)
        for reading in readings { survey.add(reading) }
        for wave in waves { survey.add(wave) }
        for night in nights { survey.add(night) }
        for entry in entries { survey.add(entry) }
        var encoder = SignalEncoder(survey, isSimulated: isSimulated) { _ in 3600 }
        #expect(encoder.fits)
        encoder.begin()
        for hour in encoder.hours {
            encoder.begin(hour: hour)
            for reading in readings
            where encoder.readings(of: hour).contains(reading.reading.moment.wallMilliseconds) {
                encoder.write(reading)
            }
            for night in nights where night.range.overlaps(hour) { encoder.write(night) }
            for wave in waves where encoder.waves(of: hour).contains(wave.segment.start.wallMilliseconds) {
                encoder.write(wave)
            }
            encoder.endHour()
        }
        return encoder.bytes
    }
}

extension EDFFile {
    /// All samples of the signal with a label, as values.
    func values(of label: String) throws -> [Double] {
        let signal = try #require(header.signals.firstIndex { $0.label == label })
        return (0..<header.recordCount).flatMap { record in
            samples(of: signal, in: record).map { header.signals[signal].value(of: $0) }
        }
    }

    var starts: [Int64] { (0..<header.recordCount).compactMap { start(of: $0) } }
}

@Suite("An export of signals")
struct SignalExportTests {
    private typealias Example = SignalExample

    @Test("has every second between two values of an oximeter that reports each two or three, also at a full hour")
    func fullHour() throws {
        // The next full hour is 3355 s after 03:04:05.
        for step in [2000, 3000] {
            let times = stride(from: 3_340_000, to: 3_370_000, by: step)
            let file = try Example.file(
                readings: times.map { Example.reading(Int64($0), .oxygenSaturation, Example.value(9700)) })
            let values = try file.values(of: "SpO2")
            #expect(!values.contains(-1) && file.header.kind == .continuous)
            #expect(values.count >= 27)
        }
    }

    @Test("has no number in its header that is longer than eight characters, whatever a sensor claims")
    func hugeWave() throws {
        for sample: Int32 in [.max, -8_388_353, -8_388_352, 8_388_352, .min + 1] {
            let octets = Example.octets(waves: [
                Example.wave(0, Array(repeating: 100, count: 99) + [sample], rate: 100)
            ])
            let file = try EDFFile(octets)
            let values = try file.values(of: "ECG")
            let isWritten = abs(Int(sample)) <= 8_388_352
            #expect(values.contains { abs($0 - Double(sample)) <= 500 } == isWritten)
        }
    }

    @Test("has a data record for each second with a value, and none for a gap")
    func gaps() throws {
        let file = try Example.file(readings: [
            Example.reading(0, .oxygenSaturation, Example.value(9700)),
            Example.reading(0, .pulseRate, Example.value(6100)),
            Example.reading(1100, .oxygenSaturation, Example.value(9650)),
            Example.reading(90_000, .oxygenSaturation, Example.value(8800)),
        ])
        #expect(file.header.kind == .discontinuous && file.starts == [0, 1000, 90_000])
        #expect(try file.values(of: "SpO2") == [97, 96.5, 88])
        #expect(try file.values(of: "Pulse") == [61, -1, -1])
        #expect(file.header.start == DateTime(year: 2026, month: 1, day: 2, hour: 4, minute: 4, second: 5))
        #expect(file.header.patient == "X X X X")
        #expect(file.header.recording == "Startdate 02-JAN-2026 X X Bedside_\(Product.version)")
    }

    @Test("without a gap is EDF+ of one piece; a value stands until the next one within three seconds")
    func continuous() throws {
        let file = try Example.file(readings: [
            Example.reading(0, .oxygenSaturation, Example.value(9700)),
            Example.reading(2900, .oxygenSaturation, Example.value(9600)),
            Example.reading(3950, .oxygenSaturation, Example.value(9500)),
        ])
        #expect(file.header.kind == .continuous)
        #expect(try file.values(of: "SpO2") == [97, 97, 96, 95])
    }

    @Test("says why there is no measurement, and for how long, and says that data are simulated")
    func annotations() throws {
        let note = RecordEntry(
            .note("asleep"), enteredAt: Moment(monotonicNanoseconds: 0, wallMilliseconds: Example.start * 1000 + 1500))
        var wrong = note
        wrong.retract(at: note.enteredAt)
        let file = try Example.file(
            readings: [
                Example.reading(0, .oxygenSaturation, Example.value(9700)),
                Example.reading(1000, .oxygenSaturation, .noMeasurement(.offBody)),
                Example.reading(2000, .oxygenSaturation, .noMeasurement(.offBody)),
                Example.reading(8500, .oxygenSaturation, Example.value(9600)),
            ], entries: [RecordedEntry(note, run: 1), RecordedEntry(wrong, run: 1)], isSimulated: true)
        #expect(file.starts == [0, 1000, 8000])
        #expect(try file.values(of: "SpO2") == [97, -1, 96])
        #expect(
            file.annotations() == [
                EDFAnnotation(onset: 0, "simulated sensors, and no patient"),
                EDFAnnotation(
                    onset: 1000, duration: 7500, "no measurement: oximeter is off the finger (O2Ring)"),
                EDFAnnotation(onset: 1500, note.text),
            ])
        #expect(file.header.recording.hasSuffix(" simulated"))
    }

    @Test("has each sample of an ECG at its time, and none where none came")
    func wave() throws {
        let first: [Int32] = (0..<130).map { Int32($0 * $0 % 900) - 300 }
        var second = first.map { $0 + 1 }
        second[5] = WavePiece.missing
        let file = try Example.file(waves: [
            Example.wave(0, first, isContinuing: false), Example.wave(1000, second),
            Example.wave(9000, first, isContinuing: false),
        ])
        #expect(file.starts == [0, 1000, 9000])
        let wanted = (first + second + first).map { $0 == WavePiece.missing ? -32768 : Double($0) }
        #expect(try file.values(of: "ECG") == wanted)
        #expect(file.header.signals[0].dimension == "uV" && file.header.signals[0].samplesPerRecord == 130)
    }

    @Test("loses no sample of a sensor whose clock is fast or slow", arguments: [127.4, 129.9, 130.3, 132.6])
    func clock(rate: Double) throws {
        var waves: [RecordedWave] = []
        var all: [Int32] = []
        for index in 0..<40 {
            let samples = (0..<73).map { Int32(index * 73 + $0) - 5 }
            all += samples
            let time = Int64((Double(index * 73) / rate * 1000).rounded())
            waves.append(Example.wave(time, samples, rate: rate, isContinuing: index > 0))
        }
        let values = try Example.file(waves: waves).values(of: "ECG").filter { $0 > -32768 }
        // Each in its order, some twice.
        #expect(zip(values, values.dropFirst()).allSatisfy { (0...1).contains($1 - $0) })
        let missing = Set(all.map(Double.init)).subtracting(values)
        #expect(missing.isEmpty, "\(missing)")
        #expect(values.count - all.count <= all.count * 2 / 100 + 2)
    }

    @Test("has the samples of a stored night as signals of their own beside those that were recorded")
    func night() throws {
        let night = StoredNight(
            sensor: Example.ring, name: "1", start: Example.start * 1000, interval: 4,
            samples: [
                NightSample(saturation: 97, pulseRate: 60, movement: 3),
                NightSample(saturation: nil, pulseRate: nil, movement: 9),
                NightSample(saturation: 88, pulseRate: 71, movement: 0),
            ])
        let file = try Example.file(
            readings: [Example.reading(1000, .oxygenSaturation, Example.value(9600))], nights: [night])
        #expect(file.starts == [0, 1000, 2000, 3000, 8000, 9000, 10_000, 11_000])
        #expect(try file.values(of: "SpO2") == [-1, 96, -1, -1, -1, -1, -1, -1])
        #expect(try file.values(of: "SpO2 stored") == [97, 97, 97, 97, 88, 88, 88, 88])
        #expect(try file.values(of: "Pulse stored") == [60, 60, 60, 60, 71, 71, 71, 71])
        #expect(try file.values(of: "Movement") == [3, 3, 3, 3, 0, 0, 0, 0])
    }

    @Test("crosses hours, and two sensors of one kind have signals of their own")
    func hours() throws {
        let other = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Other", kind: .oximeter)
        let file = try Example.file(readings: [
            Example.reading(0, .oxygenSaturation, Example.value(9700)),
            Example.reading(4_000_000, .oxygenSaturation, Example.value(9600), of: other),
            Example.reading(9_000_000, .oxygenSaturation, Example.value(9500)),
        ])
        #expect(file.starts == [0, 4_000_000, 9_000_000])
        #expect(try file.values(of: "SpO2") == [97, -1, 95])
        #expect(try file.values(of: "SpO2 2") == [-1, 96, -1])
    }

    @Test("of nothing is a header alone, and a period leaves out what is not in it")
    func bounds() throws {
        #expect(try Example.file().header.recordCount == 0)
        let second = Example.start * 1000 + 1000
        let file = try Example.file(
            readings: [0, 1000, 2000].map { Example.reading($0, .heartRate, Example.value(7000)) },
            in: second..<second + 1)
        #expect(try file.values(of: "HR") == [70])
    }

    @Test("has many annotations of one second in the data records that follow")
    func crowd() throws {
        let notes = (0..<100).map { number in
            RecordedEntry(
                RecordEntry(
                    .note("\(number) " + String(repeating: "x", count: 150)),
                    enteredAt: Moment(monotonicNanoseconds: 0, wallMilliseconds: Example.start * 1000)), run: 1)
        }
        let file = try Example.file(
            readings: [Example.reading(0, .heartRate, Example.value(7000))], entries: notes)
        #expect(file.annotations().count == 100 && file.annotations().allSatisfy { $0.onset == 0 })
        #expect(file.header.recordSize <= EDFHeader.recommendedRecordSize)
    }

    @Test("has the same header as ever")
    func golden() throws {
        let octets = Example.octets(
            readings: [
                Example.reading(0, .oxygenSaturation, Example.value(9700)),
                Example.reading(0, .perfusionIndex, Example.value(123)),
                Example.reading(0, .bodyTemperature, Example.value(3861), of: Example.strap),
            ], waves: [Example.wave(0, [-300, 0, 1200], isContinuing: false)], isSimulated: true)
        let lines = stride(from: 0, to: 256 * 6, by: 128).map { place in
            "|" + String(decoding: octets[place..<place + 128], as: UTF8.self) + "|\n"
        }
        try expectGolden(
            lines.joined().replacingOccurrences(of: Product.version, with: "VERSION"), "edf-header.txt")
    }
}

@Suite("The scale of a signal")
struct SignalScaleTests {
    @Test("never clips a value, and no value is the code for none")
    func ranges() {
        var generator = SeededGenerator(seed: 7)
        let vitals = Vital.allCases.map { SignalTrack.Quantity.vital($0) }
        for _ in 0..<RandomCases.count("BEDSIDE_CHANGES", usually: 3000) {
            let isWave = Bool.random(using: &generator)
            let quantity = isWave ? .wave(.electrocardiogram, channel: 0) : vitals.randomElement(using: &generator)
            guard let quantity else { continue }
            var track = SignalTrack(
                key: .init(address: "", quantity: quantity), sensor: SignalExample.ring)
            let limit = 1 << Int.random(in: 1...31, using: &generator)
            let least = Bool.random(using: &generator) ? -limit : 0
            let values = (0..<20).map { _ in Int.random(in: least...limit, using: &generator) }
            for value in values { track.include(value) }
            let scale = SignalScale(track)
            #expect(scale.digital.lowerBound >= -32768 && scale.digital.upperBound <= 32767)
            let signal = track.signal(1)
            for value in values {
                let code = Int(scale.code(value))
                #expect(code > scale.digital.lowerBound && code <= scale.digital.upperBound)
                let unit = isWave ? 1.0 : 100
                let error = abs(signal.value(of: code) - Double(value) / unit)
                #expect(error <= Double(scale.step) / unit, "\(value) is \(signal.value(of: code))")
            }
        }
    }

    @Test("of every value that a body can have is exact")
    func exact() {
        for vital in Vital.allCases where vital != .glucose {
            var track = SignalTrack(
                key: .init(address: "", quantity: .vital(vital)), sensor: SignalExample.ring)
            for value in vital.measurable { track.include(value) }
            let scale = SignalScale(track)
            #expect(vital.measurable.allSatisfy { Int(scale.code($0)) * scale.step == $0 }, "\(vital)")
        }
    }
}
