import JSON
import Monitoring
import Vitals
import Waves

/// Writes recorded readings as a Bundle of Observations and Devices, HL7 FHIR R4, without line breaks.
///
/// Source: <https://hl7.org/fhir/R4/observation-vitalsigns.html>. The constant parts of a source are encoded once.
struct FHIREncoder: ReadingEncoder {
    private(set) var bytes: [UInt8] = []
    private let sources: [RecordedSource]
    private let isEmpty: Bool
    let isSimulated: Bool
    let patient: String?
    let keys: EntryKeys
    /// Whether a server is to create the resources, which then have identifiers to recognise them by.
    let isTransaction: Bool
    var time = TimestampText()
    /// The text from the profile to the subject, by the index of the vital.
    private var beginnings: [[UInt8]] = []
    private var devices: [Int64: [UInt8]] = [:]
    private var absences: [AbsenceReason: [UInt8]] = [:]
    private var isFirst = true
    /// The samples of each wave that wait for more.
    var pieces: [WaveStream: SampledPiece] = [:]

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - sources: All sources that will occur.
    ///   - isEmpty: Whether nothing will be written; by default whether there is no source.
    ///   - keys: Those of the entries that others correct.
    ///   - isSimulated: Whether the data are simulated.
    ///   - patient: The reference of the patient.
    ///   - isTransaction: Whether a server is to create the resources.
    init(
        sources: [RecordedSource], isEmpty: Bool? = nil, keys: EntryKeys = EntryKeys(), isSimulated: Bool,
        patient: String?, isTransaction: Bool = false
    ) {
        self.keys = keys
        self.isTransaction = isTransaction
        self.sources = sources
        self.isEmpty = isEmpty ?? sources.isEmpty
        self.patient = patient
        self.isSimulated = isSimulated
        beginnings = Vital.allCases.map { Self.beginning(of: $0, isSimulated: isSimulated, patient: patient) }
        for reason in AbsenceReason.allCases { absences[reason] = Self.absence(reason) }
    }

    mutating func begin() {
        var json = JSONWriter()
        json.beginObject()
        json.member("resourceType", "Bundle")
        if isSimulated { json.simulatedMeta(profile: nil) }
        json.member("type", "collection")
        // An empty list is not allowed.
        if isEmpty {
            json.endObject()
            isFirst = false
        } else {
            json.key("entry")
            json.beginArray()
        }
        bytes += json.bytes
        var addresses: Set<String> = []
        for source in sources {
            let identifier = FHIRIdentifier.text(of: source.sensor)
            for number in source.sensorNumbers { devices[number] = Array(identifier.utf8) }
            if addresses.insert(source.sensor.address).inserted {
                separate()
                bytes += device(source.sensor)
            }
        }
    }

