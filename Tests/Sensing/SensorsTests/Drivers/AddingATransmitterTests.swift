import SensorDrivers
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

// Word for word as in the article; `RepositoryTests` compares the two.
struct PulseClipDriver: SensorDriver {
    static let writing = BluetoothUUID(0xFFF1)
    static let notifying = BluetoothUUID(0xFFF2)

    init(_ context: DriverContext) {}

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.notifying))]
        case .succeeded(let request) where request.kind == .subscribe:
            return [.request(.write([0x01], to: Self.writing))]
        case .received(let octets, _):
            guard octets.count == 3, Checksum.sum(octets.prefix(2)) == octets[2] else {
                let error = MalformedValueError(offset: 2, reason: "the checksum does not fit")
                return [.malformed(octets, of: Self.notifying, error)]
            }
            return [
                .streaming,
                .reading(.oxygenSaturation, .oximetry(Int(octets[0]), of: .oxygenSaturation)),
                .reading(.pulseRate, .oximetry(Int(octets[1]), of: .pulseRate)),
            ]
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered, .nights: return []
        }
    }
}

@Suite("The example of the article \"Adding a transmitter\"")
struct AddingATransmitterTests {
    let declaration =
        SensorDeclaration(
            kind: .oximeter, word: "PulseClip", signs: [.serviceAndName(BluetoothUUID(0xFFF0), prefix: "PulseClip")],
            driver: PulseClipDriver.self)

    @Test("is recognised by its service and its name together")
    func isRecognised() {
        let sign = declaration.signs[0]
        #expect(sign.isShown(services: [BluetoothUUID(0xFFF0)], name: "PulseClip 3"))
        #expect(!sign.isShown(services: [BluetoothUUID(0xFFF0)], name: "Lamp"))
        #expect(declaration.isRead)
    }

    @Test("subscribes, asks, and makes readings; a wrong checksum makes none")
    func conversation() {
        var bench = DriverBench(PulseClipDriver.self)
        bench.connect([
            DriverAttribute(uuid: PulseClipDriver.notifying, isNotifying: true),
            DriverAttribute(uuid: PulseClipDriver.writing, isWritable: true),
        ])
        bench.receive([97, 72, 169], from: PulseClipDriver.notifying)
        #expect(bench.written(to: PulseClipDriver.writing) == [[0x01]])
        #expect(bench.reports.count == 2)
        #expect(bench.state == .streaming)
        bench.receive([97, 72, 168], from: PulseClipDriver.notifying)
        #expect(bench.reports.count == 3)
    }
}
