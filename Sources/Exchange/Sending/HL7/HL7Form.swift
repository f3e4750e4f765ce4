import Base
import Formats
import HTTP
import Monitoring
import Vitals

/// An interface engine that speaks HL7 Version 2.6 over MLLP.
///
/// Source: IHE Devices Technical Framework, transactions PCD-01 (observations) and PCD-04 (alarms). A message is about one
/// sensor and one minute, one entry, or one change of an alarm. Where there is no measurement there is no observation.
public struct HL7Form: SendingForm {
    /// What a server gets.
    public enum Content: Hashable, Sendable {
        /// Readings, and entries that are measurements (PCD-01).
        case observations
        /// Changes of alarms (PCD-04).
        case alarms
    }

    public let address: String
    private let content: Content
    private let patient: String
    private let location: String
    private let isSimulated: Bool

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - address: Where the engine listens.
    ///   - content: What is sent there.
    ///   - patient: The patient's identifier (PID-3), such as `123^^^HOSPITAL^MR`; empty for an unassigned bed.
    ///   - location: The patient's location (PV1-3), such as `ICU^2^12`; may be empty.
    ///   - isSimulated: Whether the data are simulated, which makes messages those of a demonstration (`D`).
    public init(
        _ address: MLLPAddress, _ content: Content, patient: String, location: String, isSimulated: Bool
    ) {
        (self.address, self.content) = (address.description, content)
        (self.patient, self.location, self.isSimulated) = (patient, location, isSimulated)
    }

    public var target: String { "hl7 \(content) \(address) \(patient.isEmpty ? "-" : patient)" }

    public var isOfOnePatient: Bool { !patient.isEmpty }

    /// An acknowledgement is about one message.
    public var documentLimit: Int { 1 }

    public func request(with documents: ArraySlice<SendingDocument>, secret: String?) -> SendingRequest {
        .message(documents.flatMap { $0.parts.flatMap(\.self) })
    }

    public func verdict(
        onAnswer answer: SendingAnswer, to documents: ArraySlice<SendingDocument>
    ) -> SendingVerdict {
        guard case .message(let bytes) = answer, let acknowledgement = HL7Acknowledgement(bytes) else {
            return .failed("the answer is no acknowledgement")
        }
        guard acknowledgement.identifier == documents.first?.identifier else {
            return .failed("the answer acknowledges another message")
        }
        return acknowledgement.isAccepted ? .accepted : .refused(acknowledgement.text)
    }

    // MARK: Documents

    public func documents(of items: [SendingItem]) -> [SendingDocument] {
        var documents: [SendingDocument] = []
        var groups: [Group] = []
        var readings: [Group: [RecordedReading]] = [:]
        for item in items {
            switch (item, content) {
            case (.alarm(let entry, let number), .alarms):
                if case .change(let change) = entry.content {
                    documents.append(alarm(entry, change, number: number, title: item.logTitle))
                }
            case (.entry(let recorded), .observations):
                if let document = observations(of: recorded, title: item.logTitle) { documents.append(document) }
            case (.reading(let recorded), .observations):
                guard recorded.reading.measuredValue != nil else { continue }
                let group = Group(recorded, minute: item.wallMilliseconds / 60_000)
                if readings[group] == nil { groups.append(group) }
                readings[group, default: []].append(recorded)
            default: continue
            }
        }
        return documents + groups.map { observations(of: $0, readings[$0] ?? []) }
    }

    /// The readings of a message.
    private struct Group: Hashable {
        var minute: Int64
        var run: Int64
        var sensor: SensorIdentity
        /// The minute in which they came.
        var arrival: Int64

        init(_ recorded: RecordedReading, minute: Int64) {
            (self.minute, run, sensor) = (minute, recorded.run, recorded.reading.sensor)
            arrival = recorded.reading.moment.wallMilliseconds / 60_000
        }

        /// The identifier of the message with some of them.
        func identifier(of first: RecordedReading?) -> String {
            // A minute that was too large for a batch has several messages.
            let moment = first?.reading.moment.wallMilliseconds ?? 0
            return FHIRIdentifier.text(
                FHIRIdentifier.mixed(
                    [minute, arrival, run, moment, first?.number ?? 0] + sensor.address.utf8.map(Int64.init)))
        }
    }