    mutating func write(_ recorded: RecordedReading) {
        let reading = recorded.reading
        // Those of a transaction are not known before.
        let added = isTransaction ? Array(FHIRIdentifier.text(of: reading.sensor).utf8) : nil
        guard let device = devices[recorded.sensorNumber] ?? added,
            let place = Vital.allCases.firstIndex(of: reading.vital)
        else { return }
        separate()
        let identity = FHIRIdentifier.mixed([
            reading.moment.wallMilliseconds, recorded.number, recorded.run, reading.moment.monotonicNanoseconds,
        ])
        bytes += "{\"fullUrl\":\"urn:uuid:".utf8
        FHIRIdentifier.append(identity, to: &bytes)
        bytes += beginnings[place]
        if isTransaction {
            bytes += ",\"identifier\":[{\"system\":\"\(FHIRText.identifierSystem)\",\"value\":\"urn:uuid:".utf8
            FHIRIdentifier.append(identity, to: &bytes)
            bytes += "\"}]".utf8
        }
        write(effective: reading)
        switch reading.outcome {
        case .measured(let value, let quality):
            bytes += "\"valueQuantity\":{\"value\":".utf8
            CSVField.append(value, to: &bytes)
            bytes += reading.vital.quantityEnd.utf8
            if let note = reading.calibration?.note ?? quality.note {
                bytes += ",\"note\":[{\"text\":\"\(note)\"}]".utf8
            }
        case .noMeasurement(let reason):
            bytes += absences[reason] ?? []
        }
        if let site = reading.site { bytes += ",\"bodySite\":{\"text\":\"\(site.text)\"}".utf8 }
        bytes += ",\"device\":{\"reference\":\"urn:uuid:".utf8
        bytes += device
        bytes += "\"}}".utf8
        if isTransaction {
            var json = JSONWriter()
            json.request("Observation", FHIRText.identifierSystem, "urn:uuid:\(FHIRIdentifier.text(identity))")
            bytes.append(UInt8(ascii: ","))
            bytes += json.bytes
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes the effective time of a reading, after the beginning of an Observation.
    private mutating func write(effective reading: Reading) {
        guard let late = reading.late else {
            bytes += ",\"effectiveDateTime\":\"".utf8
            time.append(reading.moment.wallMilliseconds, to: &bytes)
            bytes += "\",".utf8
            return
        }
        if late.from == late.to {
            bytes += ",\"effectiveDateTime\":\"".utf8
            time.append(late.from.wallMilliseconds, to: &bytes)
            bytes += "\"".utf8
        } else {
            bytes += ",\"effectivePeriod\":{\"start\":\"".utf8
            time.append(late.from.wallMilliseconds, to: &bytes)
            bytes += "\",\"end\":\"".utf8
            time.append(late.to.wallMilliseconds, to: &bytes)
            bytes += "\"}".utf8
        }
        bytes += ",\"issued\":\"".utf8
        time.append(reading.moment.wallMilliseconds, to: &bytes)
        bytes += "\",".utf8
    }

    mutating func write(_ recorded: RecordedEntry) {
        for resource in resources(of: recorded) {
            separate()
            bytes += resource
        }
    }

    mutating func end() {
        finishWaves()
        if !isEmpty { bytes += "]}".utf8 }
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends what an extension has made.
    mutating func append(_ made: [UInt8]) { bytes += made }

    mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        // Line breaks, for users and line-based tools.
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The entry of the Bundle for a sensor.
    func device(_ sensor: SensorIdentity) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("fullUrl", "urn:uuid:\(FHIRIdentifier.text(of: sensor))")
        json.key("resource")
        json.beginObject()
        json.member("resourceType", "Device")
        if isSimulated { json.simulatedMeta(profile: nil) }
        let (system, address) = ("http://hl7.org/fhir/sid/eui-48/bluetooth", sensor.address.replacingColons)
        json.list("identifier") { json in
            json.member("system", system)
            json.member("value", address)
        }
        if !sensor.name.isEmpty {
            json.list("deviceName") { json in
                json.member("name", sensor.name)
                json.member("type", "user-friendly-name")
            }
        }
        json.key("type")
        json.beginObject()
        if let code = sensor.kind.nomenclatureCode {
            json.list("coding") { json in
                json.member("system", "urn:iso:std:iso:11073:10101")
                json.member("code", code)
            }
        }
        json.member("text", sensor.kind.rawValue)
        json.endObject()
        json.endObject()
        if isTransaction { json.request("Device", system, address) }
        json.endObject()
        return json.bytes
    }

    /// The text between an Observation's identifier and its effective time.
    private static func beginning(of vital: Vital, isSimulated: Bool, patient: String?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("resourceType", "Observation")
        if isSimulated {
            json.simulatedMeta(profile: vital.traits.profile)
        } else {
            json.key("meta")
            json.beginObject()
            json.profile(vital.traits.profile)
            json.endObject()
        }
        json.member("status", "final")
        json.category("vital-signs", "Vital Signs")
        json.key("code")
        json.beginObject()
        json.codings(vital.codings)
        json.endObject()
        json.key("subject")
        json.beginObject()
        if let patient { json.member("reference", patient) } else { json.member("display", "Unassigned bed") }
        json.endObject()
        return Array("\",\"resource\":".utf8) + json.bytes
    }

    private static func absence(_ reason: AbsenceReason) -> [UInt8] {
        var json = JSONWriter()
        json.absence(reason)
        return json.bytes
    }
}

extension JSONWriter {
    /// Writes a member that is a text.
    package mutating func member(_ key: String, _ text: String) {
        self.key(key)
        string(text)
    }

    /// Writes the reason for a missing value.
    mutating func absence(_ reason: AbsenceReason) {
        key("dataAbsentReason")
        beginObject()
        list("coding") { json in
            json.member("system", "http://terminology.hl7.org/CodeSystem/data-absent-reason")
            json.member("code", reason.absentCode)
        }
        member("text", reason.rawValue.split(separator: "_").joined(separator: " "))
        endObject()
    }

    /// Writes a list of one object.
    mutating func list(_ key: String, _ members: (inout JSONWriter) -> Void) {
        self.key(key)
        beginArray()
        beginObject()
        members(&self)
        endObject()
        endArray()
    }

    mutating func profile(_ profile: String) {
        key("profile")
        beginArray()
        string("http://hl7.org/fhir/StructureDefinition/\(profile)")
        endArray()
    }

    /// Writes what a server does with an entry of a transaction: create the resource unless one has this identifier, or
    /// replace that.
    ///
    /// Source: <https://hl7.org/fhir/R4/http.html#ccreate>.
    mutating func request(_ type: String, _ system: String, _ value: String, isReplacing: Bool = false) {
        let condition = "identifier=\(system)|\(value)"
        key("request")
        beginObject()
        member("method", isReplacing ? "PUT" : "POST")
        member("url", isReplacing ? "\(type)?\(condition)" : type)
        if !isReplacing { member("ifNoneExist", condition) }
        endObject()
    }

    /// Marks data as simulated.
    mutating func simulatedMeta(profile: String?) {
        key("meta")
        beginObject()
        if let profile { self.profile(profile) }
        list("tag") { json in
            json.member("system", "http://terminology.hl7.org/CodeSystem/v3-ActReason")
            json.member("code", "HTEST")
            json.member("display", "test health data")
        }
        endObject()
    }
}

extension String {
    /// An address in the form of HL7's system `eui-48`: `C0-52-49-00-00-01`.
    fileprivate var replacingColons: String {
        String(decoding: utf8.map { $0 == UInt8(ascii: ":") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }
}

extension Reading.Quality {
    /// The note on a questionable value; `nil` for a good one.
    var note: String? {
        switch self {
        case .good: nil
        case .questionable: "The sensor doubts this value."
        case .malfunction: "The sensor doubts this value: it reports a malfunction of its own."
        case .calibrationWanted: "The sensor doubts this value: it wants to be calibrated."
        case .rawEstimate: "A raw estimate, which nobody has calibrated."
        case .calibrated: "An estimate from raw counts, calibrated with a value of a meter."
        }
    }
}

extension AppliedCalibration {
    /// The note on a value that was calibrated.
    var note: String {
        "An estimate from raw counts, calibrated with \(glucose.text(of: .glucose)) mg/dL of "
            + "\(timestamp(ofWallMilliseconds: wallMilliseconds))."
    }
}
