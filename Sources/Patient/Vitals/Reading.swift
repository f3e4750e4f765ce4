/// One vital's value, or the reason for its absence, from one sensor at one moment.
public struct Reading: Codable, Hashable, Sendable {
    /// The sensor that it came from.
    public var sensor: SensorIdentity
    /// What was measured.
    public var vital: Vital
    /// The value, or why there is none.
    public var outcome: Outcome
    /// When it arrived here.
    public var moment: Moment
    /// The measurement site, if the sensor reports it.
    public var site: BodySite?
    /// The sensor's own timestamp; sensor clocks are often wrong.
    public var deviceTime: DeviceTime?
    /// When it was measured, for a late value; `nil` for a present one.
    ///
    /// A late value is neither present nor proof that its sensor is sending.
    public var late: LateInterval?

    public init(
        sensor: SensorIdentity, vital: Vital, outcome: Outcome, moment: Moment, site: BodySite? = nil,
        deviceTime: DeviceTime? = nil, late: LateInterval? = nil
    ) {
        self.sensor = sensor
        self.vital = vital
        self.outcome = outcome
        self.moment = moment
        self.site = site
        self.deviceTime = deviceTime
        self.late = late
    }

    /// What a sensor reports about a vital.
    public enum Outcome: Codable, Hashable, Sendable {
        /// A usable value.
        case measured(VitalValue, Quality)
        /// No value, and why.
        case noMeasurement(AbsenceReason)
    }

    /// The quality of a measured value, as reported by the sensor.
    public enum Quality: String, Codable, Hashable, Sendable {
        /// No reported problem.
        case good
        /// The sensor reports reduced quality (poor signal, low perfusion, early estimate …).
        case questionable
        /// The sensor reports a malfunction but sends a value, which is questionable, too.
        case malfunction
        /// The sensor sends a value, and wants somebody to calibrate it.
        case calibrationWanted = "calibration_wanted"
        /// Computed from what a sensor measures, without any calibration.
        case rawEstimate = "raw_estimate"

        /// Whether the value is anything but good.
        public var isQuestionable: Bool { self != .good }
    }
}

/// Why there is no measurement; the raw value is the word in `bedside watch --json`.
public enum AbsenceReason: String, CaseIterable, Codable, Hashable, Sendable {
    /// The sensor says that it is not on the body (PLX: sensor unconnected to user, sensor displaced).
    case offBody = "off_body"
    /// The strap says that it has no skin contact.
    case noContact = "no_contact"
    /// The sensor sent one of the IEEE 11073 specials that stand for "no value" (NaN, NRes, reserved).
    case notANumber = "not_a_number"
    /// The sensor is still looking for a signal.
    case searching
    /// Too little blood flow, or no pulse, at the site.
    case lowPerfusion = "low_perfusion"
    /// The equipment reports a fault.
    case equipment
    /// The sensor is calibrating, or warming up.
    case calibrating
    /// The sensor has no value before somebody has calibrated it.
    case calibrationWanted = "calibration_wanted"
    /// The sensor sends values for demonstration; they are not a patient's.
    case demo
    /// The sensor sends values for testing; they are not a patient's.
    case test
    /// Connected, but nothing has arrived for longer than the sensor's usual interval.
    case silent
    /// The link to the sensor is lost.
    case linkLost = "link_lost"
    /// The value is outside the physiological range, or outside the sensor's range.
    case outOfRange = "out_of_range"
    /// The sensor says that what it measured cannot be used, as with too small a drop of blood.
    case unusable
    /// The value lies above what the sensor can measure; meters show "HI".
    case aboveRange = "above_range"
    /// The value lies below what the sensor can measure; meters show "LO".
    case belowRange = "below_range"
    /// More than 400 mg/dL, the most that a transmitter says as a number.
    case above400 = "above_400"
    /// Less than 40 mg/dL, the least that a transmitter says as a number.
    case below40 = "below_40"

    /// On which side of its sensor's range the value lies; `nil` where there is no value.
    public var beyondRange: RangeSide? {
        switch self {
        case .aboveRange, .above400: .above
        case .belowRange, .below40: .below
        default: nil
        }
    }

    /// A side of what a sensor can measure.
    public enum RangeSide: Hashable, Sendable {
        /// Higher than it can measure.
        case above
        /// Lower than it can measure.
        case below
    }
}

/// Where on the body a reading was taken (Temperature Type 2A1D, Body Sensor Location 2A38).
public enum BodySite: String, CaseIterable, Codable, Hashable, Sendable {
    case armpit, body, ear, finger
    case gastrointestinalTract = "gastrointestinal_tract"
    case mouth, rectum, toe, tympanum
    case other, chest, wrist, hand
    case earLobe = "ear_lobe"
    case foot
    /// CORE's estimate of the core body temperature.
    case core
    case skin
}

/// A date and time as a sensor sent it; it has no time zone, and parts may be unknown.
public struct DeviceTime: Codable, Hashable, Sendable {
    /// 1582 to 9999, or `nil` when the sensor does not know it.
    public var year: Int?
    /// 1 to 12, or `nil` when the sensor does not know it.
    public var month: Int?
    /// 1 to 31, or `nil` when the sensor does not know it.
    public var day: Int?
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// 0 to 59.
    public var second: Int

    public init(year: Int?, month: Int?, day: Int?, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }
}
