import Base
import CommandLineInterface
import Engine
import Formats
import Monitoring
import Nights
import Recording
import Vitals
import Waves

/// The exports that are not written reading by reading: a period as signals, nights, and the file of one night.
struct NightExport {
    private let request: ExportCommand.Request
    private let history: StoredHistory
    private let record: RecordChoice.Selection
    /// What is exported.
    private let range: Range<Int64>

    init(_ request: ExportCommand.Request, _ history: StoredHistory, _ record: RecordChoice.Selection) {
        (self.request, self.history, self.record) = (request, history, record)
        range = request.history.range.clamped(to: record.range)
    }

    /// Writes the export.
    ///
    /// - Throws: ``CommandError`` for data that cannot be read or written, or a period with more than a file can have.
    func run() throws(CommandError) -> ExitStatus {
        var output = try FileOutput(request.output, isReplacing: request.isReplacing)
        let isEmpty: Bool
        switch request.format.content {
        case .signals: isEmpty = try !signals(to: &output)
        case .nights: isEmpty = try !nights(to: &output)
        default:
            _ = output.write(try ringFile())
            isEmpty = false
        }
        let status = try output.finish(isReplacing: request.isReplacing)
        if isEmpty, status == .success { complain(ExportCommand.nothing(of: request.format.content)) }
        return status
    }

    /// Runs queries of the store.
    private func query<Value>(_ body: () throws(StoreError) -> Value) throws(CommandError) -> Value {
        do throws(StoreError) { return try body() } catch { throw RecordedStore.failure(error) }
    }

    private func isMeant(_ vitals: [Vital]) -> Bool {
        request.history.vitals.map { !$0.isDisjoint(with: vitals) } ?? true
    }

    // MARK: Signals

    /// Writes a period as EDF+ in two passes; returns whether there is anything.
    private func signals(to output: inout FileOutput) throws(CommandError) -> Bool {
        let survey = try query { () throws(StoreError) -> SignalSurvey in try surveyed() }
        var encoder = SignalEncoder(survey, isSimulated: request.isSimulated) { LocalHour.offset(at: $0) }
        guard encoder.fits else {
            throw CommandError(
                "The period has more than one file of EDF+ can have. Choose a shorter one with --from and --to.",
                status: .usage)
        }
        encoder.begin()
        for hour in encoder.hours {
            encoder.begin(hour: hour)
            try query { () throws(StoreError) -> Void in
                try forEachReading(in: encoder.readings(of: hour).clamped(to: range)) { encoder.write($0) }
                try forEachNight(in: hour) { encoder.write($0) }
                try forEachWave(in: encoder.waves(of: hour).clamped(to: range)) { encoder.write($0) }
            }
            encoder.endHour()
            guard output.write(encoder.bytes) else { break }
            encoder.removeAll()
        }
        _ = output.write(encoder.bytes)
        return !survey.isEmpty
    }

    private func surveyed() throws(StoreError) -> SignalSurvey {
        var survey = SignalSurvey(in: range)
        try forEachReading(in: range) { survey.add($0) }
        try forEachWave(in: range) { survey.add($0) }
        try forEachNight(in: range) { survey.add($0) }
        var entries = try RecordedEntries(history, in: range, kinds: request.history.entries, patient: record.number)
        while let entry = try entries.next() { survey.add(entry) }
        if let path = try? request.store ?? StorePath.current(of: request.patient, isSimulated: request.isSimulated) {
            try AlarmHistory.forEach(in: path, since: range.lowerBound) { survey.add($0) }
        }
        return survey
    }

    private func forEachReading(in range: Range<Int64>, _ body: (RecordedReading) -> Void) throws(StoreError) {
        try history.forEachReading(in: range, of: record.range, vitals: request.history.vitals) { reading in
            body(reading)
            return true
        }
    }

    private func forEachWave(in range: Range<Int64>, _ body: (RecordedWave) -> Void) throws(StoreError) {
        try history.forEachWave(in: range) { wave in
            if isMeant(wave.segment.kind.traits.vitals) { body(wave) }
            return true
        }
    }

    private func forEachNight(in range: Range<Int64>, _ body: (StoredNight) -> Void) throws(StoreError) {
        guard isMeant([.oxygenSaturation, .pulseRate]) else { return }
        try history.forEachNight(in: range) { night in
            body(night)
            return true
        }
    }

    // MARK: Nights

