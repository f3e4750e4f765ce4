import SensorDrivers
import VitalDecoders
import Vitals

/// A Nonin oximeter (3150, 3230) with the maker's own service, which sends only to paired clients.
///
/// Ten octets, big-endian: length; status (bit 5 battery low, bit 4 sensor attached, bit 3 searching, bit 1 weak
/// signal); battery voltage; perfusion index in hundredths of a percent; counter; saturation (127 for none); pulse (511
/// for none). Source: a layout from the community, not verified on a device. It measures saturation, pulse and perfusion
/// index at the finger, in hospital quality.
struct NoninOximeterDriver: SensorDriver {
    static let service = BluetoothUUID(high: 0x46A9_70E0_0D5F_11E2, low: 0x8B5E_0002_A5D5_C51B)
    static let characteristic = BluetoothUUID(high: 0x0AAD_7EA0_0D60_11E2, low: 0x8E3C_0002_A5D5_C51B)

    private let isPaired: Bool
    private var perfusionIndex = PerfusionIndex()

    init(_ context: DriverContext) { isPaired = context.isPaired }

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected:
            return isPaired
                ? [.request(.subscribe(Self.characteristic))]
                : [.askToPair("A Nonin sends its values only once it is paired.")]
        case .received(let octets, _):
            guard octets.count >= 10, octets[0] == 10 else {
                let error = MalformedValueError(offset: 0, reason: "it is not a value of ten octets")
                return [.malformed(octets, of: Self.characteristic, error)]
            }
            return values(octets)
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered: return []
        }
    }

    private mutating func values(_ octets: [UInt8]) -> [DriverAction] {
        let status = octets[1]
        if status & 1 << 4 == 0 { return [.streaming] + .offFinger + perfusionIndex.absent(.offBody) }
        let isSearching = status & 1 << 3 != 0
        let pulse = Int(octets[8]) << 8 | Int(octets[9])
        func outcome(_ number: Int?, _ vital: Vital) -> Reading.Outcome {
            let outcome = Reading.Outcome.oximetry(isSearching ? nil : number, of: vital)
            guard status & 1 << 1 != 0, case .measured(let value, _) = outcome else { return outcome }
            return .measured(value, .questionable)
        }
        let saturation = outcome(octets[7] == 127 ? nil : Int(octets[7]), .oxygenSaturation)
        let hundredths = Int(octets[3]) << 8 | Int(octets[4])
        return [
            .streaming, .reading(.oxygenSaturation, saturation),
            .reading(.pulseRate, outcome(pulse == 511 ? nil : pulse, .pulseRate)),
        ] + perfusionIndex.report(thousandths: hundredths * 10, beside: saturation)
    }
}
