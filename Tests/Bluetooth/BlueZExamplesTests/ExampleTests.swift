import BlueZSimulator
import HealthDevices
import TestSupport
import Testing

@testable import BlueZExamples

/// The seeds' device: what is written to one characteristic comes back from another one.
private let echo = """
    {
      sensors: [{
        name: 'Echo', kind: 'generic', address: 'C0:52:49:00:00:09',
        advertises: ['6e400001-b5a3-f393-e0a9-e50e24dcca9e'],
        services: [{
          uuid: '6e400001-b5a3-f393-e0a9-e50e24dcca9e',
          characteristics: [
            {uuid: '6e400002-b5a3-f393-e0a9-e50e24dcca9e', flags: ['write', 'write-without-response']},
            {uuid: '6e400003-b5a3-f393-e0a9-e50e24dcca9e', flags: ['notify'],
             echoes: '6e400002-b5a3-f393-e0a9-e50e24dcca9e'},
          ],
        }],
      }],
    }
    """

private let strap = """
    {sensors: [{name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02', heartRate: 72}]}
    """

@Suite("The examples of the library", .timeLimit(.minutes(10)))
struct ExampleTests {
    @Test("the one of thirty lines scans, connects, reads, writes and subscribes")
    func pulse() async throws {
        try await withPlayground(strap) { playground in
            let lines = Recorder<String>()
            try await readPulse(bus: .address(playground.busAddress)) { lines.record($0) }
            let printed = lines.elements
            #expect(printed.prefix(2) == ["connected to C0:52:49:00:00:02", "worn at [1]"])
            #expect(printed.count == 12)
            #expect(printed.dropFirst(2).allSatisfy { $0.contains(", 72") })
        }
    }

    @Test("the one with a declared device prints ten heart rates of the nearest sensor")
    func nearest() async throws {
        try await withPlayground(strap) { playground in
            let lines = Recorder<String>()
            try await printNearest(bus: .address(playground.busAddress)) { lines.record($0) }
            #expect(lines.elements == Array(repeating: "72 beats per minute", count: 10))
        }
    }

    @Test("the one with a list prints a sensor that comes, goes and comes back")
    func nearby() async throws {
        try await withPlayground(strap) { playground in
            let lines = Recorder<String>()
            let address = BusAddress.address(playground.busAddress)
            let example = Task { try await printNearby(bus: address) { lines.record($0) } }
            defer { example.cancel() }
            try await awaitCondition("the sensor") { lines.count == 1 }
            try await playground.perform("vanish hr")
            try await awaitCondition("its loss, received: \(lines.elements)") { lines.count == 2 }
            try await playground.perform("return hr")
            try await awaitCondition("its return, received: \(lines.elements)") { lines.count == 3 }
            let sensor = "C0:52:49:00:00:02"
            #expect(lines.elements == ["found \(sensor)", "lost \(sensor)", "found \(sensor)"])
        }
    }

    @Test("the one with an ECG prints four frames, and the strap streams no longer")
    func electrocardiogram() async throws {
        let streaming = strap.replacing("'Strap'", with: "'Polar H10'").replacing(
            "72}", with: "72, electrocardiogram: true}")
        try await withPlayground(streaming) { playground in
            let lines = Recorder<String>()
            try await printECG(bus: .address(playground.busAddress)) { lines.record($0) }
            // A frame is shorter than a beat: one between two R waves may have nothing below the baseline. Four have all.
            let ranges = try lines.elements.map { line in
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                try #require(numbers.count == 3 && numbers[1] < numbers[2], "a wave in: \(line)")
                #expect(line == "73 samples from \(numbers[1]) to \(numbers[2]) µV")
                return numbers[1]...numbers[2]
            }
            #expect(ranges.count == 4)
            #expect(ranges.contains { $0.lowerBound < 0 } && ranges.contains { $0.upperBound > 500 })
            #expect(try await playground.ask("state").contains("\"streams\": []"))
        }
    }

