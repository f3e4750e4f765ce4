/// A frame of Polar Measurement Data (FB005C82): samples of one stream, and the time of the last one.
///
/// Samples are plain or compressed: then a first sample is followed by blocks of differences with as few bits as each
/// block needs. A frame that ends inside a sample or a block keeps the samples before it, and says so in ``isCut``.
/// Source: Polar Measurement Data Specification, chapters on the data of each stream.
public struct PolarMeasurementFrame: CharacteristicValue {
    /// What was measured.
    public var type: PolarMeasurementType
    /// The time of the last sample by the sensor's clock: nanoseconds since 2000-01-01, often wrong by years; 0 for
    /// the intervals between pulses.
    public var timestamp: UInt64
    /// The layout of the samples, 0 to 127.
    public var frameType: UInt8
    /// Whether the samples are sent as differences.
    public var isCompressed: Bool
    /// The samples.
    public var content: Content
    /// Whether the octets end inside a sample or a block, so that samples after those in ``content`` are missing.
    public var isCut: Bool

    /// What a frame holds.
    public enum Content: Hashable, Sendable {
        /// Samples with one value for each channel, one sample after the other: µV of an ECG, thousandths of g of an
        /// acceleration, counts of a photoplethysmogram with its channel of ambient light last.
        case samples([Int32], channels: Int)
        /// Intervals between pulses.
        case intervals([PolarPulseInterval])
        /// A layout that is not known, octet by octet.
        case unread([UInt8])
    }

    /// - Parameters:
    ///   - type: What was measured.
    ///   - timestamp: The time of the last sample, in nanoseconds since 2000-01-01 by the sensor's clock.
    ///   - frameType: The layout of the samples, 0 to 127.
    ///   - isCompressed: Whether the samples are sent as differences.
    ///   - content: The samples.
    ///   - isCut: Whether the octets end inside a sample or a block.
    public init(
        type: PolarMeasurementType, timestamp: UInt64, frameType: UInt8 = 0, isCompressed: Bool = false,
        content: Content, isCut: Bool = false
    ) {
        self.type = type
        self.timestamp = timestamp
        self.frameType = frameType & 0x7F
        self.isCompressed = isCompressed
        self.content = content
        self.isCut = isCut
    }

    /// The greatest number of samples in a frame: more than any packet carries, so that a block of no bits, which costs
    /// two octets for 255 samples, does not make much of little.
    public static let sampleLimit = 4096

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        type = try reader.assigned("measurement type")
        timestamp = try reader.uint64("time stamp")
        let layout = try reader.uint8("frame type")
        (frameType, isCompressed) = (layout & 0x7F, layout & 0x80 != 0)
        reader.explain("\(layout & 0x7F)\(layout & 0x80 == 0 ? "" : ", compressed")")
        isCut = false
        if type == .pulseIntervals, frameType == 0, !isCompressed {
            content = .intervals(try reader.pulseIntervals())
            isCut = reader.remaining > 0
        } else if let layout = SampleLayout(type, frameType, isCompressed: isCompressed) {
            var samples = try isCompressed ? reader.firstSample(layout) : []
            isCut = isCompressed ? reader.appendBlocks(layout, to: &samples) : reader.appendPlain(layout, to: &samples)
            content = .samples(samples, channels: layout.channels)
        } else {
            content = .unread(reader.rest("samples"))
        }
    }

    /// Writes the fields in the order of the specification; differences with as many bits as each block needs.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(type.rawValue)
        writer.uint64(timestamp)
        writer.uint8(frameType & 0x7F | (isCompressed ? 0x80 : 0))
        switch content {
        case .unread(let octets): writer.append(contentsOf: octets)
        case .intervals(let intervals):
            for interval in intervals { interval.encode(to: &writer) }
            if isCut { writer.uint8(0) }
        case .samples(let values, let channels):
            guard let layout = SampleLayout(type, frameType, isCompressed: isCompressed) else { return }
            if isCompressed {
                writer.compressed(values, channels: channels, octets: layout.octets)
                // A block that announces more octets than there are.
                if isCut { writer.append(contentsOf: [32, 255]) }
            } else {
                for value in values { writer.signed(value, octets: layout.octets) }
                if isCut { writer.uint8(0) }
            }
        }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        var fields = [
            Field("type", FieldValue(type.rawValue)), Field("type_name", .text(type.name)),
            Field("timestamp_ns", FieldValue(timestamp)), Field("frame_type", FieldValue(frameType)),
            Field("is_compressed", .bool(isCompressed)), Field("is_cut", .bool(isCut)),
        ]
        switch content {
        case .samples(let values, let channels):
            let samples = values.map { FieldValue($0) }
            fields.append(
                Field(
                    "samples",
                    .list(
                        channels == 1
                            ? samples
                            : stride(from: 0, to: samples.count, by: channels).map {
                                .list(Array(samples[$0..<min($0 + channels, samples.count)]))
                            })))
        case .intervals(let intervals): fields.append(Field("intervals", .list(intervals.map { .object($0.fields) })))
        case .unread(let octets): fields.append(Field("unread", .list(octets.map { FieldValue($0) })))
        }
        return fields
    }
}

