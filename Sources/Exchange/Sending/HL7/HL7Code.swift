import Vitals

/// A code of ISO/IEEE 11073-10101 with its reference identifier.
struct HL7Code: Hashable {
    let number: String
    let name: String

    init(_ number: String, _ name: String) {
        (self.number, self.name) = (number, name)
    }

    /// A monitor of several vitals.
    static let monitor = HL7Code("69965", "MDC_DEV_MON_PHYSIO_MULTI_PARAM_MDS")
    /// A condition that is no limit.
    static let alarm = HL7Code("196616", "MDC_EVT_ALARM")
    static let high = HL7Code("196648", "MDC_EVT_HI")
    static let low = HL7Code("196670", "MDC_EVT_LO")
    /// What an alarm is about that is about no value.
    static let alarmSource = HL7Code("68480", "MDC_ATTR_ALERT_SOURCE")

    static let systolic = HL7Code("150021", "MDC_PRESS_BLD_NONINV_SYS")
    static let diastolic = HL7Code("150022", "MDC_PRESS_BLD_NONINV_DIA")
    static let mean = HL7Code("150023", "MDC_PRESS_BLD_NONINV_MEAN")
    static let fingerPrick = HL7Code("160184", "MDC_CONC_GLU_CAPILLARY_WHOLEBLOOD")
    static let mercury = HL7Code("266016", "MDC_DIM_MMHG")
    static let perMinute = HL7Code("264864", "MDC_DIM_BEAT_PER_MIN")
}

extension Vital {
    /// Its code in messages; the number is the one of its traits.
    var messageCode: HL7Code {
        let name =
            switch self {
            case .heartRate: "MDC_ECG_HEART_RATE"
            case .pulseRate: "MDC_PULS_OXIM_PULS_RATE"
            case .oxygenSaturation: "MDC_PULS_OXIM_SAT_O2"
            case .bodyTemperature: "MDC_TEMP_BODY"
            case .skinTemperature: "MDC_TEMP_SKIN"
            case .glucose: "MDC_CONC_GLU_ISF"
            case .perfusionIndex: "MDC_BLD_PERF_INDEX"
            }
        return HL7Code(traits.nomenclatureCode, name)
    }

    /// The code of its unit in messages.
    var messageUnit: HL7Code {
        switch self {
        case .heartRate, .pulseRate: .perMinute
        case .oxygenSaturation, .perfusionIndex: HL7Code("262688", "MDC_DIM_PERCENT")
        case .bodyTemperature, .skinTemperature: HL7Code("268192", "MDC_DIM_DEGC")
        case .glucose: HL7Code("264274", "MDC_DIM_MILLI_G_PER_DL")
        }
    }
}
