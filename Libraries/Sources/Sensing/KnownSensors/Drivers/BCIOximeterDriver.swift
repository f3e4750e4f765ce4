import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// An oximeter with the BCI protocol (BerryMed BM1000 and re-brands), a hundred packets a second.
///
/// Five octets, the first with its highest bit set: signal, beep (bit 6) and "no probe"; a sample of the plethysmogram
/// (1 to 100, 0 for none); bar, "no finger", searching and bit 7 of the pulse; the pulse's low bits; saturation. A
/// pulse of 255 and a saturation of 127 are invalid. Nothing counts the packets, so the loss of whole ones goes
/// unnoticed. Source: the maker's BCI Protocol V1.2; not verified on a device. It measures saturation and pulse at the
/// finger, in consumer quality.
public struct BCIOximeterDriver: SensorDriver {
    public static let service = BluetoothUUID(high: 0x4953_5343_FE7D_4AE5, low: 0x8FA9_9FAF_D205_E455)
    static let characteristic = BluetoothUUID(high: 0x4953_5343_1E4D_4BD9, low: 0xBA61_23C6_4724_9616)

    private var packets = FrameAssembler(limit: 256)
    private var wave: DriverWave
    /// The samples of a notification, and those of them with which a beep begins.
    private var samples: [Int32] = []
    private var beats: [Int] = []
    /// Whether the last whole packet had a finger.
    private var isOn = false
    /// Whether the last packet beeped; `nil` where that is not known.
    private var isBeeping: Bool?

    public init(_ context: DriverContext) { wave = DriverWave(.plethysmogram, context, rate: 100) }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.characteristic))] + wave.change(to: .wanted)
        case .received(let octets, _):
            packets.append(octets, at: now)
            var actions: [DriverAction] = []
            while let packet = nextPacket() { actions += packet.count == 5 ? values(packet, at: now) : cutPacket() }
            return actions + samplesEnd(at: now)
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered, .nights: return []
        }
    }

    /// The next packet; one that is cut short has fewer than five octets, and octets without a beginning are skipped.
    private mutating func nextPacket() -> [UInt8]? {
        while !packets.octets.isEmpty {
            guard packets.octets[0] & 0x80 != 0 else {
                packets.drop(1)
                continue
            }
            let next = packets.octets.dropFirst().prefix(4).firstIndex { $0 & 0x80 != 0 }
            guard next != nil || packets.octets.count >= 5 else { return nil }
            let packet = Array(packets.octets.prefix(next ?? 5))
            packets.drop(packet.count)
            return packet
        }
        return nil
    }

    private mutating func values(_ packet: [UInt8], at now: Moment) -> [DriverAction] {
        let isOff = packet[0] & 1 << 5 != 0 || packet[2] & 1 << 4 != 0
        isOn = !isOff
        if isOff {
            let actions = samplesEnd(at: now)
            isBeeping = nil
            return actions + [.streaming] + .offFinger + wave.change(to: .off)
        }
        let beeps = packet[0] & 1 << 6 != 0
        if beeps, isBeeping == false { beats.append(samples.count) }
        isBeeping = beeps
        let sample = Int32(packet[1] & 0x7F)
        samples.append(sample == 0 ? WavePiece.missing : sample)
        let pulse = Int(packet[2] & 1 << 6) << 1 | Int(packet[3] & 0x7F)
        let saturation = Int(packet[4] & 0x7F)
        let isSearching = packet[2] & 1 << 5 != 0
        return [
            .streaming,
            .reading(
                .oxygenSaturation,
                .oximetry(isSearching || saturation == 127 ? nil : saturation, of: .oxygenSaturation)),
            .reading(.pulseRate, .oximetry(isSearching || pulse == 255 ? nil : pulse, of: .pulseRate)),
        ]
    }

    /// A packet that is cut short had its sample, too.
    private mutating func cutPacket() -> [DriverAction] {
        if isOn { samples.append(WavePiece.missing) }
        isBeeping = nil
        return []
    }

    /// Reports the samples up to here.
    private mutating func samplesEnd(at now: Moment) -> [DriverAction] {
        defer { (samples, beats) = ([], []) }
        return wave.report(samples, beats: beats, at: now)
    }
}
