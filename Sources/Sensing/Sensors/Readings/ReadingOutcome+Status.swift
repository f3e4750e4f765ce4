import VitalDecoders
import Vitals

// The meaning of a sensor's status word for its value, by the decoders' table alone.
extension AbsenceReason {
    /// Why a status word makes a value unusable; `nil` if it does not.
    ///
    /// Reasons without a remedy come first: with faulty equipment no other bit is meaningful.
    init?(unusable status: some ClinicalStatusWord) {
        let causes = status.readings.filter { $0.reading.usability == .unusable }.map(\.reading.cause)
        guard let cause = Self.order.first(where: causes.contains) ?? causes.first else { return nil }
        switch cause {
        case .demo: self = .demo
        case .test: self = .test
        case .offBody: self = .offBody
        case .equipmentFault: self = .equipment
        case .calibrating: self = .calibrating
        case .lowPerfusion: self = .lowPerfusion
        case .searching: self = .searching
        case .outOfRange: self = .outOfRange
        case .signal, .stored, .information, .estimate: self = .unusable
        }
    }

    private static let order: [ClinicalReading.Cause] = [
        .demo, .test, .offBody, .equipmentFault, .calibrating, .lowPerfusion, .signal, .outOfRange,
    ]
}

extension Reading.Quality {
    /// The quality of a value that a status word calls usable or questionable; good without one.
    init(_ status: (some ClinicalStatusWord)?) {
        let doubts = status?.readings.filter { $0.reading.usability == .questionable } ?? []
        guard let doubt = doubts.first else {
            self = .good
            return
        }
        switch doubts.first(where: { $0.reading.cause == .equipmentFault })?.reading.cause ?? doubt.reading.cause {
        case .equipmentFault: self = .malfunction
        case .calibrating: self = .calibrationWanted
        default: self = .questionable
        }
    }
}
