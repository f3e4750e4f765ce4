import SensorDrivers
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Transmitters of glucose")
struct GlucoseTransmitterTests {
    private static func glucose(_ bench: DriverBench) -> [Reading.Outcome] {
        bench.reports.compactMap { if case .reading(.glucose, let outcome, _) = $0 { outcome } else { nil } }
    }

    private static func counts(_ bench: DriverBench) -> [RawGlucose] {
        bench.reports.compactMap { if case .reading(_, _, let details) = $0 { details.raw } else { nil } }
    }

    private static func isLate(_ action: DriverAction) -> Bool {
        if case .reading(_, _, let details) = action { details.late != nil } else { false }
    }

    // MARK: Continuous Glucose Monitoring Service

    private static func cgm(newest: Int? = nil) -> DriverBench {
        var bench = DriverBench(ContinuousGlucoseDriver.self, newestSequence: newest)
        // Feature without E2E-CRC; status: minute 100, no flags.
        bench.values[BluetoothUUID(0x2AA8)] = [0, 0, 0, 0x59, 0xFF, 0xFF]
        bench.values[BluetoothUUID(0x2AA9)] = [100, 0, 0, 0, 0]
        bench.connect(Attributes.glucoseSensor)
        return bench
    }

    @Test("181F: what was missed is fetched and late, what comes by itself is of now")
    func continuous() {
        var bench = Self.cgm(newest: 60)
        #expect(bench.written(to: BluetoothUUID(0x2A52)) == [[1, 3, 1, 61, 0]])
        bench.receive([6, 0, 110, 0, 65, 0], from: BluetoothUUID(0x2AA7))
        bench.receive([6, 0, 115, 0, 95, 0], from: BluetoothUUID(0x2AA7))
        bench.receive([6, 0, 1, 1], from: BluetoothUUID(0x2A52))
        bench.receive([6, 0, 120, 0, 100, 0], from: BluetoothUUID(0x2AA7))
        let readings = bench.reports.filter { if case .reading = $0 { true } else { false } }
        #expect(readings.map(Self.isLate) == [true, false, false])
        #expect(Self.glucose(bench).last == .measured(VitalValue(whole: 120), .good))
        #expect(bench.reports.last == .remember(sequence: 100))
        #expect(bench.state == .streaming)
    }

    @Test("181F: a new session counts anew, and then the newest record is asked for")
    func newSession() {
        let bench = Self.cgm(newest: 5000)
        #expect(bench.written(to: BluetoothUUID(0x2A52)) == [[1, 6]])
    }

    @Test(
        "181F: a session that is stopped, a fault and a calibration that is required are told",
        arguments: [
            ([7, 0x80, 120, 0, 10, 0, 0x01], Reading.Outcome.noMeasurement(.equipment)),
            ([7, 0x80, 120, 0, 10, 0, 0x08], .noMeasurement(.equipment)),
            ([7, 0x40, 120, 0, 10, 0, 0x08], .measured(VitalValue(whole: 120), .calibrationWanted)),
            ([7, 0x40, 120, 0, 10, 0, 0x10], .measured(VitalValue(whole: 120), .questionable)),
            ([7, 0x20, 120, 0, 10, 0, 0x80], .noMeasurement(.aboveRange)),
            ([7, 0x20, 120, 0, 10, 0, 0x40], .noMeasurement(.belowRange)),
            ([7, 0x20, 120, 0, 10, 0, 0xC0], .noMeasurement(.outOfRange)),
            ([6, 0, 0xFE, 0x07, 10, 0], .noMeasurement(.aboveRange)),
            ([6, 0, 0x02, 0x08, 10, 0], .noMeasurement(.belowRange)),
            ([6, 0, 0xFF, 0x07, 10, 0], .noMeasurement(.notANumber)),
        ])
    func states(octets: [UInt8], outcome: Reading.Outcome) {
        var bench = Self.cgm()
        bench.receive(octets, from: BluetoothUUID(0x2AA7))
        #expect(Self.glucose(bench) == [outcome])
    }

    // MARK: MiaoMiao

