extension Vital {
    /// Whether a value is physiologically possible; any other number is a fault of the sensor or the unit, or means "no
    /// value".
    ///
    /// This is the only table of its kind, used by the decoders, the state and the store.
    ///
    /// | Vital | From | To | Never |
    /// |---|---|---|---|
    /// | heart rate, pulse rate | 20 | 300 bpm | pulse rate 255 |
    /// | oxygen saturation | 20 | 100 % | |
    /// | temperatures | 25 | 45 °C | |
    /// | glucose | 10 | 1000 mg/dL | |
    ///
    /// Monitors must show rates of 30 to 200 (IEC 60601-2-27) and state the accuracy of a saturation from 70 % (ISO
    /// 80601-2-61); the lower bounds are below the specified ranges of straps and oximeters. Oximeters send a
    /// saturation of 127 and a pulse rate of 255, the greatest numbers of their octets, for "invalid".
    public func isMeasurable(_ value: VitalValue) -> Bool {
        switch self {
        case .heartRate: Self.rates.contains(value.hundredths)
        case .pulseRate: Self.rates.contains(value.hundredths) && value != Self.invalidPulseRate
        case .oxygenSaturation: (2000...10000).contains(value.hundredths)
        case .bodyTemperature, .skinTemperature: (2500...4500).contains(value.hundredths)
        case .glucose: (1000...100_000).contains(value.hundredths)
        }
    }

    private static let rates = 2000...30000
    private static let invalidPulseRate = VitalValue(whole: 255)
}

extension Reading.Outcome {
    /// A measured value, or `outOfRange` if it is impossible.
    ///
    /// - Parameter hundredths: Hundredths of the vital's unit; `nil` is out of range.
    public init(hundredths: Int?, of vital: Vital, _ quality: Reading.Quality) {
        guard let value = hundredths.map({ VitalValue(hundredths: $0) }), vital.isMeasurable(value) else {
            self = .noMeasurement(.outOfRange)
            return
        }
        self = .measured(value, quality)
    }
}
