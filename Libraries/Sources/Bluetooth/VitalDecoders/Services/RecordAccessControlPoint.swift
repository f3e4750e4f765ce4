extension Specification {
    /// The GATT Specification Supplement, which specifies this for all services with stored records.
    public static let recordAccess = Specification.gattSupplement
}

extension CharacteristicType {
    /// Record Access Control Point (2A52, written and indicated) of oximeters, glucose meters and monitors.
    public static let recordAccessControlPoint = CharacteristicType(
        BluetoothUUID(0x2A52), "Record Access Control Point", .recordAccess, RecordAccessMessage.self)
}

/// A message on the Record Access Control Point (2A52), to the sensor or from it.
///
/// Only one request may be open at a time; a client gives up after 30 seconds of silence. Source: GATT Specification
/// Supplement, Record Access Control Point.
public struct RecordAccessMessage: CharacteristicValue {
    /// The request or answer.
    public var opcode: RecordAccessOpcode
    /// The selection of records.
    public var recordOperator: RecordAccessOperator
    /// The parameters of operator and opcode: a filter and its values, or an answer.
    public var operand: [UInt8]

    public init(opcode: RecordAccessOpcode, recordOperator: RecordAccessOperator = .null, operand: [UInt8] = []) {
        self.opcode = opcode
        self.recordOperator = recordOperator
        self.operand = operand
    }

    /// Requests all records.
    public static let reportAllRecords = Self(opcode: .reportStoredRecords, recordOperator: .allRecords)
    /// Requests the newest record.
    public static let reportLastRecord = Self(opcode: .reportStoredRecords, recordOperator: .lastRecord)
    /// Requests the number of records.
    public static let reportNumberOfRecords = Self(opcode: .reportNumberOfStoredRecords, recordOperator: .allRecords)
    /// Aborts the sensor's transfer.
    public static let abort = Self(opcode: .abortOperation)

    /// Requests the records from a number on: the sequence number of glucose meters, the minute of the session of
    /// continuous monitors.
    public static func reportRecords(from number: UInt16) -> Self {
        Self(
            opcode: .reportStoredRecords, recordOperator: .greaterThanOrEqualTo,
            operand: [1, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
    }

    /// Answers with the number of records.
    public static func numberOfRecords(_ number: UInt16) -> Self {
        Self(
            opcode: .numberOfStoredRecordsResponse,
            operand: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
    }

    /// Answers with the result of a request.
    public static func response(to request: RecordAccessOpcode, _ code: RecordAccessResponseCode) -> Self {
        Self(opcode: .responseCode, operand: [request.rawValue, code.rawValue])
    }

    /// The number of records, in an answer that contains it.
    public var recordCount: UInt16? {
        let isCount = opcode == .numberOfStoredRecordsResponse || opcode == .combinedReportResponse
        guard isCount, operand.count >= 2 else { return nil }
        return UInt16(operand[0]) | UInt16(operand[1]) << 8
    }

    /// The result of a request, in a response.
    public var result: (request: RecordAccessOpcode, code: RecordAccessResponseCode)? {
        guard opcode == .responseCode, operand.count >= 2 else { return nil }
        return (RecordAccessOpcode(rawValue: operand[0]), RecordAccessResponseCode(rawValue: operand[1]))
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let opcode: RecordAccessOpcode = try reader.assigned("opcode")
        self.opcode = opcode
        recordOperator = try reader.assigned("operator")
        let start = reader.offset
        operand = reader.rest("operand")
        let isAnswer =
            opcode == .numberOfStoredRecordsResponse || opcode == .combinedReportResponse || opcode == .responseCode
        guard !isAnswer || operand.count >= 2 else {
            throw MalformedValueError(
                offset: start, reason: "the opcode announces an operand, \(operand.count) of 2 octets present")
        }
        let shown = self
        if let count = shown.recordCount {
            reader.explain("\(count) records")
        } else if let result = shown.result {
            reader.explain("\(result.request.name): \(result.code.name)")
        } else if let filter = shown.filterText {
            reader.explain(filter)
        }
    }

    /// Which records a filter on a number selects, in words.
    private var filterText: String? {
        func number(at place: Int) -> UInt16 { UInt16(operand[place]) | UInt16(operand[place + 1]) << 8 }
        let subject = "sequence number or time offset"
        guard operand.first == 1 else { return nil }
        switch (recordOperator, operand.count) {
        case (.lessThanOrEqualTo, 3): return "\(subject) up to \(number(at: 1))"
        case (.greaterThanOrEqualTo, 3): return "\(subject) from \(number(at: 1))"
        case (.withinRange, 5): return "\(subject) from \(number(at: 1)) to \(number(at: 3))"
        default: return nil
        }
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(opcode.rawValue)
        writer.uint8(recordOperator.rawValue)
        writer.append(contentsOf: operand)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("opcode", FieldValue(opcode.rawValue)),
            Field("opcode_name", .text(opcode.name)),
            Field("operator", FieldValue(recordOperator.rawValue)),
            Field("operator_name", .text(recordOperator.name)),
            Field("operand", .list(operand.map { FieldValue($0) })),
            Field("number_of_records", FieldValue(recordCount)),
            Field("request_opcode", FieldValue(result?.request.rawValue)),
            Field("response_code", FieldValue(result?.code.rawValue)),
            Field("response_code_name", FieldValue(result?.code.name)),
        ]
    }
}

/// The kind of a message on the Record Access Control Point.
public struct RecordAccessOpcode: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Requests records.
    public static let reportStoredRecords = Self(rawValue: 1)
    /// Deletes records.
    public static let deleteStoredRecords = Self(rawValue: 2)
    /// Aborts the sensor's operation.
    public static let abortOperation = Self(rawValue: 3)
    /// Requests the number of records.
    public static let reportNumberOfStoredRecords = Self(rawValue: 4)
    /// Answers with the number of records.
    public static let numberOfStoredRecordsResponse = Self(rawValue: 5)
    /// Answers with the result of a request.
    public static let responseCode = Self(rawValue: 6)
    /// Requests records and their number.
    public static let combinedReport = Self(rawValue: 7)
    /// Answers with the number of records sent.
    public static let combinedReportResponse = Self(rawValue: 8)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: RecordAccessOpcode, name: String)] = [
        (reportStoredRecords, "report_stored_records"), (deleteStoredRecords, "delete_stored_records"),
        (abortOperation, "abort_operation"), (reportNumberOfStoredRecords, "report_number_of_stored_records"),
        (numberOfStoredRecordsResponse, "number_of_stored_records_response"), (responseCode, "response_code"),
        (combinedReport, "combined_report"), (combinedReportResponse, "combined_report_response"),
    ]
}

