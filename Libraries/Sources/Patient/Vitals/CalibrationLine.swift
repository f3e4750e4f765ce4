import Base

/// The straight line that makes concentrations of a sensor's counts, by the method that xDrip publishes.
///
/// One calibration shifts the counts. From two on a line of weighted least squares goes through those of the four days
/// before the newest one. A line that no working sensor has is refused, where xDrip draws one of a usual slope instead.
/// The article *Calibrating a glucose sensor* of `bedside` has the formulas, their source and worked examples.
///
/// No calibrations and no counts make a number that is not finite, or outside ``concentrations``, and none of them traps.
public struct CalibrationLine: Hashable, Sendable {
    /// Milligrams per decilitre for each unit of the count.
    public let slope: Double
    /// What is added, in mg/dL.
    public let offset: Double
    /// The newest calibration.
    public let newest: DatedCalibration

    /// How far back calibrations belong to the line, before the newest one, in milliseconds.
    public static let reach: Int64 = 4 * 86_400_000
    /// How long a calibration holds, in milliseconds.
    public static let validity: Int64 = 86_400_000
    /// What may be added at most, in mg/dL.
    public static let greatestOffset = 39.0
    /// The concentrations that a line may result in, in mg/dL.
    public static let concentrations = VitalValue(whole: 10)...VitalValue(whole: 600)

    /// The possible slopes of a line through a number of calibrations.
    public static func slopes(of count: Int) -> ClosedRange<Double> { count == 2 ? 0.75...1.5 : 0.7...1.6 }

    /// Makes the line of calibrations of one sensor.
    ///
    /// - Parameters:
    ///   - calibrations: All that are known of the sensor, in any order.
    ///   - method: How its counts become concentrations.
    ///   - now: The present in milliseconds since 1970 (UTC); `nil` to make a line of any age.
    /// - Throws: Why there is none.
    public init(
        _ calibrations: [DatedCalibration], _ method: CalibrationMethod, at now: Int64?
    ) throws(CalibrationProblem) {
        // After the clock was set back, those of the future are the older ones; alone, they still hold.
        let past = now.map { now in calibrations.filter { $0.wallMilliseconds <= now.addingSaturated(60_000) } } ?? []
        let ordered = (past.isEmpty ? calibrations : past).sorted { $0.wallMilliseconds < $1.wallMilliseconds }
        guard let first = ordered.first, let newest = ordered.last else { throw .missing }
        // Once the clock was set back by more than that, nobody knows how old it is.
        if let now, now.subtractingSaturated(newest.wallMilliseconds).magnitude > Self.validity { throw .tooOld }
        let recent = ordered.filter { newest.wallMilliseconds.subtractingSaturated($0.wallMilliseconds) <= Self.reach }
        guard
            recent.allSatisfy({ dated in
                RawGlucose.possible.contains(dated.calibration.count)
                    && GlucoseCalibration.concentrations.contains(dated.calibration.glucose)
            })
        else { throw .impossibleCount }
        self.newest = newest
        let points = Self.spread(recent)
        if method == .offset || points.count == 1 {
            (slope, offset) = (1, newest.glucose - newest.count)
        } else {
            let span = Double(newest.wallMilliseconds.subtractingSaturated(first.wallMilliseconds))
            var sums = Sums()
            for point in points {
                let elapsed = Double(point.wallMilliseconds.subtractingSaturated(first.wallMilliseconds))
                sums.add(point, weight: point.weight(elapsed, of: span))
            }
            // The newest counts more, as in xDrip.
            sums.add(newest, weight: newest.weight(span, of: span) * 0.14 * Double(points.count))
            (slope, offset) = sums.line
            guard slope.isFinite, offset.isFinite, Self.slopes(of: points.count).contains(slope) else { throw .slope }
        }
        guard offset <= Self.greatestOffset else { throw .offset }
    }