/// An interval between two pulses, found by light.
public struct PolarPulseInterval: Hashable, Sendable {
    /// Pulses a minute; 0 for none.
    public var pulseRate: UInt8
    /// The interval in milliseconds.
    public var milliseconds: UInt16
    /// How far the interval may be wrong, in milliseconds.
    public var errorMilliseconds: UInt16
    /// The flags as sent.
    ///
    /// Only bit 0, "moved, or not valid", is told the same by all documents.
    public var flags: UInt8

    /// - Parameters:
    ///   - pulseRate: Pulses a minute; 0 for none.
    ///   - milliseconds: The interval.
    ///   - errorMilliseconds: How far it may be wrong.
    ///   - flags: The flags as sent.
    public init(pulseRate: UInt8, milliseconds: UInt16, errorMilliseconds: UInt16, flags: UInt8) {
        (self.pulseRate, self.milliseconds) = (pulseRate, milliseconds)
        (self.errorMilliseconds, self.flags) = (errorMilliseconds, flags)
    }

    /// Whether the sensor was moved, or does not trust the interval.
    public var isInvalid: Bool { flags & 1 << 0 != 0 }

    static let size = 6

    fileprivate func encode(to writer: inout OctetWriter) {
        writer.uint8(pulseRate)
        writer.uint16(milliseconds)
        writer.uint16(errorMilliseconds)
        writer.uint8(flags)
    }

    fileprivate var fields: [Field] {
        [
            Field("pulse_rate_bpm", FieldValue(pulseRate)), Field("interval_ms", FieldValue(milliseconds)),
            Field("error_ms", FieldValue(errorMilliseconds)), Field("flags", FieldValue(flags)),
            Field("is_invalid", .bool(isInvalid)),
        ]
    }
}

/// The known layouts of samples.
private struct SampleLayout {
    /// Values in a sample.
    let channels: Int
    /// Octets of a value; in a compressed frame, of a value of the first sample.
    let octets: Int

    init?(_ type: PolarMeasurementType, _ frameType: UInt8, isCompressed: Bool) {
        switch (type, frameType, isCompressed) {
        case (.electrocardiogram, 0, false): (channels, octets) = (1, 3)
        case (.acceleration, 0...2, false): (channels, octets) = (3, Int(frameType) + 1)
        case (.acceleration, 0...1, true): (channels, octets) = (3, 2)
        case (.photoplethysmogram, 0, _): (channels, octets) = (4, 3)
        default: return nil
        }
    }
}

extension OctetReader {
    fileprivate mutating func pulseIntervals() throws(MalformedValueError) -> [PolarPulseInterval] {
        var intervals: [PolarPulseInterval] = []
        while remaining >= PolarPulseInterval.size {
            intervals.append(
                PolarPulseInterval(
                    pulseRate: try uint8("pulse rate"), milliseconds: try uint16("interval"),
                    errorMilliseconds: try uint16("error"), flags: try uint8("flags")))
        }
        return intervals
    }

    /// Reads the sample that the differences begin with.
    fileprivate mutating func firstSample(_ layout: SampleLayout) throws(MalformedValueError) -> [Int32] {
        let start = try consume(layout.channels * layout.octets, "first sample", .required)
        let sample = (0..<layout.channels).map { signed(at: start + $0 * layout.octets, octets: layout.octets) }
        record("first sample", "sint\(layout.octets * 8)", at: start, sample)
        return sample
    }

