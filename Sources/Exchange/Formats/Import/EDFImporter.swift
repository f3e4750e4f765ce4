import Base
import EDF
import Nights
import VitalDecoders
import Vitals

/// Reads nights of oximeters from EDF and EDF+: signals whose labels name a saturation, each with a pulse rate.
///
/// Values that no body has mean that there is none, as the −1 of ResMed's files and of ours. A signal with more than one
/// sample a second gives the first of each second; one of ours that holds the samples of a night gives these again.
enum EDFImporter {
    static func read(_ bytes: [UInt8], _ context: ImportContext) throws(ImportError) -> ImportedFile {
        let file: EDFFile
        do throws(MalformedValueError) {
            file = try EDFFile(bytes)
        } catch {
            throw ImportError("\(error.reason), at octet \(error.offset); export it again")
        }
        let header = file.header
        let saturations = signals(header, ["spo2", "sao2"])
        guard !saturations.isEmpty else {
            let labels = header.signals.filter { !$0.isAnnotations }.map { sanitized($0.label, limit: 16) }
            throw ImportError(
                "no signal is a saturation (SpO2, SaO2), it has \(labels.isEmpty ? "none" : labels.joined(separator: ", ")); choose the file of the oximeter"
            )
        }
        if header.recording.holds(" simulated"), !context.isSimulated {
            throw ImportError("it is simulated, and no patient's; import it with --simulate, or leave it out")
        }
        let start = try start(header, context)
        let starts = try starts(of: file)
        var pulses = signals(header, pulseNames)
        let movements = signals(header, ["movement", "motion"])
        var imported = ImportedFile()
        for signal in saturations {
            let rest = remainder(header.signals[signal].label, ["spo2", "sao2"])
            // The only ones belong together, whatever else their labels say.
            let pulse =
                saturations.count == 1 && pulses.count == 1
                ? pulses.startIndex
                : pulses.firstIndex { remainder(header.signals[$0].label, pulseNames) == rest }
            let chosen = pulse.map { pulses.remove(at: $0) }
            let movement = rest.hasPrefix("stored") || movements.count == 1 && saturations.count == 1
            let set = SignalSet(
                saturation: signal, pulseRate: chosen, movement: movement ? movements.first : nil, start: start)
            imported.nights += try nights(of: set, file, starts).map {
                ImportedFile.Night(place: "signal \(sanitized(header.signals[signal].label, limit: 16))", night: $0)
            }
        }
        guard !imported.nights.isEmpty else {
            throw ImportError("its saturation has no value; choose the file of another night")
        }
        if let end = imported.nights.map(\.night.end).max(),
            end > context.now.wallMilliseconds.addingSaturated(ImportTime.tolerance + 60_000)
        {
            throw ImportError("its end is yet to come; look at its date")
        }
        return imported
    }

    /// How labels of pulse rates begin, the longest first.
    private static let pulseNames = ["pulse rate", "pulserate", "pulsrate", "pulse", "puls", "pr"]

    /// The signals of an oximeter.
    private struct SignalSet {
        var saturation: Int
        var pulseRate, movement: Int?
        /// When the file begins, in seconds since 1970 (UTC).
        var start: Int64
    }

    private static func signals(_ header: EDFHeader, _ names: [String]) -> [Int] {
        header.signals.indices.filter { index in
            let label = header.signals[index].label.lowercased()
            return header.signals[index].samplesPerRecord > 0
                && names.contains {
                    label == $0 || label.hasPrefix($0) && !(label.dropFirst($0.count).first?.isLetter ?? true)
                }
        }
    }

    /// What a label says beside the quantity.
    private static func remainder(_ label: String, _ names: [String]) -> String {
        let label = label.lowercased()
        let name = names.first { label.hasPrefix($0) } ?? ""
        return trimmed(label.dropFirst(name.count))
    }

    private static func start(_ header: EDFHeader, _ context: ImportContext) throws(ImportError) -> Int64 {
        do throws(RefusedEntry) {
            return wholeSecond(
                try ImportTime.read(header.start.description, now: context.now))
        } catch {
            throw ImportError(String(error.reason.dropLast()))
        }
    }

