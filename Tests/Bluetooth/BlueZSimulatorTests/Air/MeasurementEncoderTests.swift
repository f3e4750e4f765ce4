import Base
import Testing
import VitalDecoders

@testable import BlueZSimulator

@Suite("What sensors send")
struct MeasurementEncoderTests {
    private static func encoder(_ change: (inout SimulatedVitals) -> Void = { _ in }) -> MeasurementEncoder {
        var vitals = SimulatedVitals()
        change(&vitals)
        return MeasurementEncoder(vitals: vitals, seconds: 0, sample: 0, noise: Noise(seed: 1))
    }

    @Test("a thermometer sends degrees with two decimals, Celsius or Fahrenheit, with or without its type")
    func temperature() {
        #expect(Self.encoder().temperature() == [0x00, 0x60, 0x0E, 0x00, 0xFE])
        #expect(Self.encoder { $0.temperature.type = .body }.temperature() == [0x04, 0x60, 0x0E, 0x00, 0xFE, 0x02])
        #expect(Self.encoder { $0.temperature.unit = .fahrenheit }.temperature() == [0x01, 0x60, 0x26, 0x00, 0xFE])
        #expect(Self.encoder { $0.temperature.value = nil }.temperature() == [0x00, 0xFF, 0xFF, 0x7F, 0x00])
        #expect(Self.encoder { $0.temperature.isTimestamped = true }.temperature().count == 12)
    }

    @Test("off the body a thermometer has no number, and a CORE the skin temperature of the room")
    func temperatureOffBody() throws {
        var encoder = Self.encoder()
        encoder.isOnBody = false
        #expect(encoder.temperature() == [0x00, 0xFF, 0xFF, 0x7F, 0x00])
        let core = try CoreBodyTemperature(encoder.coreBodyTemperature())
        #expect(core.coreTemperature == .notAvailable && core.qualityAndState?.quality == .invalid)
        #expect(core.skinCelsiusHundredths == 2450)
    }

    @Test("a strap sends what the real one sent")
    func heartRate() {
        #expect(Self.encoder().heartRate() == [0x16, 0x48, 0x55, 0x03])
        #expect(Self.encoder { $0.heartRate.contact = nil }.heartRate() == [0x10, 0x48, 0x55, 0x03])
        #expect(Self.encoder { $0.heartRate.intervals = .none }.heartRate() == [0x06, 0x48])
        #expect(Self.encoder { $0.heartRate.isWide = true }.heartRate() == [0x17, 0x48, 0x00, 0x55, 0x03])
        #expect(Self.encoder { $0.heartRate.value = Quantity(constant: 0) }.heartRate() == [0x06, 0x00])
        #expect(
            Self.encoder {
                $0.heartRate.value = Quantity(constant: 300)
                $0.heartRate.energy = 85
            }.heartRate() == [0x1F, 0x2C, 0x01, 0x55, 0x00, 0xCD, 0x00])
    }

    @Test("off the body a strap continues with its rate and says that there is no contact")
    func heartRateOffBody() {
        var encoder = Self.encoder()
        encoder.isOnBody = false
        #expect(encoder.heartRate() == [0x04, 0x48])
        encoder.vitals.heartRate.contact = nil
        #expect(encoder.heartRate() == [0x10, 0x48, 0x55, 0x03])
    }

    @Test("an oximeter sends whole numbers, tenths where asked for, and the PM100's form with status fields")
    func oximetry() {
        #expect(Self.encoder().pulseOximeter() == [0x00, 0x62, 0x00, 0x47, 0x00])
        #expect(
            Self.encoder { $0.oximetry.saturation = Quantity(constant: 97.5) }.pulseOximeter()
                == [0x00, 0xCF, 0xF3, 0x47, 0x00])
        #expect(
            Self.encoder { $0.oximetry.saturation = nil }.pulseOximeter() == [0x00, 0xFF, 0x07, 0x47, 0x00])
        #expect(
            Self.encoder { $0.oximetry.sendsStatus = true }.pulseOximeter()
                == [0x1C, 0x62, 0x00, 0x47, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x22, 0xF0])
    }

    @Test("a finger that is taken out: first the old saturation without a pulse, then zeros, as the PM100 does")
    func oximetryOffBody() throws {
        var description = SensorDescription(kind: .oximeter, name: "e-Oximeter", address: "C0:52:49:00:00:03")
        description.vitals.oximetry.sendsStatus = true
        let peripheral = SimulatedPeripheral(description, noise: Noise(seed: 1), period: nil)
        peripheral.isOnBody = false
        peripheral.nextSample()
        #expect(
            peripheral.octets(.pulseOximeterContinuous, at: 1)
                == [0x1C, 0x62, 0x00, 0x00, 0x00, 0x20, 0x00, 0x20, 0x08, 0x00, 0x00, 0xF0])
        peripheral.nextSample()
        #expect(
            peripheral.octets(.pulseOximeterContinuous, at: 2)
                == [0x1C, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x20, 0x08, 0x00, 0x00, 0xF0])
    }

    @Test(
        "no value, however large, crashes an encoder",
        arguments: [-1e6, -500, 0, 500, 1e6, 1e300, .infinity, .nan])
    func extremes(value: Double) {
        let encoder = Self.encoder {
            $0.temperature.value = Quantity(constant: value)
            $0.temperature.skin = Quantity(constant: value)
            $0.heartRate.value = Quantity(constant: value)
            $0.oximetry = .init(
                saturation: Quantity(constant: value), pulseRate: Quantity(constant: value),
                amplitude: Quantity(constant: value), sendsStatus: true)
        }
        #expect(encoder.temperature().count == 5)
        #expect(encoder.coreBodyTemperature().count == 6)
        #expect(encoder.heartRate().count >= 2)
        #expect(encoder.pulseOximeter().count == 12)
    }
}
