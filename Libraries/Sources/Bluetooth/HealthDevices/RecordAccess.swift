extension DeviceCharacteristic where Value == RecordAccessMessage {
    /// Requests the number of stored records.
    ///
    /// - Throws: ``RecordAccessError``.
    public func numberOfRecords() async throws(RecordAccessError) -> Int {
        let answer = try await answer(to: .reportNumberOfRecords)
        if let count = answer.recordCount { return Int(count) }
        try Self.check(answer)
        throw .device(.malformed(GATTDecodingError("Expected a number of records, but \(answer.opcode.name) came.")))
    }

    /// Requests stored records, and returns them when the device reports the end of the transfer.
    ///
    /// - Parameters:
    ///   - request: Which records.
    ///   - measurement: The characteristic that notifies them; it is subscribed to.
    ///   - silence: The longest time without a record before the transfer fails.
    /// - Returns: The records in the order of their arrival, malformed ones too; empty when there are none.
    /// - Throws: ``RecordAccessError``.
    public func records<Record: GATTDecodable>(
        _ request: RecordAccessMessage = .reportAllRecords, from measurement: DeviceCharacteristic<Record>,
        silence: Duration = .seconds(30)
    ) async throws(RecordAccessError) -> [DeviceReading<Record>] {
        let result: (answer: RecordAccessMessage, records: [DeviceReading<Record>])
        do throws(DeviceError) {
            result = try await self.request(
                request, answeredBy: RecordAccessMessage.self, collecting: measurement, silence: silence
            ) { $0.isAnswer(to: request) }
        } catch {
            throw .device(error)
        }
        try Self.check(result.answer)
        return result.records
    }

    /// Makes the device stop sending records; the pending request fails with `aborted`.
    ///
    /// - Throws: ``RecordAccessError``.
    public func abort() async throws(RecordAccessError) {
        do throws(DeviceError) {
            try await write(.abort)
        } catch {
            throw .device(error)
        }
    }

    private func answer(to request: RecordAccessMessage) async throws(RecordAccessError) -> RecordAccessMessage {
        do throws(DeviceError) {
            return try await self.request(request, answeredBy: RecordAccessMessage.self) { $0.isAnswer(to: request) }
        } catch {
            throw .device(error)
        }
    }

    /// Throws for an answer that is no success; "no records found" counts as success.
    private static func check(_ answer: RecordAccessMessage) throws(RecordAccessError) {
        guard let result = answer.result else { return }
        if result.request == .abortOperation { throw .aborted }
        if result.code != .success, result.code != .noRecordsFound { throw .refused(result.code) }
    }
}

extension RecordAccessMessage {
    /// Whether this message ends a request, with its answer or because it was aborted.
    func isAnswer(to request: RecordAccessMessage) -> Bool {
        switch opcode {
        case .numberOfStoredRecordsResponse: request.opcode == .reportNumberOfStoredRecords
        case .combinedReportResponse: request.opcode == .combinedReport
        case .responseCode: result.map { $0.request == request.opcode || $0.request == .abortOperation } ?? false
        default: false
        }
    }
}

/// Why stored records could not be transferred.
public enum RecordAccessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The device could not be used, or did not answer.
    case device(DeviceError)
    /// The device refused the request.
    case refused(RecordAccessResponseCode)
    /// The transfer was aborted.
    case aborted

    /// What happened, as a sentence.
    public var description: String {
        switch self {
        case .device(let error): error.description
        case .refused(let code): "The device refused the request for stored records: \(code.name)."
        case .aborted: "The transfer of stored records was aborted."
        }
    }
}
