import SensorDrivers
import VitalDecoders
import Vitals

/// An oximeter with the BCI protocol (BerryMed BM1000 and re-brands), a hundred packets a second.
///
/// Five octets, the first with its highest bit set: signal, beep and "no probe"; waveform; bar, "no finger", searching
/// and bit 7 of the pulse; the pulse's low bits; saturation. A pulse of 255 and a saturation of 127 are invalid.
/// Source: the maker's BCI Protocol V1.2; not verified on a device. It measures saturation and pulse at the finger, in
/// consumer quality.
struct BCIOximeterDriver: SensorDriver {
    static let service = BluetoothUUID(high: 0x4953_5343_FE7D_4AE5, low: 0x8FA9_9FAF_D205_E455)
    static let characteristic = BluetoothUUID(high: 0x4953_5343_1E4D_4BD9, low: 0xBA61_23C6_4724_9616)

    private var packets = FrameAssembler(limit: 256)

    init(_ context: DriverContext) {}

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.characteristic))]
        case .received(let octets, _):
            packets.append(octets, at: now)
            var actions: [DriverAction] = []
            while let packet = nextPacket() { actions += values(packet) }
            return actions
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered: return []
        }
    }

    /// The next whole packet; other octets and interrupted packets are skipped.
    private mutating func nextPacket() -> [UInt8]? {
        while !packets.octets.isEmpty {
            guard packets.octets[0] & 0x80 != 0 else {
                packets.drop(1)
                continue
            }
            if let next = packets.octets.dropFirst().prefix(4).firstIndex(where: { $0 & 0x80 != 0 }) {
                packets.drop(next)
                continue
            }
            guard packets.octets.count >= 5 else { return nil }
            let packet = Array(packets.octets.prefix(5))
            packets.drop(5)
            return packet
        }
        return nil
    }

    private func values(_ packet: [UInt8]) -> [DriverAction] {
        let isOff = packet[0] & 1 << 5 != 0 || packet[2] & 1 << 4 != 0
        if isOff { return [.streaming] + .offFinger }
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
}
