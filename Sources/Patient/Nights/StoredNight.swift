import Base
import VitalDecoders
import Vitals

/// A night that an oximeter stored itself and handed over later, or that was imported: samples at equal distances.
///
/// Its samples are history only: none is ever a present value, and none raises an alarm.
public struct StoredNight: Hashable, Sendable {
    /// The oximeter; of an imported night without an address one that stands for the file.
    public var sensor: SensorIdentity
    /// What identifies the night among those of its sensor: the name of the sensor's file, or of the imported one.
    public var name: String
    /// When it begins, in milliseconds since 1970 (UTC).
    public var start: Int64
    /// Seconds from one sample to the next, 1 to 60.
    public var interval: Int
    /// The samples in the order of their times.
    public var samples: [NightSample]
    /// The name of the file that it was imported from; `nil` for one that its sensor handed over.
    public var importedFrom: String?

    public init(
        sensor: SensorIdentity, name: String, start: Int64, interval: Int, samples: [NightSample],
        importedFrom: String? = nil
    ) {
        (self.sensor, self.name, self.start) = (sensor, name, start)
        self.interval = min(max(interval, 1), 60)
        (self.samples, self.importedFrom) = (samples, importedFrom)
    }

    /// Creates a night from a ring's file.
    ///
    /// - Parameters:
    ///   - file: The decoded file.
    ///   - name: The name of the file on the ring.
    ///   - sensor: The ring.
    ///   - start: When it begins, in milliseconds since 1970 (UTC): the ring's own time is one of a wall clock.
    public init(_ file: ViatomNightFile, name: String, of sensor: SensorIdentity, start: Int64) {
        self.init(
            sensor: sensor, name: name, start: start, interval: file.interval,
            samples: file.samples.map {
                NightSample(saturation: $0.saturation, pulseRate: $0.pulseRate, movement: $0.movement)
            })
    }

    /// When a sample begins, in milliseconds since 1970 (UTC).
    public func start(of index: Int) -> Int64 {
        start.addingSaturated(Int64(index).multipliedSaturated(by: Int64(interval) * 1000))
    }

    /// When the sample after the last one is due, in milliseconds since 1970 (UTC).
    public var end: Int64 { start(of: samples.count) }

    /// The samples of a period alone, by their beginnings.
    ///
    /// - Parameter range: Wall times in milliseconds since 1970 (UTC).
    public func clipped(to range: Range<Int64>) -> StoredNight {
        let step = Int64(interval) * 1000
        func place(_ wall: Int64) -> Int {
            let offset = max(0, wall.subtractingSaturated(start))
            return min(samples.count, Int(clamping: offset / step + (offset % step == 0 ? 0 : 1)))
        }
        let (first, end) = (place(range.lowerBound), place(range.upperBound))
        var night = self
        night.samples = first < end ? Array(samples[first..<end]) : []
        night.start = start.addingSaturated(Int64(first) * step)
        return night
    }

    /// The wall times from the first sample to where the one after the last is due.
    public var range: Range<Int64> { start..<max(start, end) }
}

/// What an oximeter stored for one interval of a night.
public struct NightSample: Hashable, Sendable {
    /// The oxygen saturation in percent, 1 to 100; `nil` for no measurement.
    public var saturation: UInt8?
    /// The pulse rate in beats a minute; `nil` for no measurement.
    public var pulseRate: UInt16?
    /// How much the sensor was moved, in the maker's own steps, 0 for not at all; `nil` where that is not known.
    public var movement: UInt8?

    public init(saturation: UInt8?, pulseRate: UInt16?, movement: UInt8? = nil) {
        (self.saturation, self.pulseRate, self.movement) = (saturation, pulseRate, movement)
    }
}
