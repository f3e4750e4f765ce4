import BlueZ
import DBus
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

/// A moment some seconds after an arbitrary beginning.
func at(_ seconds: Double) -> Moment {
    Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_700_000_000_000)
        .advanced(by: .milliseconds(Int64(seconds * 1000)))
}

/// The octets of a hexadecimal text with blanks.
func octets(_ text: String) -> [UInt8] {
    text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

/// The results of a decoder for one value.
func decode(
    _ text: String, of characteristic: ReadCharacteristic, by maker: inout ReadingDecoder, at moment: Moment = at(0)
) -> [MonitorEvent.Kind] {
    var result: [MonitorEvent.Kind] = []
    maker.interpret(octets(text), of: characteristic, at: moment) { result.append($0) }
    return result
}

extension [MonitorEvent.Kind] {
    /// The readings among the results.
    var readings: [Reading] {
        compactMap { kind in
            guard case .reading(let reading) = kind else { return nil }
            return reading
        }
    }

    /// The reading of one vital, or `nil` without one.
    func outcome(of vital: Vital) -> Reading.Outcome? {
        readings.first { $0.vital == vital }?.outcome
    }
}

extension Reading.Outcome {
    /// An unquestioned measured value, in hundredths.
    static func good(_ hundredths: Int) -> Reading.Outcome {
        .measured(VitalValue(hundredths: hundredths), .good)
    }

    /// A measured value that the sensor doubts, in hundredths.
    static func questionable(_ hundredths: Int) -> Reading.Outcome {
        .measured(VitalValue(hundredths: hundredths), .questionable)
    }

    /// A measured value beside which the sensor reports a malfunction, in hundredths.
    static func malfunction(_ hundredths: Int) -> Reading.Outcome {
        .measured(VitalValue(hundredths: hundredths), .malfunction)
    }
}

extension SensorIdentity {
    /// A sensor of a kind.
    static func example(_ kind: SensorKind) -> SensorIdentity {
        SensorIdentity(address: "C0:52:49:00:00:02", name: "Example", kind: kind)
    }
}

extension ObjectPath {
    /// The one adapter.
    static let adapter = ObjectPath("/org/bluez/hci0") ?? .root

    /// Another one.
    static let secondAdapter = ObjectPath("/org/bluez/hci1") ?? .root

    static func peripheral(_ address: BluetoothAddress, on adapter: ObjectPath = .adapter) -> ObjectPath? {
        ObjectPath("\(adapter)/dev_\(address.description.split(separator: ":").joined(separator: "_"))")
    }
}