    private func observations(of group: Group, _ readings: [RecordedReading]) -> SendingDocument {
        let (start, end) = (group.minute * 60_000, group.minute * 60_000 + 60_000)
        let identifier = group.identifier(of: readings.first)
        var message = begin("ORU^R01^ORU_R01", Self.observationProfile, identifier, at: end)
        message.append("OBR", order(identifier, Self.monitoring, from: start, to: end))
        var rows = Rows()
        message.append("OBX", rows.device(group.sensor))
        for recorded in readings {
            guard let (value, quality) = recorded.reading.measuredValue else { continue }
            let vital = recorded.reading.vital
            message.append(
                "OBX",
                rows.value(
                    vital.messageCode, value, vital.messageUnit, status: "R",
                    flags: quality == .questionable ? "QUES" : ""))
        }
        return SendingDocument(
            parts: [message.bytes],
            title: "readings of \(timestamp(ofWallMilliseconds: start))", identifier: identifier)
    }

    /// An entry that is a measurement with codes; `nil` for any other one, and for one whose time is unknown.
    private func observations(of recorded: RecordedEntry, title: String) -> SendingDocument? {
        let entry = recorded.entry
        let values = Self.values(of: entry.content)
        guard !values.isEmpty, entry.facts.isTimeKnown, entry.facts.quality != .malfunction else { return nil }
        let time = entry.taken.wallMilliseconds
        // Messages of one entry differ, because an engine leaves out what it has seen.
        let identifier = recorded.key + (entry.isRetracted ? "-D" : entry.isUnconfirmed ? "-P" : "")
        var message = begin(
            "ORU^R01^ORU_R01", Self.observationProfile, identifier,
            at: (entry.retractedAt ?? entry.confirmedAt ?? entry.enteredAt).wallMilliseconds)
        message.append("OBR", order(identifier, Self.monitoring, from: time, to: time))
        var rows = Rows()
        message.append("OBX", rows.device(entry.sensor))
        // D deletes what was sent before; what a user has typed or confirmed is validated.
        let isValidated = entry.source == .typed || entry.confirmedAt != nil
        let status =
            entry.isRetracted
            ? "D" : entry.isUnconfirmed ? "P" : entry.correction != nil ? "C" : isValidated ? "F" : "R"
        for (code, value, unit) in values {
            message.append("OBX", rows.value(code, value, unit, status: status, at: time))
        }
        return SendingDocument(parts: [message.bytes], title: title, identifier: identifier)
    }

    private static func values(of content: RecordEntry.Content) -> [(HL7Code, VitalValue, HL7Code)] {
        switch content {
        case .vital(.glucose, let value, _): [(.fingerPrick, value, Vital.glucose.messageUnit)]
        case .vital(let vital, let value, _): [(vital.messageCode, value, vital.messageUnit)]
        case .bloodPressure(let pressure):
            [
                (.systolic, VitalValue(whole: pressure.systolic), .mercury),
                (.diastolic, VitalValue(whole: pressure.diastolic), .mercury),
            ] + (pressure.mean.map { [(.mean, VitalValue(whole: $0), .mercury)] } ?? [])
        case .weight(let weight):
            [(HL7Code("188736", "MDC_MASS_BODY_ACTUAL"), weight, HL7Code("263875", "MDC_DIM_KILO_G"))]
        default: []
        }
    }

    private func alarm(
        _ entry: AlarmLogEntry, _ change: AlarmLogEntry.Change, number: Int64, title: String
    ) -> SendingDocument {
        let own = FHIRIdentifier.text(of: entry, number: number)
        let episode = FHIRIdentifier.text(ofEpisode: change, run: entry.run)
        let codes = AlarmEventCodes(change)
        let isFirst = codes.phase == "start"
        let time = entry.moment.wallMilliseconds
        var message = begin("ORU^R40^ORU_R40", Self.alarmProfile, own, at: time)
        var fields = order(isFirst ? episode : own, HL7Message.code(.alarm), from: time, to: nil)
        // The episode's first message.
        if !isFirst { fields += Array(repeating: "", count: 28 - fields.count) + ["^\(episode)&\(Self.program)"] }
        message.append("OBR", fields)
        var rows = Rows()
        message.append("OBX", rows.device(change.sensor ?? .manual))
        let isLow = change.kind?.isWorseWhenLower == true
        let event = change.limit == nil ? HL7Code.alarm : isLow ? .low : .high
        let subject = change.vital?.messageCode ?? .alarmSource
        message.append(
            "OBX",
            rows.attribute(
                event, of: subject, 1, change.text, flags: "\(codes.priority)~\(codes.type)"))
        if let vital = change.vital, let value = change.value {
            let limit = change.limit.map { isLow ? "\(Self.decimal($0))-" : "-\(Self.decimal($0))" } ?? ""
            message.append(
                "OBX",
                rows.value(
                    vital.messageCode, value, vital.messageUnit, status: "R", range: limit, place: "\(subject.number).2"
                ))
        } else {
            message.append("OBX", rows.attribute(.alarmSource, of: subject, 2, change.sensor?.name ?? change.title))
        }
        for (place, attribute) in codes.attributes.enumerated() {
            message.append(
                "OBX", rows.attribute(HL7Code(attribute.code, attribute.name), of: subject, place + 3, attribute.value))
        }
        return SendingDocument(parts: [message.bytes], title: title, identifier: own)
    }

