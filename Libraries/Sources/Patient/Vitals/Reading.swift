/// One vital's value, or the reason for its absence, from one sensor at one moment.
public struct Reading: Codable, Hashable, Sendable {
    /// Its sensor.
    public var sensor: SensorIdentity
    public var vital: Vital
    /// The value, or the reason for its absence.
    public var outcome: Outcome
    /// When it arrived.
    public var moment: Moment
    /// The measurement site, if the sensor reports it.
    public var site: BodySite?
    /// The sensor's own timestamp; sensor clocks are often wrong.
    public var deviceTime: DeviceTime?
    /// When it was measured, for a late value; `nil` for a present one.
    ///
    /// A late value is neither present nor evidence that its sensor is sending.
    public var late: LateInterval?
    /// The count that the sensor sent instead of a concentration; `nil` for any other sensor.
    public var raw: RawGlucose?
    /// What a value of the quality ``Quality/calibrated`` was calibrated with; `nil` for any other.
    public var calibration: AppliedCalibration?

    public init(
        sensor: SensorIdentity, vital: Vital, outcome: Outcome, moment: Moment, site: BodySite? = nil,
        deviceTime: DeviceTime? = nil, late: LateInterval? = nil, raw: RawGlucose? = nil,
        calibration: AppliedCalibration? = nil
    ) {
        self.sensor = sensor
        self.vital = vital
        self.outcome = outcome
        self.moment = moment
        self.site = site
        self.deviceTime = deviceTime
        self.late = late
        self.raw = raw
        self.calibration = calibration
    }

    /// A sensor's report on a vital.
    public enum Outcome: Codable, Hashable, Sendable {
        /// A usable value.
        case measured(VitalValue, Quality)
        /// No value, with the reason.
        case noMeasurement(AbsenceReason)
    }

    /// The quality of a measured value, as reported by the sensor.
    public enum Quality: String, Codable, Hashable, Sendable {
        /// No reported problem.
        case good
        /// The sensor reports reduced quality (poor signal, low perfusion, early estimate …).
        case questionable
        /// The sensor reports a malfunction together with a value, which is questionable, too.
        case malfunction
        /// The sensor sends a value, and asks for a calibration.
        case calibrationWanted = "calibration_wanted"
        /// Computed from the sensor's signal without any calibration.
        case rawEstimate = "raw_estimate"
        /// Computed from the sensor's signal with what somebody has typed from a meter (``CalibrationLine``).
        case calibrated

        /// Whether the value is anything but good.
        public var isQuestionable: Bool { self != .good }

        /// Whether the value is computed here, and so raises alarms only where the settings say so.
        public var isEstimate: Bool { self == .rawEstimate || self == .calibrated }
    }
}

/// Why there is no measurement; the raw value is the word in `bedside watch --json`.
public enum AbsenceReason: String, CaseIterable, Codable, Hashable, Sendable {
    /// The sensor reports that it is off the body (PLX: sensor unconnected to user, sensor displaced).
    case offBody = "off_body"
    /// The strap reports no skin contact.
    case noContact = "no_contact"
    /// The sensor sent a special value of IEEE 11073 that means "no value" (NaN, NRes, reserved).
    case notANumber = "not_a_number"
    /// The sensor is still looking for a signal.
    case searching
    /// Too little blood flow, or no pulse, at the site.
    case lowPerfusion = "low_perfusion"
    /// The equipment reports a fault.
    case equipment
    /// The sensor is calibrating, or warming up.
    case calibrating
    /// The sensor has no value before it is calibrated.
    case calibrationWanted = "calibration_wanted"
    /// The sensor sends counts, of which no valid calibration of the user makes values.
    case uncalibrated
    /// The transmitter is on a new sensor, which nobody has accepted.
    case newSensor = "new_sensor"
    /// The sensor sends values for demonstration, not of a patient.
    case demo
    /// The sensor sends values for testing, not of a patient.
    case test
    /// The sensor hands over what it has stored, and measures nothing meanwhile.
    case handingOver = "handing_over"
    /// Connected, but no data have arrived for longer than the sensor's usual interval.
    case silent
    /// The link to the sensor is lost.
    case linkLost = "link_lost"
    /// The value is outside the physiological range, or outside the sensor's range.
    case outOfRange = "out_of_range"
    /// The sensor reports its measurement as unusable, for example because of too small a drop of blood.
    case unusable
    /// The value is above the sensor's range; meters show "HI".
    case aboveRange = "above_range"
    /// The value is below the sensor's range; meters show "LO".
    case belowRange = "below_range"
    /// More than 400 mg/dL, the highest number that a transmitter sends.
    case above400 = "above_400"
    /// Less than 40 mg/dL, the lowest number that a transmitter sends.
    case below40 = "below_40"

