import Base
import Nights
import Vitals

/// Makes nights of samples with their times, as files of other programs have them.
enum ImportedNights {
    /// How long a gap within a night may be, in seconds; after a longer one another night begins.
    static let longestGap: Int64 = 3600
    /// How long a night may be, in seconds.
    private static let longest: Int64 = 7 * 86_400
    /// How many samples all nights of a file may have, with those of their gaps: six weeks, one each second.
    static let sampleLimit = 4_000_000

    /// The sensor of nights from a file, by what the file says of it; no radio has such an address.
    ///
    /// Values of two sensors are never one night, so what distinguishes them is in the address.
    static func sensor(_ name: String, _ signal: String = "") -> SensorIdentity {
        let words = ["imported", name, signal].filter { !$0.isEmpty }
        return SensorIdentity(
            address: sanitized(words.joined(separator: " "), limit: 48), name: name.isEmpty ? "imported" : name,
            kind: .oximeter)
    }

    /// A sample with its time in seconds since 1970 (UTC).
    struct Timed {
        var second: Int64
        var sample: NightSample
    }

    /// The nights of samples in the order of their times.
    ///
    /// What has no measurement at the beginning and the end of a night, as a ring counts down there, is left out.
    ///
    /// - Parameters:
    ///   - rows: The samples, each later than the one before.
    ///   - sensor: The sensor.
    ///   - interval: Seconds from one sample to the next, 1 to 60, of the samples of a night.
    /// - Throws: ``ImportError`` where a night would be longer than a week.
    static func nights(
        _ rows: [Timed], of sensor: SensorIdentity, interval: (ArraySlice<Timed>) throws(ImportError) -> Int
    ) throws(ImportError) -> [StoredNight] {
        var nights: [StoredNight] = []
        var (start, count) = (0, 0)
        for index in rows.indices {
            let isLast = index + 1 == rows.count
            if !isLast, rows[index + 1].second.subtractingSaturated(rows[index].second) <= longestGap { continue }
            let own = rows[start...index]
            nights += try [night(own, interval: interval(own), of: sensor)].compactMap(\.self)
            start = index + 1
            // A gap of an hour is a line in the file, and thousands of samples.
            count += nights.last?.samples.count ?? 0
            guard count <= sampleLimit else {
                throw ImportError("its nights have more than \(sampleLimit) samples; divide the file")
            }
        }
        return nights
    }

    private static func night(
        _ rows: ArraySlice<Timed>, interval: Int, of sensor: SensorIdentity
    ) throws(ImportError) -> StoredNight? {
        guard let start = rows.first?.second else { return nil }
        let step = Int64(interval)
        var samples: [NightSample] = []
        for row in rows {
            let index = row.second.subtractingSaturated(start).addingSaturated(step / 2) / step
            guard index * step <= longest else {
                throw ImportError("a night of more than a week is none; divide the file")
            }
            while samples.count < Int(index) { samples.append(NightSample(saturation: nil, pulseRate: nil)) }
            if Int(index) == samples.count { samples.append(row.sample) } else { samples[Int(index)] = row.sample }
        }
        var night = StoredNight(
            sensor: sensor, name: "", start: start.multipliedSaturated(by: 1000), interval: interval, samples: samples
        ).withoutEmptyEnds
        guard !night.samples.isEmpty else { return nil }
        night.name = night.contentKey
        return night
    }
}

extension StoredNight {
    /// The night without the samples at its beginning and its end that have no measurement.
    var withoutEmptyEnds: StoredNight {
        func isMeasured(_ sample: NightSample) -> Bool { sample.saturation != nil || sample.pulseRate != nil }
        var night = self
        guard let first = samples.firstIndex(where: isMeasured), let last = samples.lastIndex(where: isMeasured) else {
            night.samples = []
            return night
        }
        night.start = start(of: first)
        night.samples = Array(samples[first...last])
        return night
    }

    /// Identifies a night by when it begins and what was measured, from whichever file it comes.
    public var contentKey: String {
        let night = withoutEmptyEnds
        let numbers = night.samples.map { sample in
            Int64(sample.saturation ?? 0) << 16 | Int64(sample.pulseRate ?? 0)
        }
        return FHIRIdentifier.text(FHIRIdentifier.mixed([wholeSecond(night.start), Int64(interval)] + numbers))
    }
}
