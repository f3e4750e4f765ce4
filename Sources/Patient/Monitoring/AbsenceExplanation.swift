import Vitals

/// Text that explains an absent measurement: the cause and the remedy.
public struct AbsenceExplanation: Hashable, Sendable {
    /// The cause, short and without a full stop: "sensor reports no skin contact".
    public var title: String
    /// The remedy, without a full stop: "moisten and refit the strap".
    public var remedy: String

    /// Explains a reason for a kind of sensor and a vital.
    public init(reason: AbsenceReason, sensor: SensorKind, vital: Vital? = nil) {
        switch (reason, sensor) {
        case (.offBody, .oximeter):
            self.init("oximeter is off the finger", "put it back on a warm finger")
        case (.offBody, _):
            self.init("sensor is off the body", "put the sensor back in its place")
        case (.noContact, .heartRateStrap):
            self.init("sensor reports no skin contact", "moisten and refit the strap")
        case (.noContact, _):
            self.init("sensor reports no skin contact", "refit the sensor on clean, dry skin")
        case (.notANumber, .core):
            self.init("sensor sends no temperature (off the body?)", "check that it lies flat on the skin")
        case (.notANumber, .thermometer):
            self.init("thermometer sends no temperature", "check its place and measure again")
        case (.notANumber, .oximeter):
            self.init("oximeter sends no value", "keep the hand still and check its place")
        case (.notANumber, _):
            self.init("sensor sends no value", "check that the sensor is in its place")
        case (.searching, .oximeter):
            self.init("searching for the pulse", "keep the hand still and warm")
        case (.searching, _):
            self.init("sensor is searching for a signal", "wait; keep still")
        case (.lowPerfusion, _):
            self.init("too little blood flow at the sensor", "warm the hand or choose another finger")
        case (.equipment, _):
            self.init("sensor reports a fault", "switch it off and on; replace it if the fault stays")
        case (.calibrating, _):
            self.init("sensor is calibrating", "wait until it has finished")
        case (.calibrationWanted, _):
            self.init("sensor is not calibrated", "calibrate it with its own app; measure by other means")
        case (.uncalibrated, _):
            self.init(
                "its counts have no valid calibration",
                "type a finger-prick to calibrate it; measure by other means")
        case (.newSensor, _):
            self.init("transmitter is on a new sensor that nobody has accepted", "select it and press B to accept it")
        case (.handingOver, _):
            self.init("sensor hands over what it has stored", "wait; its values go on by themselves")
        case (.demo, _):
            self.init("sensor is in demonstration mode", "switch its demonstration mode off; no patient is measured")
        case (.test, _):
            self.init("sensor sends test values", "end its test mode; no patient is measured")
        case (.silent, .thermometer):
            self.init("connected, but nothing arrives", "measure again; check its battery")
        case (.silent, _):
            self.init("connected, but nothing arrives", "check the sensor's place and battery")
        case (.linkLost, _):
            self.init("link lost", "bring the sensor near; it reconnects by itself")
        case (.aboveRange, _):
            self.init("value above the measuring range", "measure by other means")
        case (.belowRange, _):
            self.init("value below the measuring range", "measure by other means")
        case (.above400, _):
            self.init("glucose > 400 mg/dL, more than its transmitter can say", "measure by other means")
        case (.below40, _):
            self.init("glucose < 40 mg/dL, less than its transmitter can say", "measure by other means")
        case (.unusable, _):
            self.init("sensor says that the value cannot be used", "measure again, as its instructions say")
        case (.outOfRange, _):
            self.init(
                vital?.isTemperature == true
                    ? "temperature outside of the measuring range" : "value outside of the measuring range",
                "check the sensor's place; measure by other means")
        }
    }

    /// The text in place of a number outside the sensor's range: "HI", "> 400 mg/dL"; `nil` for any other reason.
    public static func rangeText(_ reason: AbsenceReason?) -> String? {
        switch reason {
        case .aboveRange: "HI"
        case .belowRange: "LO"
        case .above400: "> 400 mg/dL"
        case .below40: "< 40 mg/dL"
        default: nil
        }
    }

    private init(_ title: String, _ remedy: String) {
        self.title = title
        self.remedy = remedy
    }
}

/// A missing measurement of a vital or a sensor: the reason, its beginning and the remedy.
public struct Banner: Hashable, Sendable {
    /// The absence: reason, beginning, sensor, last value.
    public var absence: Absence
    /// The vitals concerned.
    public var vitals: [Vital]

    init(absence: Absence, vitals: [Vital]) {
        self.absence = absence
        self.vitals = vitals
    }

    /// The text for the reason and the remedy.
    public var explanation: AbsenceExplanation {
        AbsenceExplanation(reason: absence.reason, sensor: absence.sensor.kind, vital: vitals.first)
    }
}