    @Test("the one that is a heart rate sensor is found, read, written and subscribed to by a central")
    func serving() async throws {
        try await withPlayground(strap) { playground in
            let lines = Recorder<String>()
            let (heartRates, measure) = AsyncStream<UInt16>.makeStream()
            let (address, simulator) = (playground.busAddress, playground.simulator)
            let serving = Task { try await serveHeartRate(heartRates, bus: .address(address)) { lines.record($0) } }
            try await awaitCondition("it is found") { await !simulator.advertisements.isEmpty }
            let advertisement = try #require(await simulator.advertisements.first)
            #expect(advertisement.name == "Pulse")
            #expect(advertisement.services == [BluetoothUUID(0x180D)])
            #expect(advertisement.appearance == 0x0341)

            let phone = try await simulator.connectCentral()
            #expect(try await phone.read(BluetoothUUID(0x2A38)) == [1])
            var values = try await phone.subscribe(to: BluetoothUUID(0x2A37)).makeAsyncIterator()
            try await phone.write([1], to: BluetoothUUID(0x2A39))
            await #expect(throws: SimulatorError.refused(code: 0x80)) {
                try await phone.write([2], to: BluetoothUUID(0x2A39))
            }
            measure.yield(72)
            measure.yield(300)
            #expect(await values.next() == [0, 72])
            #expect(await values.next() == [1, 0x2C, 0x01])
            measure.finish()
            try await serving.value
            #expect(await values.next() == nil)
            #expect(
                lines.elements.suffix(2) == [
                    "The services are served by hci0.", "The energy counter was reset 1 times.",
                ])
            #expect(await simulator.advertisements.isEmpty)
            #expect(await simulator.servedCharacteristics.isEmpty)
        }
    }

    @Test("a declaration of one's own connects to a sensor that lacks what is optional")
    func myStrap() async throws {
        let named = strap.replacing("'Strap'", with: "'MyStrap 4A'")
        try await withPlayground(named) { playground in
            try await playground.central.ready()
            let found = await playground.central.strongestPeripherals(matching: MyStrap.discovery)
            let device = Device(MyStrap.self, at: try #require(found.first).address, of: playground.central)
            try await device.connect()
            #expect(await device.heartRate.location.latest?.value == .chest)
            #expect(await !device.firmware.isPresent)
        }
    }

    @Test("what is transferred through sockets comes back whole")
    func transferring() async throws {
        try await withPlayground(echo) { playground in
            try await playground.central.ready()
            let found = await playground.central.strongestPeripherals(matching: MyDevice.discovery)
            let address = try #require(found.first).address
            try await playground.central.stopDiscovery()
            try await playground.central.connectAndResolve(address)
            let octets = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            #expect(try await transfer(octets, to: address, through: playground.central) == octets)
        }
    }

    @Test("MyDevice sends texts and collects those that come back")
    func myDevice() async throws {
        try await withPlayground(echo) { playground in
            let texts = ["hello", "", "Grüße 🫀", String(repeating: "x", count: 200)]
            let answers = try await exchange(texts, through: playground.central)
            #expect(answers == texts)
        }
    }

    @Test("variants of one device are told apart by what they advertise, and by their appearance once it was read")
    func myCuff() async throws {
        let cuffs = """
            {sensors: [
              {name: 'MyCuff N 07', kind: 'generic', address: 'C0:52:49:00:00:01', rssi: -40, advertises: ['1810']},
              {name: 'MyCuff', kind: 'generic', address: 'C0:52:49:00:00:02', rssi: -50, advertises: ['1810'],
               manufacturerData: [{company: 0xFFFF, data: '0207'}]},
              {name: 'MyCuff', kind: 'generic', address: 'C0:52:49:00:00:03', rssi: -60, advertises: ['1810'],
               appearance: 0x0382,
               services: [{uuid: '1810', characteristics: [{uuid: '2A35', flags: ['indicate']}]}]},
              {name: 'Other', kind: 'generic', address: 'C0:52:49:00:00:04', rssi: -30, advertises: ['1809']},
            ]}
            """
        try await withPlayground(cuffs) { playground in
            let lines = Recorder<String>()
            await printCuffs(through: playground.central) { lines.record($0) }
            #expect(
                lines.elements == [
                    "night cuff at C0:52:49:00:00:01, looks like nothing known",
                    "travel cuff at C0:52:49:00:00:02, looks like nothing known",
                    "another cuff at C0:52:49:00:00:03, looks like nothing known",
                ])

            let address = try #require(BluetoothAddress("C0:52:49:00:00:03"))
            let device = Device(MyCuff.self, at: address, of: playground.central)
            try await device.connect()
            try await awaitCondition("the appearance") { await device.appearance == .wristBloodPressureMonitor }
            #expect(await device.variant?.name == "wrist cuff")
        }
    }
}
