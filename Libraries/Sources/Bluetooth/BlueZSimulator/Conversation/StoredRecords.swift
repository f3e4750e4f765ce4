import VitalDecoders

/// The stored values of a simulated sensor, and its Record Access Control Point.
///
/// Source: Glucose Service 1.0.1, section 3.4; the same in Continuous Glucose Monitoring and Pulse Oximeter Service.
struct StoredRecords {
    struct Record: Hashable {
        var sequence: Int
        /// When it was measured, in seconds of the scenario.
        var seconds: Double
    }

    let description: RecordsDescription
    private(set) var all: [Record]
    /// The number of records already sent, where there is no control point.
    private var isHandedOver = 0
    /// Whether records are being reported.
    var isReporting = false

    init(_ description: RecordsDescription) {
        self.description = description
        all = (0..<description.count).map { index in
            Record(
                sequence: description.firstSequence + index,
                seconds: -Double(description.count - index) * description.interval)
        }
    }

    mutating func add(at seconds: Double) {
        all.append(Record(sequence: (all.last?.sequence ?? description.firstSequence - 1) + 1, seconds: seconds))
    }

    /// Stores the automatic measurements up to a time.
    mutating func advance(to seconds: Double) {
        guard description.isContinued else { return }
        while let last = all.last, last.seconds + description.interval <= seconds {
            add(at: last.seconds + description.interval)
        }
    }

    /// Returns the records that were not sent yet, and marks them as sent.
    mutating func handOver() -> [Record] {
        defer { isHandedOver = all.count }
        return Array(all.dropFirst(isHandedOver))
    }

    /// The reaction to a request.
    enum Answer: Equatable {
        /// Send records, then report success.
        case report([Record])
        /// Indicate octets at once.
        case indicate([UInt8])
    }

    /// Handles a request to the control point; while records are sent, only an abort is accepted.
    func answer(_ request: [UInt8]) -> Answer {
        let operation = request.first ?? 0
        func code(_ code: UInt8) -> Answer { .indicate([6, 0, operation, code]) }
        switch operation {
        case 3: return code(1)
        case 1, 4:
            if isReporting { return code(10) }
            switch selected(Array(request.dropFirst())) {
            case .failure(let refusal): return code(refusal.code)
            case .success(let records):
                if operation == 4 { return .indicate([5, 0] + OctetChecksum.lowestFirst(UInt16(records.count))) }
                return records.isEmpty ? code(6) : .report(records)
            }
        default: return code(2)
        }
    }

    private struct Refusal: Error { var code: UInt8 }

    /// The records that an operator and its operand select.
    private func selected(_ words: [UInt8]) -> Result<[Record], Refusal> {
        guard let selection = words.first else { return .failure(Refusal(code: 3)) }
        let operand = Array(words.dropFirst())
        func number(_ place: Int) -> Int { Int(operand[place]) | Int(operand[place + 1]) << 8 }
        switch selection {
        case 1: return operand.isEmpty ? .success(all) : .failure(Refusal(code: 5))
        case 5: return .success(Array(all.prefix(1)))
        case 6: return .success(Array(all.suffix(1)))
        case 2, 3, 4:
            // Filter 1 is the sequence number or the time offset; other filters are not supported.
            guard let filter = operand.first else { return .failure(Refusal(code: 5)) }
            guard filter == 1 else { return .failure(Refusal(code: 9)) }
            guard operand.count == (selection == 4 ? 5 : 3) else { return .failure(Refusal(code: 5)) }
            let bounds =
                switch selection {
                case 2: (0, number(1))
                case 3: (number(1), 65_535)
                default: (number(1), number(3))
                }
            guard bounds.0 <= bounds.1 else { return .failure(Refusal(code: 5)) }
            return .success(all.filter { (bounds.0...bounds.1).contains($0.sequence) })
        case 0: return .failure(Refusal(code: 3))
        default: return .failure(Refusal(code: 4))
        }
    }
}
