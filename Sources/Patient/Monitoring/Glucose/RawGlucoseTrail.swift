import Base
import Vitals

/// The newest counts of a sensor that sends counts instead of concentrations.
public struct RawGlucoseTrail: Codable, Hashable, Sendable {
    /// The counts in the order of measurement.
    public private(set) var points: [Point] = []

    /// A count with its time.
    public struct Point: Codable, Hashable, Sendable {
        public var raw: RawGlucose
        public var moment: Moment
    }

    /// How far a count may be from the drop of blood that it is compared with, as in xDrip.
    public static let longestDistance = Duration.seconds(15 * 60)
    /// Over how long a change is known at least.
    private static let shortestSpan = Duration.seconds(4 * 60)
    /// How far back counts are kept: twice the distance.
    private static let reach = Duration.seconds(30 * 60)
    private static let limit = 64

    init() {}

    /// Whether it is bounded and in order; another program may have sent it.
    var isCoherent: Bool {
        points.count <= Self.limit && zip(points, points.dropFirst()).allSatisfy { $0.moment <= $1.moment }
    }

    /// The newest count; `nil` without one.
    public var newest: Point? { points.last }

    /// Adds a count; those of another transmitter or sensor end with it.
    mutating func add(_ raw: RawGlucose, at moment: Moment) {
        points.removeAll { $0.raw.serial != raw.serial || $0.raw.method != raw.method || $0.moment == moment }
        let place = points.lastIndex { $0.moment <= moment }.map { $0 + 1 } ?? 0
        points.insert(Point(raw: raw, moment: moment), at: place)
        guard let newest = points.last?.moment else { return }
        points.removeAll { newest.since($0.moment) > Self.reach }
        if points.count > Self.limit { points.removeFirst(points.count - Self.limit) }
    }

    /// The count nearest to a moment; `nil` where none is near enough.
    public func nearest(to moment: Moment) -> Point? {
        let found = points.min { $0.distance(from: moment) < $1.distance(from: moment) }
        return found.flatMap { $0.distance(from: moment) <= Self.longestDistance ? $0 : nil }
    }

    /// How fast the count changed before a moment, up or down, in hundredths of its unit a minute.
    ///
    /// `nil` where the counts of the quarter of an hour before reach back too little.
    public func change(at moment: Moment) -> Int? {
        let before = points.filter { $0.moment <= moment && moment.since($0.moment) <= Self.longestDistance }
        guard let first = before.first, let last = before.last else { return nil }
        let span = last.moment.since(first.moment)
        guard span >= Self.shortestSpan else { return nil }
        let seconds = Int(span.components.seconds)
        let thousandths = last.raw.count.subtractingSaturated(first.raw.count).magnitude
        return Int(clamping: thousandths.multipliedReportingOverflow(by: 6).partialValue / UInt(seconds))
    }
}

extension RawGlucoseTrail.Point {
    fileprivate func distance(from other: Moment) -> Duration {
        let distance = moment.since(other)
        return distance < .zero ? .zero - distance : distance
    }
}

/// What a value that was typed from a meter can do for a sensor that sends counts.
public struct CalibrationProposal: Hashable, Sendable {
    public var sensor: SensorIdentity
    /// The calibration, or why there can be none.
    public var result: Result<GlucoseCalibration, CalibrationProblem>
}

extension MonitorState {
    /// What a value that was typed from a meter can do for each connected sensor that sends counts.
    ///
    /// A calibration is proposed only if it results in a usable line with the earlier ones of the same sensor.
    public func calibrationProposals(by entry: RecordEntry) -> [CalibrationProposal] {
        guard case .vital(.glucose, let glucose, _) = entry.content, entry.isTypedHere, !entry.isRetracted,
            entry.facts.isTimeKnown
        else { return [] }
        return sensors.compactMap { sensor in
            guard sensor.isLinkUp, sensor.rawGlucose.newest != nil else { return nil }
            do throws(CalibrationProblem) {
                return CalibrationProposal(
                    sensor: sensor.identity, result: .success(try calibration(of: sensor, glucose, at: entry.taken)))
            } catch {
                return CalibrationProposal(sensor: sensor.identity, result: .failure(error))
            }
        }
    }

    private func calibration(
        of sensor: SensorState, _ glucose: VitalValue, at moment: Moment
    ) throws(CalibrationProblem) -> GlucoseCalibration {
        guard let point = sensor.rawGlucose.nearest(to: moment) else { throw .noCount }
        guard RawGlucose.possible.contains(point.raw.count) else { throw .impossibleCount }
        guard GlucoseCalibration.concentrations.contains(glucose) else { throw .impossibleGlucose }
        let change = sensor.rawGlucose.change(at: point.moment)
        guard change ?? 0 <= GlucoseCalibration.greatestChange else { throw .changing }
        let calibration = GlucoseCalibration(
            glucose: glucose, count: point.raw.count, change: change, address: sensor.identity.address,
            name: sensor.identity.name, serial: point.raw.serial)
        let dated = DatedCalibration(calibration, wallMilliseconds: moment.wallMilliseconds)
        let line = try CalibrationLine(
            calibrations(of: point.raw, from: sensor.identity.address) + [dated], point.raw.method,
            at: now.wallMilliseconds)
        // What it says of the count it was made with, too, must be possible.
        guard line.glucose(point.raw) != nil else { throw .offset }
        return calibration
    }

    /// The valid calibrations of the record.
    var calibrations: [DatedCalibration] { patientRecord.entries.compactMap { DatedCalibration($0) } }

    private func calibrations(of raw: RawGlucose, from address: String) -> [DatedCalibration] {
        calibrations.filter { $0.calibration.isOf(raw, from: address) }
    }

    /// The calibration that the values of a sensor come from, or why they come from none; `nil` for a sensor that sends no
    /// counts.
    public func calibrationInUse(by sensor: SensorState) -> Result<AppliedCalibration, CalibrationProblem>? {
        guard let raw = sensor.rawGlucose.newest?.raw else { return nil }
        do throws(CalibrationProblem) {
            let line = try CalibrationLine(
                calibrations(of: raw, from: sensor.identity.address), raw.method, at: now.wallMilliseconds)
            return .success(line.newest.applied)
        } catch {
            return .failure(error)
        }
    }

    /// Calibrates a sensor with a value that was typed from a meter.
    mutating func calibrate(_ address: String, with id: RecordEntry.ID) -> [Effect] {
        guard let entry = patientRecord.entries.first(where: { $0.id == id }),
            let proposal = calibrationProposals(by: entry).first(where: { $0.sensor.address == address }),
            case .success(let calibration) = proposal.result
        else { return [] }
        var made = RecordEntry(.calibration(calibration), taken: entry.taken, enteredAt: now)
        // The value itself may have been typed at this moment.
        while patientRecord.entries.contains(where: { $0.id == made.id }) { made.enteredAt.monotonicNanoseconds += 1 }
        return enter(made)
    }

    /// Retracts the calibrations that were made with a value which is a mistake.
    mutating func retractCalibrations(with mistake: RecordEntry, reason: String) -> [Effect] {
        guard case .vital(.glucose, let glucose, _) = mistake.content else { return [] }
        let made = patientRecord.entries.filter { entry in
            guard case .calibration(let calibration) = entry.content else { return false }
            return calibration.glucose == glucose && entry.taken == mistake.taken && !entry.isRetracted
        }
        return made.flatMap { retract($0.id, reason: reason) }
    }

    /// The effect of changed calibrations: those that hold now.
    func followCalibrations(after entry: RecordEntry) -> [Effect] {
        entry.kind == .calibration ? [.calibrations(calibrations)] : []
    }
}