    /// The side of the sensor's range on which the value lies; `nil` for any other reason.
    public var beyondRange: RangeSide? {
        switch self {
        case .aboveRange, .above400: .above
        case .belowRange, .below40: .below
        default: nil
        }
    }

    /// A side of a sensor's range.
    public enum RangeSide: Hashable, Sendable {
        /// Above the range.
        case above
        /// Below the range.
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

/// A date and time as sent by a sensor; it has no time zone, and parts may be unknown.
public struct DeviceTime: Codable, Hashable, Sendable {
    /// 1582 to 9999, or `nil` if the sensor does not know it.
    public var year: Int?
    /// 1 to 12, or `nil` if the sensor does not know it.
    public var month: Int?
    /// 1 to 31, or `nil` if the sensor does not know it.
    public var day: Int?
    public var hour: Int
    public var minute: Int
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

extension DeviceTime {
    /// The time without a zone; parts of the date that the device does not know are empty: `--T14:30:45`.
    public var text: String {
        func padded(_ number: Int?, _ width: Int = 2) -> String {
            guard let number else { return "" }
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))"
    }

    /// Reads what ``text`` writes; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        let time = parts.last?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, date.count == 3, time.count == 3 else { return nil }
        func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
            text.utf8.count <= 4 ? Int(text).flatMap { range.contains($0) ? $0 : nil } : nil
        }
        let (year, month) = (number(date[0], in: 1582...9999), number(date[1], in: 1...12))
        let day = number(date[2], in: 1...31)
        guard (year != nil) != date[0].isEmpty, (month != nil) != date[1].isEmpty, (day != nil) != date[2].isEmpty,
            let hour = number(time[0], in: 0...23), let minute = number(time[1], in: 0...59),
            let second = number(time[2], in: 0...59)
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// The time so many minutes later, or earlier, as a meter means it whose clock was set while its records kept the
    /// former time; unchanged where the date is unknown.
    public func advanced(byMinutes minutes: Int) -> DeviceTime {
        guard minutes != 0, var year, var month, var day else { return self }
        let total = hour * 60 + minute + minutes
        // The remainder is never negative.
        let minuteOfDay = (total % 1440 + 1440) % 1440
        var days = (total - minuteOfDay) / 1440
        while days != 0 {
            day += days.signum()
            days -= days.signum()
            if day < 1 {
                (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
                day = Self.days(inMonth: month, of: year)
            } else if day > Self.days(inMonth: month, of: year) {
                (year, month, day) = month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
            }
        }
        return DeviceTime(
            year: year, month: month, day: day, hour: minuteOfDay / 60, minute: minuteOfDay % 60, second: second)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The RR intervals of one notification of a heart-rate sensor: the times between successive beats.
public struct RRIntervals: Codable, Hashable, Sendable {
    public var sensor: SensorIdentity
    /// The intervals in units of 1/1024 s, the oldest first.
    public var intervals: [UInt16]
    /// The heart rate in the same notification, in beats a minute; `nil` without one.
    public var heartRate: UInt16?
    /// When the notification arrived.
    public var moment: Moment

    /// Creates the intervals of a notification.
    public init(sensor: SensorIdentity, intervals: [UInt16], heartRate: UInt16? = nil, moment: Moment) {
        self.sensor = sensor
        self.intervals = intervals
        self.heartRate = heartRate
        self.moment = moment
    }
}

/// RR intervals as stored.
public struct RecordedRRIntervals: Hashable, Sendable {
    /// The intervals; the store has no heart rate for them.
    public var intervals: RRIntervals
    /// The number of the program's run.
    public var run: Int64

    public init(_ intervals: RRIntervals, run: Int64) {
        self.intervals = intervals
        self.run = run
    }
}