    /// When each data record begins, in milliseconds after the start of the file.
    private static func starts(of file: EDFFile) throws(ImportError) -> [Int64] {
        var starts: [Int64] = []
        let length = Int64(saturating: file.header.recordDuration * 1000)
        for record in 0..<file.header.recordCount {
            guard let start = file.start(of: record) else {
                throw ImportError("data record \(record + 1) does not say when it begins; export it again")
            }
            // Some programs round the times of data records.
            if let last = starts.last, start.subtractingSaturated(last) < length - 1 {
                throw ImportError("data record \(record + 1) begins before the one before ends; export it again")
            }
            starts.append(start)
        }
        return starts
    }

    private static func nights(
        of set: SignalSet, _ file: EDFFile, _ starts: [Int64]
    ) throws(ImportError) -> [StoredNight] {
        let signal = file.header.signals[set.saturation]
        let length = file.header.recordDuration / Double(signal.samplesPerRecord)
        guard length <= 60 else {
            throw ImportError("its saturation has less than one sample a minute; export it with all of them")
        }
        // A night has a sample in a whole number of seconds.
        let interval = max(1, Int(length.rounded()))
        guard length < 1 || abs(length - Double(interval)) < 0.001 else {
            throw ImportError(
                "its saturation has a sample in \(length) s; export it with one in a whole number of seconds")
        }
        var rows: [ImportedNights.Timed] = []
        let count = max(1, Int((file.header.recordDuration / Double(interval)).rounded()))
        for (record, start) in starts.enumerated() {
            guard rows.count <= ImportedNights.sampleLimit else {
                throw ImportError(
                    "its saturation has more than \(ImportedNights.sampleLimit) samples; divide the file")
            }
            let saturations = Values(file, set.saturation, record)
            let pulses = set.pulseRate.map { Values(file, $0, record) }
            let movements = set.movement.map { Values(file, $0, record) }
            for index in 0..<count {
                let place = Double(index) / Double(count)
                let second = set.start.addingSaturated(
                    Int64(saturating: ((Double(start) / 1000) + Double(index * interval)).rounded(.down)))
                if let last = rows.last, second <= last.second { continue }
                rows.append(
                    ImportedNights.Timed(
                        second: second,
                        sample: NightSample(
                            saturation: saturations.value(at: place, in: 1...100).map { UInt8($0) },
                            pulseRate: pulses?.value(at: place, in: 1...500).map { UInt16($0) },
                            movement: movements?.value(at: place, in: 0...254).map { UInt8($0) })))
            }
        }
        let sensor = ImportedNights.sensor(signal.transducer, remainder(signal.label, ["spo2", "sao2"]))
        let held = signal.prefilter.split(separator: " ")
        guard interval == 1, held.count == 3, held[0] == "held", let step = Int(held[1]), (2...60).contains(step) else {
            return try ImportedNights.nights(rows, of: sensor) { _ in interval }
        }
        return try ImportedNights.nights(unheld(rows, step), of: sensor) { _ in step }
    }

    /// The first of each so many seconds for which a sample is held; after a gap they are counted anew.
    private static func unheld(_ rows: [ImportedNights.Timed], _ step: Int) -> [ImportedNights.Timed] {
        var kept: [ImportedNights.Timed] = []
        for row in rows where row.sample.saturation != nil || row.sample.pulseRate != nil {
            if let last = kept.last, row.second - last.second < Int64(step) { continue }
            kept.append(row)
        }
        return kept
    }

    /// The values of a signal in a data record.
    private struct Values {
        let samples: [Int]
        let signal: EDFSignal

        init(_ file: EDFFile, _ signal: Int, _ record: Int) {
            samples = file.samples(of: signal, in: record)
            self.signal = file.header.signals[signal]
        }

        /// The whole number at a part of the record from 0 to 1; `nil` for one out of a range.
        func value(at place: Double, in range: ClosedRange<Int>) -> Int? {
            let index = Int((place * Double(samples.count)).rounded(.down))
            guard samples.indices.contains(index) else { return nil }
            let value = signal.value(of: samples[index])
            guard value.isFinite else { return nil }
            let whole = Int(saturating: value.rounded())
            return range.contains(whole) ? whole : nil
        }
    }
}
