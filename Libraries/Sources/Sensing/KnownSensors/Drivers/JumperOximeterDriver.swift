import SensorDrivers
import VitalDecoders
import Vitals

/// A fingertip oximeter of Jumper ("My Oximeter", JPD-500F) and related ones, which streams.
///
/// Four octets: 81, pulse (255 for none), saturation (127 for none), perfusion index in tenths of a percent; other first
/// octets begin a waveform. Source: public descriptions only; not verified on a device. It measures saturation, pulse
/// and perfusion index at the finger, in consumer quality.
public struct JumperOximeterDriver: SensorDriver {
    public static let service = BluetoothUUID(high: 0xCDEA_CB80_5235_4C07, low: 0x8846_93A3_7EE6_B86D)
    static let characteristic = BluetoothUUID(high: 0xCDEA_CB81_5235_4C07, low: 0x8846_93A3_7EE6_B86D)

    private var perfusionIndex = PerfusionIndex()

    public init(_ context: DriverContext) {}

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.characteristic))]
        case .received(let octets, _):
            guard octets.first == 0x81 else { return [] }
            guard octets.count >= 4 else {
                let error = MalformedValueError(offset: octets.count, reason: "\(octets.count) of 4 octets present")
                return [.malformed(octets, of: Self.characteristic, error)]
            }
            let saturation = Reading.Outcome.oximetry(octets[2] == 127 ? nil : Int(octets[2]), of: .oxygenSaturation)
            return [
                .streaming, .reading(.oxygenSaturation, saturation),
                .reading(.pulseRate, .oximetry(octets[1] == 255 ? nil : Int(octets[1]), of: .pulseRate)),
            ] + perfusionIndex.report(thousandths: Int(octets[3]) * 100, beside: saturation)
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered, .nights: return []
        }
    }
}