    /// A Libre's memory: 16 values of the last minutes, the newest 800 raw, at minute 5000.
    private static func memory(state: UInt8 = 3) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: LibreMemory.length)
        octets[4] = state
        octets[26] = 4
        octets[27] = 2
        (octets[316], octets[317]) = (UInt8(5000 & 255), UInt8(5000 >> 8))
        for back in 0..<16 {
            let raw = 800 + back * 10
            let place = 28 + 6 * ((4 - 1 - back + 32) % 16)
            (octets[place], octets[place + 1]) = (UInt8(raw & 255), UInt8(raw >> 8))
        }
        for region in [0..<24, 24..<320, 320..<344] {
            let sum = Checksum.libre(octets[(region.lowerBound + 2)..<region.upperBound])
            (octets[region.lowerBound], octets[region.lowerBound + 1]) = (UInt8(sum & 255), UInt8(sum >> 8))
        }
        return octets
    }

    private static func packet(_ memory: [UInt8], patch: [UInt8] = []) -> [UInt8] {
        [0x28, 0x01, 0x6B, 0x45, 0x5C, 0x20, 0x93, 0x69, 0x05, 0x00, 0xA0, 0x07, 0xE0, 0x5C, 0x00, 0x07, 0x10, 0x01]
            + memory + [0x29] + patch
    }

    private static func miaoMiao(newest: Int? = nil, _ newSensors: NewSensorPolicy = .ask) -> DriverBench {
        var bench = DriverBench(MiaoMiaoDriver.self, newestSequence: newest, newSensors: newSensors)
        bench.connect(Attributes.miaoMiao)
        return bench
    }

    private static func send(_ octets: [UInt8], to bench: inout DriverBench, pieces length: Int = 20) {
        for start in stride(from: 0, to: octets.count, by: length) {
            bench.receive(Array(octets[start..<min(octets.count, start + length)]), from: MiaoMiaoDriver.notifying)
        }
    }

    @Test("the checksum of a Libre's memory is that of the facts")
    func libreChecksum() {
        #expect(Checksum.libre("123456789".utf8) == 0x89F6)
        #expect(Checksum.libre([UInt8](repeating: 0, count: 22)) == 0x9FB4)
        #expect(Checksum.libre([UInt8](repeating: 0, count: 294)) == 0xC262)
        #expect(Checksum.libre([0, 0, 3] + [UInt8](repeating: 0, count: 19)) == 0x4822)
    }

    @Test("MiaoMiao: a packet in pieces of any length is the newest estimate, then the earlier ones, late")
    func packets() {
        for length in [1, 19, 20, 100, 363] {
            var bench = Self.miaoMiao()
            Self.send(Self.packet(Self.memory()), to: &bench, pieces: length)
            #expect(bench.reports.first == .battery(92))
            #expect(Self.glucose(bench).first == .measured(VitalValue(hundredths: 9412), .rawEstimate))
            #expect(Self.counts(bench).first == RawGlucose(count: 94_118, serial: "0M000AUDL40", method: .offset))
            let readings = bench.reports.filter { if case .reading = $0 { true } else { false } }
            #expect(readings.count == 16 && readings.dropFirst().allSatisfy(Self.isLate))
            #expect(bench.reports.last == .remember(sequence: 5000))
        }
    }

    @Test("MiaoMiao: only what is new since the last link is told")
    func onlyNew() {
        var bench = Self.miaoMiao(newest: 4998)
        Self.send(Self.packet(Self.memory()), to: &bench)
        #expect(Self.glucose(bench).count == 2)
    }

    @Test("MiaoMiao: what names the kind of sensor is no part of the next packet, and a Libre 2 is refused")
    func patch() {
        var bench = Self.miaoMiao()
        Self.send(Self.packet(Self.memory()), to: &bench)
        bench.receive([0xDF, 0, 0, 1, 1, 2], from: MiaoMiaoDriver.notifying)
        bench.wait(.seconds(300))
        let before = Self.glucose(bench).count
        Self.send(Self.packet(Self.memory()), to: &bench)
        #expect(Self.glucose(bench).count == before)
        #expect(bench.state == .streaming)
        bench.receive([0x9D, 8, 0x30, 1, 1, 2], from: MiaoMiaoDriver.notifying)
        guard case .refused = bench.state else {
            Issue.record("\(bench.state)")
            return
        }
    }

    @Test("MiaoMiao: each damaged region is asked for again, three times at most", arguments: [2, 100, 340])
    func damaged(place: Int) {
        var bench = Self.miaoMiao()
        var memory = Self.memory()
        memory[place] ^= 1
        for _ in 0..<5 {
            Self.send(Self.packet(memory), to: &bench)
            bench.wait(.seconds(10))
        }
        #expect(bench.written(to: MiaoMiaoDriver.writing).filter { $0 == [0xF0] }.count <= 5)
        #expect(Self.glucose(bench).allSatisfy { $0 == .noMeasurement(.equipment) })
        #expect(!Self.glucose(bench).isEmpty)
    }

    @Test("MiaoMiao: a gap in a packet begins it anew, and each state of the sensor is told")
    func gapsAndStates() {
        var bench = Self.miaoMiao()
        Self.send(Array(Self.packet(Self.memory()).prefix(200)), to: &bench)
        bench.wait(.seconds(5))
        Self.send(Self.packet(Self.memory(state: 2)), to: &bench)
        #expect(Self.glucose(bench) == [.noMeasurement(.calibrating)])
        bench.wait(.seconds(5))
        Self.send(Self.packet(Self.memory(state: 4)), to: &bench)
        #expect(Self.glucose(bench).last == .noMeasurement(.equipment))
        bench.receive([0x34], from: MiaoMiaoDriver.notifying)
        #expect(Self.glucose(bench).last == .noMeasurement(.offBody))
    }

    @Test("MiaoMiao: back on the sensor within a minute, the value that was known is of now again")
    func backAgain() {
        var bench = Self.miaoMiao()
        Self.send(Self.packet(Self.memory()), to: &bench)
        bench.receive([0x34], from: MiaoMiaoDriver.notifying)
        bench.wait(.seconds(10))
        Self.send(Self.packet(Self.memory()), to: &bench)
        #expect(Self.glucose(bench).suffix(2).first == .noMeasurement(.offBody))
        #expect(Self.glucose(bench).last == .measured(VitalValue(hundredths: 9412), .rawEstimate))
    }

    // MARK: MiaoMiao and the sensor that it is on

    private static func statuses(_ bench: DriverBench) -> [TransmitterStatus] {
        bench.reports.compactMap { if case .transmitter(let status) = $0 { status } else { nil } }
    }

    private static func acceptances(_ bench: DriverBench) -> Int {
        bench.written(to: MiaoMiaoDriver.writing).count { $0.first == 0xD3 }
    }

    @Test("MiaoMiao: each packet tells firmware, hardware, and serial number and age of the sensor")
    func status() {
        var bench = Self.miaoMiao()
        Self.send(Self.packet(Self.memory()), to: &bench)
        let status = TransmitterStatus(
            firmware: "0007", hardware: "1001", sensorSerial: "0M000AUDL40", sensorMinutes: 5000)
        #expect(Self.statuses(bench) == [status])
    }

    @Test("a Libre's serial number is that of a published sensor")
    func serialNumber() {
        #expect(LibreMemory.serialNumber([0x5E, 0x90, 0x25, 0, 0, 0xA0, 7, 0xE0]) == "0M00009DHCR")
        #expect(LibreMemory.serialNumber([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 7, 0xE0]) == "0ZZZZZZZZZW")
        #expect(LibreMemory.serialNumber([1, 2, 3]) == nil)
    }

    @Test("MiaoMiao: a new sensor is asked about once, and nothing is written before somebody accepts it")
    func newSensor() {
        var bench = Self.miaoMiao()
        Self.send(Self.packet(Self.memory()), to: &bench)
        for _ in 0..<3 {
            bench.receive([0x32], from: MiaoMiaoDriver.notifying)
            bench.wait(.seconds(300))
        }
        #expect(Self.acceptances(bench) == 0)
        #expect(Self.statuses(bench).map(\.newSensor) == [nil, .asked])
        // What was known of the sensor before is not said of the new one.
        #expect(Self.statuses(bench).last?.sensorSerial == nil && Self.statuses(bench).last?.firmware == "0007")
        #expect(Self.glucose(bench).last == .noMeasurement(.newSensor))
        #expect(bench.state == .streaming)
        bench.handle(.newSensorAnswered(isAccepted: true))
        bench.wait(.seconds(1))
        #expect(bench.written(to: MiaoMiaoDriver.writing).suffix(2) == [[0xD3, 1], [0xF0]])
        #expect(Self.statuses(bench).last?.newSensor == nil)
        // The same octets again are a second sensor's first minutes: all of them are new.
        let before = Self.glucose(bench).count
        Self.send(Self.packet(Self.memory()), to: &bench)
        #expect(Self.glucose(bench).count == before + 16)
    }

    @Test("MiaoMiao: a new sensor that somebody declines is not asked about again, and can be accepted later")
    func declinedSensor() {
        var bench = Self.miaoMiao()
        bench.receive([0x32], from: MiaoMiaoDriver.notifying)
        bench.handle(.newSensorAnswered(isAccepted: false))
        bench.wait(.seconds(300))
        bench.receive([0x32], from: MiaoMiaoDriver.notifying)
        #expect(Self.statuses(bench).map(\.newSensor) == [.asked, .declined])
        #expect(Self.acceptances(bench) == 0)
        bench.handle(.newSensorAnswered(isAccepted: true))
        #expect(Self.acceptances(bench) == 1)
    }

    @Test("MiaoMiao: the setting accepts a new sensor unasked, or never; an answer to no question is ignored")
    func newSensorBySetting() {
        var always = Self.miaoMiao(.always)
        always.handle(.newSensorAnswered(isAccepted: true))
        #expect(Self.acceptances(always) == 0)
        always.receive([0x32], from: MiaoMiaoDriver.notifying)
        #expect(Self.acceptances(always) == 1)
        var never = Self.miaoMiao(.never)
        never.receive([0x32], from: MiaoMiaoDriver.notifying)
        never.handle(.newSensorAnswered(isAccepted: true))
        #expect(Self.acceptances(never) == 0)
        #expect(Self.statuses(never).map(\.newSensor) == [.refused])
    }

    // MARK: xDrip bridge

    @Test("xDrip bridge: each packet is acknowledged, told once in two minutes with its count, and never as a number")
    func bridge() {
        var bench = DriverBench(XDripBridgeDriver.self)
        bench.connect(Attributes.bridge)
        let packet: [UInt8] = [0x11, 0, 1, 2, 3, 0, 1, 2, 3, 0, 210, 80, 0x8D, 0x2D, 0x65, 0, 1]
        for _ in 0..<3 { bench.receive(packet, from: XDripBridgeDriver.characteristic) }
        #expect(bench.written(to: XDripBridgeDriver.characteristic) == [[2, 0xF0], [2, 0xF0], [2, 0xF0]])
        let details = DriverReadingDetails(raw: RawGlucose(count: 0x30201, serial: "6ABCD", method: .line))
        #expect(bench.reports == [.battery(80), .reading(.glucose, .noMeasurement(.uncalibrated), details)])
        bench.receive(Array(packet.prefix(9)), from: XDripBridgeDriver.characteristic)
        guard case .malformed? = bench.reports.last else {
            Issue.record("\(bench.reports)")
            return
        }
    }

    // MARK: Dexcom

    private static func dexcom(isPaired: Bool = true, transmitter: String? = "123456") -> DriverBench {
        var bench = DriverBench(DexcomDriver.self, isPaired: isPaired, transmitter: transmitter)
        bench.connect(Attributes.dexcom)
        return bench
    }

    @Test("Dexcom: the hash is that of the facts")
    func hash() throws {
        let hash = try #require(DexcomHash("123456"))
        #expect(
            hash.of([0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF])
                == [0xE6, 0x0D, 0x4A, 0x79, 0x99, 0xB0, 0xFB, 0xB2])
        #expect(DexcomHash("12345") == nil)
        #expect(DexcomHash("12345é") == nil)
    }

    @Test(
        "Dexcom: where libgcrypt is not installed, it says so, asks for no pairing and writes nothing",
        arguments: [true, false])
    func noLibrary(isPaired: Bool) {
        let absent = AES128(encrypt: { _, _ in nil })
        var bench = DriverBench(DexcomDriver.self, isPaired: isPaired, cipher: absent)
        bench.connect(Attributes.dexcom)
        #expect(
            bench.state
                == .refused("It authenticates by AES, and libgcrypt is not installed: sudo apt install libgcrypt20."))
        #expect(bench.requests.isEmpty)
    }

    @Test("Dexcom: the checksums are those of the facts")
    func crc() {
        #expect(Checksum.crc16XModem("123456789".utf8) == 0x31C3)
        #expect(Checksum.crc8("123456789".utf8) == 0xF4)
    }

    @Test("Dexcom: nothing is written before somebody has paired it, after a warning")
    func warnsFirst() {
        let bench = Self.dexcom(isPaired: false)
        #expect(bench.state == .failed(.pairing(DexcomDriver.warning)))
        #expect(bench.requests.isEmpty)
    }

    @Test("Dexcom: authentication, time, glucose and battery, then the link is ended")
    func conversation() throws {
        var bench = Self.dexcom()
        #expect(bench.written(to: DexcomDriver.authentication) == [[1, 1, 2, 3, 4, 5, 6, 7, 8, 2]])
        let hash = try #require(DexcomHash("123456"))
        let answer = try #require(hash.of([1, 2, 3, 4, 5, 6, 7, 8]))
        let challenge: [UInt8] = [9, 8, 7, 6, 5, 4, 3, 2]
        bench.receive([3] + answer + challenge, from: DexcomDriver.authentication)
        #expect(bench.written(to: DexcomDriver.authentication).last == [4] + (hash.of(challenge) ?? []))
        bench.receive([5, 1, 1], from: DexcomDriver.authentication)
        #expect(bench.written(to: DexcomDriver.control) == [[0x24, 0xE6, 0x64]])
        bench.receive(
            [0x25, 0, 0x47, 2, 0x72, 0, 0x7C, 0xFF, 0x71, 0, 1, 0, 0, 0, 0xFA, 0x1D], from: DexcomDriver.control)
        bench.receive(
            [0x31, 0, 0x68, 0x0A, 0, 0, 0x8A, 0x71, 0x57, 0, 0xCC, 0, 6, 0xFF, 0xC4, 0x2A], from: DexcomDriver.control)
        #expect(Self.glucose(bench) == [.measured(VitalValue(whole: 204), .good)])
        let battery: [UInt8] = [0x23, 0, 0x2C, 0x01]
        let sum = Checksum.crc16XModem(battery)
        bench.receive(battery + [UInt8(sum & 255), UInt8(sum >> 8)], from: DexcomDriver.control)
        #expect(bench.state == .finished)
    }

    @Test("Dexcom: a wrong identifier, none, and a wrong checksum")
    func refusals() {
        guard case .refused = Self.dexcom(transmitter: nil).state else {
            Issue.record("nobody was told that the identifier is missing")
            return
        }
        var bench = Self.dexcom()
        bench.receive([3] + [UInt8](repeating: 0, count: 16), from: DexcomDriver.authentication)
        guard case .refused = bench.state else {
            Issue.record("\(bench.state)")
            return
        }
        var other = Self.dexcom()
        other.receive([5, 1, 1], from: DexcomDriver.authentication)
        other.receive(
            [0x31, 0, 0x68, 0x0A, 0, 0, 0x8A, 0x71, 0x57, 0, 0xCD, 0, 6, 0xFF, 0xC4, 0x2A], from: DexcomDriver.control)
        #expect(Self.glucose(other).isEmpty)
    }

    @Test(
        "Dexcom: glucose is told in the states ok and needs calibration only",
        arguments: zip(
            [6, 7, 1, 2, 3, 4, 8, 0x18] as [UInt8],
            [
                Reading.Outcome.measured(VitalValue(whole: 204), .good),
                .measured(VitalValue(whole: 204), .calibrationWanted), .noMeasurement(.notANumber),
                .noMeasurement(.calibrating), .noMeasurement(.searching), .noMeasurement(.calibrationWanted),
                .noMeasurement(.equipment), .noMeasurement(.equipment),
            ]))
    func states(state: UInt8, outcome: Reading.Outcome) {
        var bench = Self.dexcom()
        bench.receive([5, 1, 1], from: DexcomDriver.authentication)
        let body: [UInt8] = [0x31, 0, 0x68, 0x0A, 0, 0, 0x8A, 0x71, 0x57, 0, 0xCC, 0, state, 0xFF]
        let sum = Checksum.crc16XModem(body)
        bench.receive(body + [UInt8(sum & 255), UInt8(sum >> 8)], from: DexcomDriver.control)
        #expect(Self.glucose(bench) == [outcome])
    }

    @Test(
        "Dexcom: 39 and 401 say \"below 40\" and \"above 400\", and no number lies beyond them",
        arguments: [UInt8(6), 7])
    func range(state: UInt8) {
        for number in 0...0xFFF {
            var bench = Self.dexcom()
            bench.receive([5, 1, 1], from: DexcomDriver.authentication)
            let body: [UInt8] = [
                0x31, 0, 0x68, 0x0A, 0, 0, 0x8A, 0x71, 0x57, 0, UInt8(number & 255), UInt8(number >> 8), state, 0xFF,
            ]
            let sum = Checksum.crc16XModem(body)
            bench.receive(body + [UInt8(sum & 255), UInt8(sum >> 8)], from: DexcomDriver.control)
            let expected: Reading.Outcome =
                switch number {
                case 39: .noMeasurement(.below40)
                case 401: .noMeasurement(.above400)
                case 40...400: .measured(VitalValue(whole: number), state == 6 ? .good : .calibrationWanted)
                default: .noMeasurement(.outOfRange)
                }
            guard Self.glucose(bench) != [expected] else { continue }
            Issue.record("\(number): \(Self.glucose(bench))")
            return
        }
    }
}
