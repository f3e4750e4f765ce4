import Base
import Glibc
import VitalDecoders

/// Creates the octets that a sensor sends.
struct MeasurementEncoder {
    var vitals: SimulatedVitals
    /// The heart rate that a client has written to a CORE; `nil` for none.
    var toldHeartRate: UInt8?
    /// Whether the sensor is worn.
    var isOnBody = true
    /// The number of measurements since the sensor was taken off, from 0.
    var offBodyCount = 0
    /// Seconds since the scenario began.
    var seconds: Double
    /// The number of heart beats since the previous measurement.
    var beats = 1
    /// The intervals of the body's heart since the previous measurement, in milliseconds; `nil` where ``beats`` counts.
    var intervals: [Double]?
    var sample: Int
    var noise: Noise

    func value(_ quantity: Quantity, stream: Int) -> Double {
        quantity.value(at: seconds, sample: sample, noise.stream(stream))
    }

    // MARK: Temperature

    /// Temperature Measurement (2A1C).
    func temperature() -> [UInt8] {
        let settings = vitals.temperature
        let celsius = isOnBody ? settings.value.map { value($0, stream: 0) } : nil
        return TemperatureMeasurement(
            temperature: Self.float(celsius.map { Self.convert($0, settings.unit) }), unit: settings.unit,
            timestamp: settings.isTimestamped ? DateTime(localTime: Double(time(nil))) : nil, type: settings.type
        ).octets
    }

    func coreBodyTemperature() -> [UInt8] {
        let settings = vitals.temperature
        let core = isOnBody ? settings.value.map { value($0, stream: 0) } : nil
        let skin = settings.skin.map { isOnBody ? value($0, stream: 1) : 24.5 }
        let quality: CoreQuality = core == nil ? .invalid : .good
        return CoreBodyTemperature(
            unit: settings.unit, coreTemperature: Self.hundredths(core, settings.unit),
            skinTemperature: skin.map { Self.hundredths($0, settings.unit) },
            qualityAndState: CoreQualityAndState(
                quality: quality, heartRateState: toldHeartRate == nil ? .notSupported : .supportedReceiving),
            heartRate: toldHeartRate
        ).octets
    }

    /// The advertisement of an unconnected CORE.
    func coreAdvertisement() -> [UInt8] {
        let core = isOnBody ? vitals.temperature.value.map { value($0, stream: 0) } : nil
        let (measuring, idle): (UInt8, UInt8) = (4, 1)
        return CoreAdvertisement(
            status: core == nil ? idle : measuring,
            coreTemperatureMillidegrees: core.map { UInt16(clamping: Int(($0 * 1000).rounded())) } ?? 0
        ).octets
    }

    private static func convert(_ celsius: Double, _ unit: TemperatureUnit) -> Double {
        unit == .celsius ? celsius : celsius * 9 / 5 + 32
    }

    /// A FLOAT with two decimals, or "not a number".
    private static func float(_ value: Double?) -> MedicalFloat {
        value.flatMap { wholeHundredths($0) }.flatMap { MedicalFloat(DecimalNumber(Int64($0), exponent: -2)) } ?? .nan
    }

    private static func hundredths(_ celsius: Double?, _ unit: TemperatureUnit) -> CoreTemperature {
        celsius.flatMap { wholeHundredths(convert($0, unit)) }.flatMap { Int16(exactly: $0) }
            .map { CoreTemperature(rawValue: $0) } ?? .notAvailable
    }

    private static func wholeHundredths(_ value: Double) -> Int? {
        Int(exactly: (value * 100).rounded())
    }

    // MARK: Heart rate

    /// The heart rate in beats a minute.
    var rate: UInt16 {
        UInt16(clamping: Int(max(0, min(65535, value(vitals.heartRate.value, stream: 2).rounded()))))
    }

    /// Heart Rate Measurement (2A37).
    ///
    /// Off the body the last rate is repeated, as straps do; only the contact bits show it.
    func heartRate() -> [UInt8] {
        let settings = vitals.heartRate
        let rate = self.rate
        let hasContact = isOnBody ? settings.contact : settings.contact.map { _ in false }
        let contact: SensorContact =
            switch hasContact {
            case true?: .detected
            case false?: .notDetected
            case nil: .notSupported
            }
        let measurement = HeartRateMeasurement(
            heartRate: rate, contact: contact, energyExpended: settings.energy,
            rrIntervals: intervals(settings, rate: rate, hasContact: hasContact))
        return settings.isWide && rate < 256 ? Self.widened(measurement.octets) : measurement.octets
    }

