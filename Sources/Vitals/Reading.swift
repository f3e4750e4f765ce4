/// One vital's value, or the reason for its absence, as one sensor told it at one moment.
public struct Reading: Codable, Hashable, Sendable {
    /// The sensor that it came from.
    public var sensor: SensorIdentity
    /// What was measured.
    public var vital: Vital
    /// The value, or why there is none.
    public var outcome: Outcome
    /// When it arrived here.
    public var moment: Moment
    /// Where on the body it was taken, when the sensor says so.
    public var site: BodySite?
    /// The sensor's own time stamp, as it sent it; clocks of sensors are often wrong.
    public var deviceTime: DeviceTime?
    /// When it was measured, for a late value; `nil` for one that is of now.
    ///
    /// A late value is neither current nor proof that its sensor sends.
    public var late: LateInterval?

    /// Makes a reading.
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

    /// What a sensor has to say about a vital.
    public enum Outcome: Codable, Hashable, Sendable {
        /// A usable value.
        case measured(VitalValue, Quality)
        /// No value, and why.
        case noMeasurement(AbsenceReason)
    }

    /// How far a measured value may be trusted, by the sensor's own word.
    public enum Quality: String, Codable, Hashable, Sendable {
        /// Nothing speaks against it.
        case good
        /// The sensor itself doubts it (poor signal, low perfusion, early estimate …).
        case questionable
        /// The sensor reports a malfunction of its own and sends a value all the same, which is questionable, too.
        case malfunction

        /// Whether the value must not be relied on without a second look.
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
    /// The sensor is calibrating.
    case calibrating
    /// The sensor sends values for demonstration; they are no patient's.
    case demo
    /// The sensor sends values for testing; they are no patient's.
    case test
    /// Connected, but nothing has come for longer than is usual for the sensor.
    case silent
    /// The link to the sensor is lost.
    case linkLost = "link_lost"
    /// The value lies outside of what a human body can have, or over or under the sensor's range.
    case outOfRange = "out_of_range"
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

    /// Makes a date and time from its parts.
    public init(year: Int?, month: Int?, day: Int?, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }
}
