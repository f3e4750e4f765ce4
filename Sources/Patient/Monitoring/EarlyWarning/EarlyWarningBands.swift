import Vitals

/// The bands of the National Early Warning Score 2 (Royal College of Physicians, 2017) for vitals that sensors measure.
///
/// Sensors measure at most four of the score's seven parameters, so there is never a total. A vital has a band only
/// while it is measured: a stale, lost or doubtful value and a sensor off the body have none. A blood pressure has one
/// while it is valid. The score is for patients of 16 years or more who are not pregnant.
public struct EarlyWarningBands: Hashable, Sendable {
    /// The band of the body temperature, 0 to 3.
    public var temperature: Int?
    /// The band of the pulse, 0 to 3: the heart rate of a strap, or else the pulse rate of an oximeter.
    public var pulse: Int?
    /// The band of the oxygen saturation, 0 to 3.
    public var oxygenSaturation: Int?
    /// The band of the systolic blood pressure, 0 to 3; of the newest measurement that is still valid.
    public var systolicPressure: Int?
    public var scale = OxygenSaturationScale.scale1

    /// The number of parameters of the whole score.
    public static let parameterCount = 7

    /// The acknowledgement that the Royal College of Physicians requires.
    public static let acknowledgement = """
        Reproduced from: Royal College of Physicians. National Early Warning Score (NEWS) 2: Standardising the \
        assessment of acute-illness severity in the NHS. Updated report of a working party. London: RCP, 2017.
        """

    /// Creates known bands.
    public init(
        temperature: Int? = nil, pulse: Int? = nil, oxygenSaturation: Int? = nil, systolicPressure: Int? = nil
    ) {
        self.temperature = temperature
        self.pulse = pulse
        self.oxygenSaturation = oxygenSaturation
        self.systolicPressure = systolicPressure
    }

    /// The bands of the present values, by the scale of the settings.
    public init(_ state: borrowing MonitorState) {
        scale = state.settings.oxygenSaturationScale
        func value(_ vital: Vital) -> VitalValue? {
            guard case .measured(let sample) = state[vital].condition, sample.quality == .good else { return nil }
            return sample.value
        }
        temperature = value(.bodyTemperature).map(Self.band(temperature:))
        pulse = (value(.heartRate) ?? value(.pulseRate)).map(Self.band(pulse:))
        oxygenSaturation = value(.oxygenSaturation).map { [scale] in Self.band(oxygenSaturation: $0, scale: scale) }
        if let entry = state.patientRecord.newest(.bloodPressure), case .bloodPressure(let pressure) = entry.content,
            state.now.since(entry.taken) < PatientRecord.pressureValidity
        {
            systolicPressure = Self.band(systolicPressure: pressure.systolic)
        }
    }

    /// When screens show the bands; the raw value is the name in the configuration.
    public enum Visibility: String, CaseIterable, Codable, Hashable, Sendable {
        /// While one of them is above 0: at home nobody can read them.
        case raised
        case always, never
    }

    /// Whether screens show the bands.
    public func areShown(_ visibility: Visibility) -> Bool {
        switch visibility {
        case .raised: [temperature, pulse, oxygenSaturation, systolicPressure].contains { ($0 ?? 0) > 0 }
        case .always: count > 0
        case .never: false
        }
    }

    /// The number of parameters with a band.
    public var count: Int { [temperature, pulse, oxygenSaturation, systolicPressure].count { $0 != nil } }

    /// The bands in one line: "NEWS2 Temp 1 · Pulse 0 · SpO₂ 2 — 3 of 7 parameters".
    ///
    /// It ends with the scale unless that is the first one:
    /// "… 3 of 7 parameters, SpO₂ scale 2 on air". It contains the blood pressure, "· BP 1", if that has a band.
    ///
    /// - Parameters:
    ///   - dash: The dash between the bands and their number, for screens without "—".
    ///   - none: The placeholder for an unknown band.
    public func text(dash: String = "—", none: String = "–") -> String {
        func word(_ band: Int?) -> String { band.map(String.init) ?? none }
        let pressure = systolicPressure.map { " · BP \($0)" } ?? ""
        let bands = "Temp \(word(temperature)) · Pulse \(word(pulse)) · SpO₂ \(word(oxygenSaturation))\(pressure)"
        return "NEWS2 \(bands) \(dash) \(count) of \(Self.parameterCount) parameters\(scale.remark)"
    }

    /// The band of a temperature, rounded to a tenth of a degree before it is evaluated.
    public static func band(temperature value: VitalValue) -> Int {
        switch rounded(value, to: 10) {
        case ...350: 3
        case ...360: 1
        case ...380: 0
        case ...390: 1
        default: 2
        }
    }

    /// The band of a pulse, rounded to whole beats a minute before it is evaluated.
    public static func band(pulse value: VitalValue) -> Int {
        switch rounded(value, to: 100) {
        case ...40: 3
        case ...50: 1
        case ...90: 0
        case ...110: 1
        case ...130: 2
        default: 3
        }
    }

    /// The band of a systolic blood pressure in mmHg.
    public static func band(systolicPressure: Int) -> Int {
        switch systolicPressure {
        case ...90: 3
        case ...100: 2
        case ...110: 1
        case ...219: 0
        default: 3
        }
    }

    /// The band of an oxygen saturation, rounded to whole percents before it is evaluated.
    public static func band(oxygenSaturation value: VitalValue, scale: OxygenSaturationScale) -> Int {
        let percent = rounded(value, to: 100)
        switch scale {
        case .scale1:
            return switch percent {
            case ...91: 3
            case ...93: 2
            case ...95: 1
            default: 0
            }
        case .scale2OnAir, .scale2OnOxygen:
            return switch percent {
            case ...83: 3
            case ...85: 2
            case ...87: 1
            case ...92: 0
            case _ where scale == .scale2OnAir: 0
            case ...94: 1
            case ...96: 2
            default: 3
            }
        }
    }

    /// A value in whole steps of `step` hundredths, rounded half up.
    private static func rounded(_ value: VitalValue, to step: Int) -> Int {
        let (quotient, remainder) = value.hundredths.quotientAndRemainder(dividingBy: step)
        // Swift rounds towards zero; below it, a remainder is negative.
        if remainder < 0 { return remainder * 2 < -step ? quotient - 1 : quotient }
        return remainder * 2 >= step ? quotient + 1 : quotient
    }
}

/// The scale by which NEWS2 evaluates oxygen saturation; the raw value is the name in the configuration.
///
/// The second scale is for patients whose target is 88 to 92 %, and only by a competent clinician's decision; so it is
/// never chosen by the program.
public enum OxygenSaturationScale: String, CaseIterable, Codable, Hashable, Sendable {
    /// The first scale, for all other patients.
    case scale1 = "scale-1"
    /// The second scale, for a patient who breathes air.
    case scale2OnAir = "scale-2-on-air"
    /// The second scale, for a patient who is given oxygen.
    case scale2OnOxygen = "scale-2-on-oxygen"

    /// The note beside the bands unless they use the first scale.
    var remark: String {
        switch self {
        case .scale1: ""
        case .scale2OnAir: ", SpO₂ scale 2 on air"
        case .scale2OnOxygen: ", SpO₂ scale 2 on oxygen"
        }
    }
}
