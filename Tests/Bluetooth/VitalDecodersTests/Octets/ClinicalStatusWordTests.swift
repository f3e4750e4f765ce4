import Testing
import VitalDecoders

@Suite("Status words")
struct ClinicalStatusWordTests {
    private func check<Word: ClinicalStatusWord>(_ type: Word.Type) {
        let bits = Word.table.map(\.bit)
        #expect(bits == bits.sorted())
        #expect(Set(bits).count == bits.count)
        #expect(bits.allSatisfy { $0 < Word.RawValue.bitWidth })
        #expect(Set(Word.table.map(\.name)).count == Word.table.count)
        for bit in Word.table {
            let word = Word(rawValue: 1 << Word.RawValue(bit.bit))
            #expect(word.readings == [bit])
            #expect(word.names == [bit.name])
            #expect(word.usability == bit.reading.usability)
            #expect(word.hasCause(bit.reading.cause))
        }
        #expect(Word(rawValue: 0).usability == .usable)
    }

    @Test("every bit of every table is there once, and has its reading")
    func tables() {
        check(PulseOximeterMeasurementStatus.self)
        check(PulseOximeterDeviceAndSensorStatus.self)
        check(BloodPressureStatus.self)
        check(GlucoseSensorStatus.self)
        check(ContinuousGlucoseAnnunciation.self)
    }

    @Test("the bits that leave no value are those of the specification")
    func unusable() {
        func bits(_ table: [StatusBit]) -> [Int] { table.filter { $0.reading.usability == .unusable }.map(\.bit) }
        #expect(bits(PulseOximeterMeasurementStatus.table) == [9, 10, 11, 12, 13, 15])
        #expect(bits(PulseOximeterDeviceAndSensorStatus.table) == [3, 7, 11, 13, 15])
    }

    @Test("the named constants are the bits of the table")
    func constants() {
        #expect(PulseOximeterMeasurementStatus.invalid.names == ["invalid measurement detected"])
        #expect(PulseOximeterDeviceAndSensorStatus.sensorUnconnectedToUser.names == ["sensor unconnected to user"])
        #expect(PulseOximeterDeviceAndSensorStatus(rawValue: .max).rawValue == 0xFF_FFFF)
        #expect(BloodPressureStatus.pulseRateBelowLimit.names == ["pulse rate below the lower limit"])
    }

    @Test("two bits that make one number mean neither when the number is reserved")
    func alternatives() {
        let status = BloodPressureStatus(rawValue: 0b1_1001)
        #expect(status.names == ["body movement detected"])
        #expect(status.readings.map(\.bit) == [0])
        #expect(status.description == "body movement detected, reserved bit 3, reserved bit 4")
    }

    @Test("a word in words names set bits, calls others reserved, and says when none is set")
    func description() {
        #expect(PulseOximeterMeasurementStatus(rawValue: 0).description == "none set")
        #expect(PulseOximeterMeasurementStatus(rawValue: 0x21).description == "reserved bit 0, measurement ongoing")
    }
}
