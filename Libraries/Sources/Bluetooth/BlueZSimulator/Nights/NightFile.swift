import VitalDecoders

/// The file in which a simulated ring keeps a night.
///
/// It is encoded here, without the decoders of `VitalDecoders`, so that a test of one is a test of the other. Source:
/// public descriptions from hardware (the projects `wellue-o2ring-web-ui` and `o2ring-s-protocol`).
struct NightFile: Hashable {
    var samples: [NightDescription.Sample]
    /// Seconds from one sample to the next.
    var interval: Int
    /// When it begins, in seconds since 1970 as if the ring's clock were UTC.
    var start: Int
    /// How many of the described falls are at least 3, and at least 4 percent deep.
    var falls3 = 0
    var falls4 = 0
    var isFinished = true
    var hasWrongSum = false

    /// The word that marks a file of the newer rings as finished.
    static let mark: UInt32 = 0xDA5A_1248

    private static let none8 = UInt8.max
    private static let none16: UInt16 = .max

    /// The octets in the layout of the older rings: 40 of head, in which an unfinished file has nothing but its start, and
    /// 5 a sample.
    func viatomOctets() -> [UInt8] {
        let size = 40 + 5 * samples.count + (hasWrongSum ? 5 : 0)
        var head: [UInt8] = [3, 0] + DateTime(clockSeconds: start).octets
        if isFinished {
            head += Self.word(UInt32(size)) + OctetChecksum.lowestFirst(UInt16(clamping: samples.count * interval))
            head += [0, 0, average(\.saturation), least, UInt8(clamping: falls3), UInt8(clamping: falls4)]
            head += [shareBelow90] + OctetChecksum.lowestFirst(secondsBelow90) + [UInt8(clamping: spellsBelow90), 0xFF]
        }
        head += [UInt8](repeating: 0, count: 40 - head.count)
        return head
            + samples.flatMap { sample in
                [sample.saturation.map(UInt8.init(clamping:)) ?? Self.none8]
                    + OctetChecksum.lowestFirst(sample.pulseRate.map(UInt16.init(clamping:)) ?? Self.none16)
                    + [UInt8(clamping: sample.movement), sample.hasReminded ? 0x80 : 0]
            }
    }

    /// The octets in the layout of the newer rings: 10 of head, 3 a sample, and 48 at the end once it is finished.
    func oxyIIOctets() -> [UInt8] {
        var octets: [UInt8] = [1, 3, 0, 0, 0, 0, 0, 0, 4, 0]
        for sample in samples {
            octets.append(sample.saturation.map(UInt8.init(clamping:)) ?? Self.none8)
            octets.append(sample.pulseRate.map { UInt8(clamping: min(254, $0)) } ?? Self.none8)
            octets.append(UInt8(clamping: min(63, sample.movement)) | (sample.hasReminded ? 0x80 : 0))
        }
        guard isFinished else { return octets }
        let sum = octets.reduce(UInt32(0)) { $0 &+ UInt32($1) } &+ (hasWrongSum ? 1 : 0)
        var end = Self.word(sum) + Self.word(Self.mark) + Self.word(UInt32(clamping: start))
        end += Self.word(UInt32(samples.count)) + [UInt8(clamping: interval), 1, 3]
        end += [UInt8](repeating: 0, count: 34 - end.count)
        end += [average(\.saturation), least, UInt8(clamping: falls3), UInt8(clamping: falls4), shareBelow90]
        end += OctetChecksum.lowestFirst(secondsBelow90) + [UInt8(clamping: spellsBelow90), 0xFF]
        return octets + end + [0, 0, 0, 0, average(\.pulseRate)]
    }

    // MARK: What the ring itself makes of it

    private func average(_ value: KeyPath<NightDescription.Sample, Int?>) -> UInt8 {
        let values = samples.compactMap { $0[keyPath: value] }
        return values.isEmpty ? Self.none8 : UInt8(clamping: (values.reduce(0, +) + values.count / 2) / values.count)
    }

    private var least: UInt8 { samples.compactMap(\.saturation).min().map(UInt8.init(clamping:)) ?? Self.none8 }

    private var areBelow90: [Bool] { samples.map { ($0.saturation ?? 100) < 90 } }

    private var secondsBelow90: UInt16 { UInt16(clamping: areBelow90.count(where: { $0 }) * interval) }

    private var shareBelow90: UInt8 {
        samples.isEmpty ? 0 : UInt8(clamping: areBelow90.count(where: { $0 }) * 100 / samples.count)
    }

    private var spellsBelow90: Int {
        let below = areBelow90
        return zip([false] + below, below).count { !$0 && $1 }
    }

    private static func word(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