    /// Reads plain samples.
    ///
    /// - Returns: Whether octets are left over.
    fileprivate mutating func appendPlain(_ layout: SampleLayout, to samples: inout [Int32]) -> Bool {
        let size = layout.channels * layout.octets
        let count = min(remaining / size, PolarMeasurementFrame.sampleLimit)
        guard count > 0, let start = try? consume(count * size, "samples", .required) else { return remaining > 0 }
        samples.reserveCapacity(count * layout.channels)
        for index in 0..<count * layout.channels {
            samples.append(signed(at: start &+ index &* layout.octets, octets: layout.octets))
        }
        record("samples", "sint\(layout.octets * 8)", at: start, samples)
        return remaining > 0
    }

    /// Reads blocks of differences until the end.
    ///
    /// Bits are read from the least significant one of each octet on. A difference is added to the sample before it, across
    /// blocks, too; a sum that no sensor sends wraps around.
    ///
    /// - Returns: Whether a block is cut short, has an impossible width, or there would be too many samples.
    fileprivate mutating func appendBlocks(_ layout: SampleLayout, to samples: inout [Int32]) -> Bool {
        while remaining > 0 {
            guard remaining >= 2 else { return true }
            let (width, count) = (Int(octet(offset)), Int(octet(offset + 1)))
            let size = (width * count * layout.channels + 7) / 8
            guard width <= 32, remaining - 2 >= size,
                samples.count / layout.channels + count <= PolarMeasurementFrame.sampleLimit,
                let start = try? consume(2 + size, "block", .required)
            else { return true }
            let first = samples.count
            samples.reserveCapacity(first + count * layout.channels)
            for index in 0..<count * layout.channels {
                let difference = signedBits(at: index &* width, width: width, from: start &+ 2)
                samples.append(samples[first &+ index &- layout.channels] &+ difference)
            }
            record("block", "differences", at: start, samples[first...])
        }
        return false
    }

    private mutating func record(
        _ name: StaticString, _ format: String, at start: Int, _ samples: some Collection<Int32>
    ) {
        record(name, "samples", at: start, "\(format), \(samples.count) values")
    }

    private func signed(at start: Int, octets: Int) -> Int32 {
        signedBits(at: 0, width: octets &* 8, from: start)
    }

    /// A number in two's complement of up to 32 bits.
    private func signedBits(at bit: Int, width: Int, from start: Int) -> Int32 {
        if width == 0 { return 0 }
        let (first, shift) = (start &+ bit >> 3, bit & 7)
        var word: UInt64 = 0
        for index in 0..<(shift &+ width &+ 7) >> 3 { word |= UInt64(octet(first &+ index)) << UInt64(index &* 8) }
        let bits = UInt32(truncatingIfNeeded: word >> UInt64(shift)) << UInt32(32 &- width)
        return Int32(bitPattern: bits) >> Int32(32 &- width)
    }
}

extension OctetWriter {
    fileprivate mutating func signed(_ value: Int32, octets: Int) {
        for index in 0..<octets { uint8(UInt8(truncatingIfNeeded: value >> Int32(8 * index))) }
    }

    /// Writes a first sample and blocks of differences.
    fileprivate mutating func compressed(_ values: [Int32], channels: Int, octets: Int) {
        for value in values.prefix(channels) { signed(value, octets: octets) }
        var start = channels
        while start < values.count {
            let end = min(values.count, start + 255 * channels)
            let differences = (start..<end).map { values[$0] &- values[$0 - channels] }
            let width = differences.map { 33 - max($0.leadingZeroBitCount, (~$0).leadingZeroBitCount) }.max() ?? 1
            uint8(UInt8(width))
            uint8(UInt8((end - start) / channels))
            append(contentsOf: Self.packed(differences, width: width))
            start = end
        }
    }

    /// Numbers of some bits each, from the least significant bit of the first octet on.
    private static func packed(_ numbers: [Int32], width: Int) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: (numbers.count * width + 7) / 8)
        for (index, number) in numbers.enumerated() {
            for bit in 0..<width where number >> Int32(bit) & 1 != 0 {
                octets[(index * width + bit) / 8] |= 1 << UInt8((index * width + bit) % 8)
            }
        }
        return octets
    }
}
