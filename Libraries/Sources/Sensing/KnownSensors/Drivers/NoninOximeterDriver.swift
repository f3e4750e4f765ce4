import SensorDrivers
import VitalDecoders
import Vitals

/// A Nonin oximeter (3150, 3230) with the maker's own service, which sends only to paired clients.
///
/// Ten octets, big-endian: length; status (bit 5 battery low, bit 4 sensor attached, bit 3 searching, bit 1 weak
/// signal); battery voltage; perfusion index in hundredths of a percent; counter; saturation (127 for none); pulse (511
/// for none). A characteristic of its own has the plethysmogram, three times a second: length, 25 samples of two
/// octets, a counter of these values. Its intervals between pulses have no time in the plethysmogram, so no beats are
/// made of them. Source: a layout from the community, not verified on a device. It measures saturation, pulse and
/// perfusion index at the finger, in hospital quality.
public struct NoninOximeterDriver: SensorDriver {
    public static let service = BluetoothUUID(high: 0x46A9_70E0_0D5F_11E2, low: 0x8B5E_0002_A5D5_C51B)
    static let characteristic = BluetoothUUID(high: 0x0AAD_7EA0_0D60_11E2, low: 0x8E3C_0002_A5D5_C51B)

    static let plethysmogram = BluetoothUUID(high: 0xEC0A_883A_4D24_11E7, low: 0xB114_B2F9_33D5_FE66)

    /// The samples of a value.
    private static let samples = 25

    private let isPaired: Bool
    private var perfusionIndex = PerfusionIndex()
    private var wave: DriverWave
    private var isOff = false

    public init(_ context: DriverContext) {
        isPaired = context.isPaired
        wave = DriverWave(.plethysmogram, context, rate: 75, counterPeriod: 0x10000 * Self.samples)
    }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard isPaired else { return [.askToPair("A Nonin sends its values only once it is paired.")] }
            return [.request(.subscribe(Self.characteristic))] + askForWave(attributes)
        case .failed(let request) where request.uuid == Self.plethysmogram:
            return wave.change(to: .refused(Self.withoutWave))
        case .received(let octets, Self.plethysmogram): return waveCame(octets, at: now)
        case .received(let octets, _):
            guard octets.count >= 10, octets[0] == 10 else {
                let error = MalformedValueError(offset: 0, reason: "it is not a value of ten octets")
                return [.malformed(octets, of: Self.characteristic, error)]
            }
            return values(octets)
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered, .nights: return []
        }
    }

    private static let withoutWave = "This model does not send its plethysmogram."

    private mutating func askForWave(_ attributes: [DriverAttribute]) -> [DriverAction] {
        guard wave.isWanted else { return [] }
        guard attributes[Self.plethysmogram] != nil else { return wave.change(to: .refused(Self.withoutWave)) }
        return [.request(.subscribe(Self.plethysmogram, isOptional: true))] + wave.change(to: .wanted)
    }

    private mutating func waveCame(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        let length = 1 + 2 * Self.samples + 2
        guard octets.count >= length, Int(octets[0]) == length else {
            let error = MalformedValueError(offset: 0, reason: "it is not a value of \(length) octets")
            return [.malformed(octets, of: Self.plethysmogram, error)]
        }
        func word(_ start: Int) -> Int { Int(octets[start]) << 8 | Int(octets[start + 1]) }
        // Without a finger it is noise.
        if isOff { return [] }
        let samples = (0..<Self.samples).map { Int32(word(1 + 2 * $0)) }
        return wave.report(samples, counter: word(length - 2) * Self.samples, at: now)
    }

    private mutating func values(_ octets: [UInt8]) -> [DriverAction] {
        let status = octets[1]
        isOff = status & 1 << 4 == 0
        if isOff {
            return [.streaming] + .offFinger + perfusionIndex.absent(.offBody) + wave.change(to: .off)
        }
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