    /// Those whose counts are apart: of several at almost the same count the newest replaces the others, because a line
    /// through them would show nothing but their errors.
    ///
    /// - Parameter ordered: Calibrations by time.
    private static func spread(_ ordered: [DatedCalibration]) -> [DatedCalibration] {
        var kept: [DatedCalibration] = []
        for point in ordered.reversed()
        where kept.allSatisfy({ abs($0.count - point.count) >= Self.leastDistance }) { kept.append(point) }
        return kept.reversed()
    }

    /// The least distance of two counts that a line goes through.
    private static let leastDistance = 1.0

    /// The concentration of a count in mg/dL, in whole hundredths; `nil` outside the possible ones.
    public func glucose(_ raw: RawGlucose) -> VitalValue? {
        if case .measured(let value, _) = outcome(of: raw) { value } else { nil }
    }

    /// What a count is by this line: a concentration, above or below the possible ones, or no possible count.
    public func outcome(of raw: RawGlucose) -> Reading.Outcome {
        let value = slope * Double(raw.count) / 1000 + offset
        guard RawGlucose.possible.contains(raw.count), value.isFinite else { return .noMeasurement(.outOfRange) }
        if value < Double(Self.concentrations.lowerBound.hundredths) / 100 { return .noMeasurement(.belowRange) }
        if value > Double(Self.concentrations.upperBound.hundredths) / 100 { return .noMeasurement(.aboveRange) }
        return .measured(VitalValue(hundredths: Int((value * 100).rounded())), .calibrated)
    }

    /// The weighted sums of the least squares.
    private struct Sums {
        private var (weights, counts, squares, glucose, products) = (0.0, 0.0, 0.0, 0.0, 0.0)

        mutating func add(_ point: DatedCalibration, weight: Double) {
            weights += weight
            counts += weight * point.count
            squares += weight * point.count * point.count
            glucose += weight * point.glucose
            products += weight * point.count * point.glucose
        }

        /// The line; not finite where all counts are the same.
        var line: (slope: Double, offset: Double) {
            let denominator = weights * squares - counts * counts
            return (
                (weights * products - counts * glucose) / denominator,
                (squares * glucose - counts * products) / denominator
            )
        }
    }
}

extension DatedCalibration {
    /// The count in the unit of xDrip.
    fileprivate var count: Double { Double(calibration.count) / 1000 }
    /// The concentration in mg/dL.
    fileprivate var glucose: Double { Double(calibration.glucose.hundredths) / 100 }

    /// How much it counts: more the newer it is, the slower the glucose changed and the nearer it was to 185 mg/dL.
    ///
    /// - Parameters:
    ///   - elapsed: The time since the sensor's first calibration.
    ///   - span: The time from that to the newest one.
    fileprivate func weight(_ elapsed: Double, of span: Double) -> Double {
        let age = span > 0 ? min(elapsed / span / 0.85, 1) : 1
        // Half for an unknown change, as xDrip has it for the first calibration.
        let steadiness = calibration.change.map { min(max((4 - Double($0) / 100) / 4, 0), 1) } ?? 0.5
        let confidence = max((-0.0018 * glucose * glucose + 0.6657 * glucose + 36.7505) / 100, 0)
        return max((steadiness + confidence) * (age + 0.01) / 2 * 100, 1)
    }
}

extension Reading {
    /// The reading of a sensor that sends counts, with its value by the calibrations of that sensor.
    ///
    /// Without a usable line it stays as the driver made it: no value, or an estimate that nobody has calibrated. A count
    /// that is impossible is out of range; one that the line makes too low or too high a value of is below or above it.
    ///
    /// - Parameters:
    ///   - calibrations: Those of any sensors.
    ///   - now: The present in milliseconds since 1970 (UTC).
    public func calibrated(by calibrations: [DatedCalibration], at now: Int64) -> Reading {
        guard let raw, vital == .glucose else { return self }
        let own = calibrations.filter { $0.calibration.isOf(raw, from: sensor.address) }
        guard let line = try? CalibrationLine(own, raw.method, at: now) else { return self }
        var reading = self
        reading.outcome = line.outcome(of: raw)
        if case .measured = reading.outcome { reading.calibration = line.newest.applied }
        return reading
    }
}