    // MARK: Segments

    private static let program = "BEDSIDE"
    private static let monitoring = "182777000^monitoring of patient^SCT"
    private static let observationProfile = "IHE_PCD_001^IHE PCD^1.3.6.1.4.1.19376.1.6.1.1.1^ISO"
    private static let alarmProfile = "IHE_PCD_ACM_001^IHE PCD^1.3.6.1.4.1.19376.1.6.1.4.1^ISO"

    /// Begins a message: its header, and to whom it belongs.
    private func begin(_ type: String, _ profile: String, _ identifier: String, at time: Int64) -> HL7Message {
        var message = HL7Message()
        message.append(
            "MSH",
            [
                Self.program, "", "", "", HL7Message.time(time), "", type, identifier, isSimulated ? "D" : "P", "2.6",
                "",
                "", "AL", "NE", "", "UNICODE UTF-8", "", "", profile,
            ])
        // A name of unspecified type stands for none.
        message.append("PID", ["", "", patient, "", "^^^^^^U"])
        message.append("PV1", ["", "U", location])
        return message
    }

    private func order(_ identifier: String, _ service: String, from start: Int64, to end: Int64?) -> [String] {
        let number = "\(identifier)^\(Self.program)"
        return ["1", number, number, service, "", "", HL7Message.time(start), end.map(HL7Message.time) ?? ""]
    }

    /// A value without trailing zeros.
    fileprivate static func decimal(_ value: VitalValue) -> String {
        ExactDecimal(significand: value.hundredths, decimals: 2).shortened(toDecimals: 0).text
    }

    /// The segments of observations, which are numbered.
    private struct Rows {
        private var count = 0

        private mutating func next() -> String {
            count += 1
            return "\(count)"
        }

        /// The sensor; nothing is at its places but what it measures.
        mutating func device(_ sensor: SensorIdentity) -> [String] {
            let identifier = FHIRIdentifier.text(of: sensor)
            return [next(), "", HL7Message.code(.monitor), "1.0.0.0", "", "", "", "", "", "", "X"]
                + Array(repeating: "", count: 6)
                + ["\(HL7Message.text(sensor.name))^^\(identifier)^UUID"]
        }

        mutating func value(
            _ code: HL7Code, _ value: VitalValue, _ unit: HL7Code, status: String, flags: String = "",
            range: String = "", place: String? = nil, at time: Int64? = nil
        ) -> [String] {
            [
                next(), "NM", HL7Message.code(code), "1.0.0.\(place ?? code.number)", HL7Form.decimal(value),
                HL7Message.code(unit), range, flags, "", "", status, "", "", time.map(HL7Message.time) ?? "",
            ]
        }

        mutating func attribute(
            _ code: HL7Code, of subject: HL7Code, _ place: Int, _ text: String, flags: String = ""
        ) -> [String] {
            [
                next(), "ST", HL7Message.code(code), "1.0.0.\(subject.number).\(place)", HL7Message.text(text), "", "",
                flags, "", "", "R",
            ]
        }
    }
}

extension Reading {
    /// The value with its quality, if it is a measurement that others may act on.
    fileprivate var measuredValue: (VitalValue, Quality)? {
        guard case .measured(let value, let quality) = outcome, quality == .good || quality == .questionable else {
            return nil
        }
        return (value, quality)
    }
}
