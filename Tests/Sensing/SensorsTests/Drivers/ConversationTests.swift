import SensorDrivers
import Testing
import TestSupport
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

@Suite("Conversations")
struct ConversationTests {
    /// Every driver, with the characteristics of its sensor.
    static let drivers: [(driver: any SensorDriver.Type, attributes: [DriverAttribute])] = [
        (BloodPressureDriver.self, Attributes.cuff), (GlucoseMeterDriver.self, Attributes.glucoseMeter),
        (WeightScaleDriver.self, Attributes.scale), (OximeterRingDriver.self, Attributes.ring),
        (FingertipOximeterDriver.self, Attributes.fingertip), (JumperOximeterDriver.self, Attributes.jumper),
        (OxyIIDriver.self, Attributes.newRing), (ViatomECGDriver.self, Attributes.ring),
        (BCIOximeterDriver.self, Attributes.bci), (NoninOximeterDriver.self, Attributes.nonin),
        (ContinuousGlucoseDriver.self, Attributes.glucoseSensor), (MiaoMiaoDriver.self, Attributes.miaoMiao),
        (XDripBridgeDriver.self, Attributes.bridge), (DexcomDriver.self, Attributes.dexcom),
    ]

    @Test("are tested here for every driver of the table")
    func complete() {
        let declared = SupportedSensors.all.compactMap(\.driver).map { "\($0)" }
        #expect(Set(declared) == Set(Self.drivers.map { "\($0.driver)" }))
    }

    @Test(
        "never stay without a timer, a request under way or a stream, whatever the sensor does", arguments: 0..<40,
        [Set(), Set(WaveKind.allCases)])
    func neverWedged(seed: Int, waves: Set<WaveKind>) {
        var random = SeededGenerator(seed: UInt64(seed))
        for (driver, attributes) in Self.drivers {
            var bench = make(driver, waves)
            bench.answersLeft = Int.random(in: 0...12, using: &random)
            let refused = Int.random(in: 0...8, using: &random)
            bench.refuses = { request in attributes.firstIndex { $0.uuid == request.uuid } == refused }
            bench.connect(attributes.shuffled(using: &random))
            for _ in 0..<60 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bench.wait(.milliseconds(Int.random(in: 0...5000, using: &random)))
                case 1: bench.answersLeft = Int.random(in: 0...3, using: &random)
                default:
                    let count = Int.random(in: 0...24, using: &random)
                    let octets = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                    let uuid = attributes.randomElement(using: &random)?.uuid ?? BluetoothUUID(0x2A37)
                    if bench.conversation.listens(to: uuid) { bench.receive(octets, from: uuid) }
                }
                let isFine = bench.state == .streaming || bench.state.isOver || bench.hasTimer
                #expect(isFine, "\(driver) stays in \(bench.state)")
            }
            // Whatever was under way: left alone, it ends or streams.
            bench.answersLeft = 0
            bench.wait(.seconds(2000))
            #expect(bench.state == .streaming || bench.state.isOver, "\(driver) waits for ever in \(bench.state)")
        }
    }

    private func make<Driver: SensorDriver>(_ driver: Driver.Type, _ waves: Set<WaveKind>) -> DriverBench {
        DriverBench(driver, waves: waves)
    }

    @Test("make a request three times before they give up")
    func repeats() {
        var bench = DriverBench(WeightScaleDriver.self)
        bench.refuses = { $0.kind == .subscribe }
        bench.connect(Attributes.scale)
        #expect(bench.requests.filter { $0.kind == .subscribe }.count == 3)
        #expect(bench.state == .failed(.refusedRequest(.subscribe(BluetoothUUID(0x2A9D)))))
    }

    @Test("go on without a clock that cannot be set")
    func optional() {
        var bench = DriverBench(WeightScaleDriver.self)
        bench.refuses = { $0.uuid == BluetoothUUID(0x2A2B) }
        bench.connect(Attributes.scale)
        #expect(bench.state == .streaming)
    }

    @Test("ignore a late answer to a request that was given up")
    func lateAnswer() {
        var bench = DriverBench(WeightScaleDriver.self)
        bench.answersLeft = 0
        bench.connect(Attributes.scale)
        let before = bench.requests
        bench.handle(.answered(number: 77, .success([])))
        #expect(bench.requests == before)
    }
}
