import SensorDrivers
import VitalDecoders
import Vitals

/// The transfer of a sensor's stored records through the Record Access Control Point (2A52).
///
/// A pure state machine for all services with that control point: which records are requested, what follows from each
/// answer, and when there are too many. Counts, and answers to other requests, change nothing.
public struct RecordTransfer: Sendable {
    /// The requested records.
    private(set) var request: Request
    /// The greatest number of a record that is known already; `nil` for none, or for records without numbers.
    private let known: Int?
    /// The greatest number of the records since the last request; `nil` for none.
    private var newest: Int?
    /// Whether they arrived in the order of their numbers, so that none before the newest is missing.
    private var isInOrder = true
    /// Whether the last record has a smaller number than a known one.
    private var countsAnew = false
    /// How often the sensor was busy, or did not complete a request.
    private var repetitions = 0
    /// The number of received records.
    private var count = 0
    /// Whether it was told to stop.
    private(set) var isAborted = false

    /// Which records are requested.
    enum Request: CaseIterable, Hashable, Sendable {
        /// Those after the newest known one.
        case newRecords
        case lastRecord
        case allRecords
    }

    /// What an answer means for a request.
    enum Answer: CaseIterable, Hashable, Sendable {
        /// The transfer is complete.
        case success
        /// There are no such records.
        case noRecords
        /// The sensor was busy, or could not complete the request.
        case busy
        /// The sensor cannot select these records.
        case unsupported
    }

    /// What follows from an answer.
    enum Step: Hashable, Sendable {
        case finish
        /// Request other records.
        case request(Request)
        /// Make the same request again, after a pause.
        case again
        /// There is no other request.
        case refuse
    }

    static let control = CharacteristicType.recordAccessControlPoint.uuid
    /// The pause before a busy sensor is asked again, and the number of repetitions.
    static let pause = Duration.seconds(3)
    static let mostRepetitions = 3
    /// The most records of a transfer; meters store a few thousand.
    public static let limit = 5_000

    /// Creates a transfer.
    ///
    /// - Parameters:
    ///   - known: The greatest number of a record that is known already.
    ///   - otherwise: What is requested if none is known.
    init(after known: Int?, otherwise: Request = .allRecords) {
        self.known = known
        request = known == nil ? otherwise : .newRecords
    }

    /// What follows from each answer.
    ///
    /// Quirk meters-count-backwards: a meter that was reset counts from the beginning, so the last record is requested
    /// when there are none after the newest known one, and all of them if it has a smaller number. Records that are known
    /// already are recognised by their content.
    static func step(after answer: Answer, to request: Request, countsAnew: Bool = false) -> Step {
        switch (answer, request) {
        case (.success, .lastRecord): countsAnew ? .request(.allRecords) : .finish
        case (.success, .newRecords), (.success, .allRecords): .finish
        case (.noRecords, .newRecords): .request(.lastRecord)
        case (.noRecords, .lastRecord), (.noRecords, .allRecords): .finish
        case (.busy, _): .again
        case (.unsupported, .newRecords), (.unsupported, .lastRecord): .request(.allRecords)
        case (.unsupported, .allRecords): .refuse
        }
    }

    /// Requests the records.
    mutating func ask(isOptional: Bool = false) -> DriverAction {
        (newest, isInOrder) = (nil, true)
        let message =
            switch request {
            case .newRecords: RecordAccessMessage.reportRecords(from: UInt16(clamping: (known ?? 0) + 1))
            case .lastRecord: RecordAccessMessage.reportLastRecord
            case .allRecords: RecordAccessMessage.reportAllRecords
            }
        return .request(.write(message.octets, to: Self.control, isOptional: isOptional))
    }

    /// Counts a record; returns what to do before it is used.
    ///
    /// The number of the record before it is reported, for the next link if this one is lost: a record counts once the
    /// next one has arrived in order, because some meters send the newest first.
    ///
    /// - Parameter sequence: Its number; `nil` for records without numbers.
    mutating func received(sequence: Int? = nil) -> [DriverAction] {
        count += 1
        if count > Self.limit, !isAborted {
            isAborted = true
            return [.request(.write(RecordAccessMessage.abort.octets, to: Self.control, isOptional: true))]
        }
        guard let sequence, !isAborted else { return [] }
        defer { newest = max(newest ?? sequence, sequence) }
        if request == .lastRecord {
            if sequence < known ?? 0 { countsAnew = true }
            return []
        }
        guard let newest else { return [] }
        if sequence < newest { isInOrder = false }
        return isInOrder && sequence > newest ? [.remember(sequence: newest)] : []
    }

    /// Ends the transfer after the sensor was told to stop; returns nothing for other requests.
    func handled(_ request: DriverRequest) -> [DriverAction] {
        guard isAborted, request.kind == .write(RecordAccessMessage.abort.octets) else { return [] }
        return [.notice("It has stored more than \(Self.limit) records. The rest was left out."), .finish]
    }

    /// Handles a message of the control point; returns nothing for one that ends no request for records.
    mutating func answered(_ message: RecordAccessMessage) -> [DriverAction] {
        guard !isAborted, let result = message.result, result.request == .reportStoredRecords else { return [] }
        switch Self.step(after: Answer(result.code), to: request, countsAnew: countsAnew) {
        case .finish:
            let last = Answer(result.code) == .success ? newest : nil
            return last.map { [.remember(sequence: $0), .finish] } ?? [.finish]
        case .request(let other):
            request = other
            return [ask()]
        case .again:
            repetitions += 1
            return [repetitions <= Self.mostRepetitions ? .setTimer(Self.pause) : .finish]
        case .refuse: return [.refuse("It refuses to hand over its records (\(result.code.name)).")]
        }
    }
}

extension RecordTransfer.Answer {
    init(_ code: RecordAccessResponseCode) {
        switch code {
        case .success: self = .success
        case .noRecordsFound: self = .noRecords
        case .serverBusy, .procedureNotCompleted, .abortUnsuccessful: self = .busy
        default: self = .unsupported
        }
    }
}