    private func intervals(
        _ settings: SimulatedVitals.HeartRate, rate: UInt16, hasContact: Bool?
    ) -> [RRInterval]? {
        let milliseconds: [Double]
        switch settings.intervals {
        case .none: return nil
        case .fixed(let given): milliseconds = given
        case .computed:
            guard rate > 0, hasContact != false else { return nil }
            milliseconds =
                intervals
                ?? (0..<beats).map { beat in
                    let variation = settings.value.isConstant ? 0 : 18 * noise.stream(3).value(at: sample * 16 + beat)
                    return 60_000 / Double(rate) + variation
                }
        }
        if milliseconds.isEmpty { return nil }
        return milliseconds.map { RRInterval(raw: UInt16(clamping: Int(max(0, min(65535, ($0 * 1.024).rounded()))))) }
    }

    /// The 16-bit form of a measurement with an 8-bit rate.
    private static func widened(_ octets: [UInt8]) -> [UInt8] {
        [octets[0] | 1, octets[1], 0] + octets.dropFirst(2)
    }

    // MARK: Oximetry

    /// PLX Continuous Measurement (2A5F).
    func pulseOximeter() -> [UInt8] {
        let settings = vitals.oximetry
        let normal = saturationAndPulseRate()
        guard settings.sendsStatus else { return PulseOximeterContinuousMeasurement(normal: normal).octets }
        var device: PulseOximeterDeviceAndSensorStatus = []
        if !isOnBody { device = [.lowPerfusion, .sensorUnconnectedToUser] }
        let amplitude = isOnBody ? value(settings.amplitude, stream: 6) : 0
        return PulseOximeterContinuousMeasurement(
            normal: normal, measurementStatus: .measurementOngoing, deviceAndSensorStatus: device,
            pulseAmplitudeIndex: MedicalShortFloat(DecimalNumber(Int64(max(0, min(20, amplitude)) * 10), exponent: -1))
        ).octets
    }

    /// PLX Spot-check Measurement (2A5E).
    func spotCheck() -> [UInt8] {
        PulseOximeterSpotCheckMeasurement(normal: saturationAndPulseRate()).octets
    }

    /// PLX Features (2A60).
    static func features(_ settings: SimulatedVitals.Oximetry, isStoring: Bool = false) -> [UInt8] {
        let storage: PulseOximeterFeatures.Supported = isStoring ? [.spotCheckStorage, .spotCheckTimestamp] : []
        guard settings.sendsStatus else { return PulseOximeterFeatures(supported: storage).octets }
        return PulseOximeterFeatures(
            supported: storage.union([.measurementStatus, .deviceAndSensorStatus, .pulseAmplitudeIndex]),
            measurementStatusSupport: .measurementOngoing,
            deviceAndSensorStatusSupport: [.lowPerfusion, .sensorUnconnectedToUser]
        ).octets
    }

    /// Off the body: first the old saturation without a pulse, then zeros, as the PM100 does; or "not a number".
    private func saturationAndPulseRate() -> OxygenSaturationAndPulseRate {
        let settings = vitals.oximetry
        let saturation = settings.saturation.map { min(100, shown($0, stream: 4)) }
        let pulseRate = settings.pulseRate.map { shown($0, stream: 5) }
        if isOnBody {
            return OxygenSaturationAndPulseRate(
                oxygenSaturation: Self.shortFloat(saturation), pulseRate: Self.shortFloat(pulseRate))
        }
        guard settings.sendsStatus else { return OxygenSaturationAndPulseRate(oxygenSaturation: .nan, pulseRate: .nan) }
        let stale = offBodyCount == 0 ? Self.shortFloat(saturation) : Self.shortFloat(0)
        return OxygenSaturationAndPulseRate(oxygenSaturation: stale, pulseRate: Self.shortFloat(0))
    }

    /// The value as the sensor shows it: oximeters show whole numbers; a constant value is sent with its tenths.
    private func shown(_ quantity: Quantity, stream: Int) -> Double {
        let value = value(quantity, stream: stream)
        return quantity.isConstant ? value : value.rounded()
    }

    /// An SFLOAT with at most one decimal, none if that is enough; or "not a number".
    private static func shortFloat(_ value: Double?) -> MedicalShortFloat {
        guard let value, let tenths = Int64(exactly: (value * 10).rounded()) else { return .nan }
        let decimal = tenths % 10 == 0 ? DecimalNumber(tenths / 10, exponent: 0) : DecimalNumber(tenths, exponent: -1)
        return MedicalShortFloat(rounding: decimal) ?? .nan
    }
}