    /// Writes the nights of one oximeter, those that it stored and its readings between them; returns whether there is any.
    private func nights(to output: inout FileOutput) throws(CommandError) -> Bool {
        let (chosen, others) = try query { () throws(StoreError) -> (SensorIdentity?, others: [SensorIdentity]) in
            try oximeters()
        }
        var encoder = RingCSVEncoder { LocalHour.offset(at: $0) }
        encoder.begin()
        if let chosen {
            try query { () throws(StoreError) -> Void in try write(chosen, by: &encoder, to: &output) }
        }
        encoder.end()
        _ = output.write(encoder.bytes)
        if request.isSimulated, chosen != nil {
            complain("The nights are of simulated sensors, which the table cannot say: name the file by it.")
        }
        if let chosen, !others.isEmpty {
            let names = others.map { $0.shortName() }.joined(separator: ", ")
            complain(
                "Only the nights of \(chosen.shortName()) are written; the table has one sensor. Left out: \(names).")
        }
        return chosen != nil
    }

    /// The oximeter with most seconds in the period, and the others.
    private func oximeters() throws(StoreError) -> (SensorIdentity?, others: [SensorIdentity]) {
        var found: [String: (sensor: SensorIdentity, seconds: Int)] = [:]
        try forEachNight(in: range) { night in
            let seconds = (found[night.sensor.address]?.seconds ?? 0) + night.samples.count * night.interval
            found[night.sensor.address] = (night.sensor, seconds)
        }
        try history.forEachReading(in: range, of: record.range, vitals: [.oxygenSaturation]) { recorded in
            let sensor = recorded.reading.sensor
            found[sensor.address] = (sensor, (found[sensor.address]?.seconds ?? 0) + 1)
            return true
        }
        let sorted = found.values.sorted { ($1.seconds, $0.sensor.address) < ($0.seconds, $1.sensor.address) }
        return (sorted.first?.sensor, sorted.dropFirst().map(\.sensor))
    }

    private func write(
        _ sensor: SensorIdentity, by encoder: inout RingCSVEncoder, to output: inout FileOutput
    ) throws(StoreError) {
        var stored: [(name: String, range: Range<Int64>)] = []
        try forEachNight(in: range) { night in
            if night.sensor.address == sensor.address { stored.append((night.name, night.range)) }
        }
        var start = range.lowerBound
        func live(until end: Int64) throws(StoreError) {
            guard start < end else { return }
            try history.forEachReading(
                in: start..<end, of: record.range, vitals: [.oxygenSaturation, .pulseRate]
            ) { recorded in
                if recorded.reading.sensor.address == sensor.address { encoder.write(recorded) }
                guard encoder.bytes.count >= FileOutput.pieceSize else { return true }
                defer { encoder.removeAll() }
                return output.write(encoder.bytes)
            }
        }
        for night in stored {
            try live(until: night.range.lowerBound)
            try forEachNight(in: night.range) { found in
                guard found.sensor.address == sensor.address, found.name == night.name else { return }
                // The rest may be another patient's.
                encoder.write(found.clipped(to: range))
            }
            start = max(start, night.range.upperBound)
        }
        try live(until: range.upperBound)
    }

    // MARK: The file of a night

    /// The file of the only night in the period as the ring stored it.
    private func ringFile() throws(CommandError) -> [UInt8] {
        var nights: [StoredNight] = []
        try query { () throws(StoreError) -> Void in
            try forEachNight(in: range) { if $0.importedFrom == nil { nights.append($0) } }
        }
        guard let night = nights.first else {
            throw CommandError(
                "No night that a ring handed over is in the period. Fetch it from the ring's page, or choose another "
                    + "period with --from and --to.", status: .noInput)
        }
        guard record.range.clamped(to: night.range) == night.range || nights.count > 1 else {
            throw CommandError(
                "The night is in the records of two patients, and its file cannot be divided; --format viatom-csv and edf "
                    + "have this patient's part.", status: .noInput)
        }
        guard nights.count == 1 else {
            let times = nights.prefix(10).map {
                Moment(monotonicNanoseconds: 0, wallMilliseconds: $0.start).localClock.prefix(16)
            }
            throw CommandError(
                "\(nights.count) nights are in the period, and the file is that of one. Choose one with --from and "
                    + "--to; they begin at \(times.joined(separator: ", ")).", status: .usage)
        }
        do {
            let store = try request.store ?? StorePath.current(of: request.patient, isSimulated: request.isSimulated)
            if let octets = try NightFiles(beside: store).read(name: night.name, from: night.sensor.address) {
                return octets
            }
        } catch {
            throw CommandError("The file of the night cannot be read: \(error)", status: .noInput)
        }
        throw CommandError(
            "The file of the night is not beside the store any more; --format viatom-csv and edf have its samples.",
            status: .noInput)
    }
}