/// The selection of records in a message on the Record Access Control Point.
public struct RecordAccessOperator: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No selection; in answers and in abort.
    public static let null = Self(rawValue: 0)
    /// All records.
    public static let allRecords = Self(rawValue: 1)
    /// Records up to the operand.
    public static let lessThanOrEqualTo = Self(rawValue: 2)
    /// Records from the operand on.
    public static let greaterThanOrEqualTo = Self(rawValue: 3)
    /// Records between two operands.
    public static let withinRange = Self(rawValue: 4)
    /// The oldest record.
    public static let firstRecord = Self(rawValue: 5)
    /// The newest record.
    public static let lastRecord = Self(rawValue: 6)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: RecordAccessOperator, name: String)] = [
        (null, "null"), (allRecords, "all_records"), (lessThanOrEqualTo, "less_than_or_equal_to"),
        (greaterThanOrEqualTo, "greater_than_or_equal_to"), (withinRange, "within_range_of"),
        (firstRecord, "first_record"), (lastRecord, "last_record"),
    ]
}

/// The result of a request on the Record Access Control Point.
public struct RecordAccessResponseCode: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Success.
    public static let success = Self(rawValue: 1)
    /// There are no such records.
    public static let noRecordsFound = Self(rawValue: 6)
    /// There was nothing to abort, or it could not be aborted.
    public static let abortUnsuccessful = Self(rawValue: 7)
    /// The request could not be completed.
    public static let procedureNotCompleted = Self(rawValue: 8)
    /// The sensor is busy.
    public static let serverBusy = Self(rawValue: 10)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: RecordAccessResponseCode, name: String)] = [
        (success, "success"), (.init(rawValue: 2), "opcode_not_supported"), (.init(rawValue: 3), "invalid_operator"),
        (.init(rawValue: 4), "operator_not_supported"), (.init(rawValue: 5), "invalid_operand"),
        (noRecordsFound, "no_records_found"), (.init(rawValue: 7), "abort_unsuccessful"),
        (.init(rawValue: 8), "procedure_not_completed"), (.init(rawValue: 9), "operand_not_supported"),
        (.init(rawValue: 10), "server_busy"),
    ]
}
