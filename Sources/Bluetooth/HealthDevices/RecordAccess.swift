extension DeviceCharacteristic where Value == RecordAccessMessage {
    /// Asks how many records the device stores.
    ///
    /// - Throws: ``RecordAccessError``.
    public func numberOfRecords() async throws(RecordAccessError) -> Int {
        let answer = try await answer(to: .reportNumberOfRecords)
        if let count = answer.recordCount { return Int(count) }
        try Self.check(answer)
        throw .device(.malformed(GATTDecodingError("Expected a number of records, but \(answer.opcode.name) came.")))
    }

    /// Asks for stored records, and returns them when the device says that it has sent them all.
    ///
    /// - Parameters:
    ///   - request: Which records.
    ///   - measurement: The characteristic that notifies them; it is subscribed to.
    ///   - silence: How long nothing may come before the transfer has failed.
    /// - Returns: The records in the order in which they came, malformed ones too; empty when there are none.
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

    /// Has the device stop sending records; the call that asked for them fails with `aborted`.
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

    /// Refuses an answer that is no success; that there are no records is one.
    private static func check(_ answer: RecordAccessMessage) throws(RecordAccessError) {
        guard let result = answer.result else { return }
        if result.request == .abortOperation { throw .aborted }
        if result.code != .success, result.code != .noRecordsFound { throw .refused(result.code) }
    }
}

extension RecordAccessMessage {
    /// Whether this message of the device ends a request, with its answer or because it was aborted.
    func isAnswer(to request: RecordAccessMessage) -> Bool {
        switch opcode {
        case .numberOfStoredRecordsResponse: request.opcode == .reportNumberOfStoredRecords
        case .combinedReportResponse: request.opcode == .combinedReport
        case .responseCode: result.map { $0.request == request.opcode || $0.request == .abortOperation } ?? false
        default: false
        }
    }
}

/// Why stored records could not be had.
public enum RecordAccessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The device could not be used, or did not answer.
    case device(DeviceError)
    /// The device refused the request.
    case refused(RecordAccessResponseCode)
    /// The transfer was aborted.
    case aborted

    /// What happened, a sentence.
    public var description: String {
        switch self {
        case .device(let error): error.description
        case .refused(let code): "The device refused the request for stored records: \(code.name)."
        case .aborted: "The transfer of stored records was aborted."
        }
    }
}
