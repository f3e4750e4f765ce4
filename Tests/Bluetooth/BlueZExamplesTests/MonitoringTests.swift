import BlueZ
import TestSupport
import Testing

private func scenario(_ areMonitorsOffered: Bool) -> String {
    """
    {
      adapter: {advertisementMonitors: \(areMonitorsOffered)},
      sensors: [
        {name: 'Strap', kind: 'heartRateStrap', address: 'C0:52:49:00:00:02'},
        {name: 'Oximeter', kind: 'oximeter', address: 'C0:52:49:00:00:03'},
      ],
    }
    """
}

private let strap = BluetoothAddress(rawValue: 0xC052_4900_0002)

@Suite("An advertisement monitor of simulated sensors", .timeLimit(.minutes(10)))
struct MonitoringTests {
    @Test(
        "finds a sensor once, loses it when it falls silent, finds it again, and is released with its reader",
        arguments: [nil, AdvertisementThresholds(), AdvertisementThresholds(found: -70, lost: -80)])
    func finds(thresholds: AdvertisementThresholds?) async throws {
        try await withPlayground(scenario(true)) { playground in
            try await playground.central.ready()
            do {
                let monitor = try await playground.central.monitorAdvertisements(
                    AdvertisementPattern.firstService(0x180D), within: thresholds)
                var changes = monitor.makeAsyncIterator()
                for _ in 0..<2 {
                    let found = await changes.next()
                    if case .found(let peripheral)? = found {
                        #expect(peripheral.address == strap)
                    } else {
                        Issue.record("\(String(describing: found))")
                    }
                    try await playground.perform("vanish hr")
                    let lost = await changes.next()
                    if case .lost(let peripheral)? = lost {
                        #expect(peripheral.address == strap)
                    } else {
                        Issue.record("\(String(describing: lost))")
                    }
                    try await playground.perform("return hr")
                }
            }
            // The daemon stops to listen: what returns is heard by nobody.
            try await awaitCondition("nothing is listened for") {
                let before = try await playground.ask("stats")
                try await playground.perform("sleep 3")
                return try await playground.ask("stats") == before
            }
            #expect(await playground.central.peripheral(BluetoothAddress(rawValue: 0xC052_4900_0003)) == nil)
        }
    }

    @Test("ends when the adapter goes, and can then be had again")
    func ends() async throws {
        try await withPlayground(scenario(true)) { playground in
            try await playground.central.ready()
            let patterns = AdvertisementPattern.firstService(0x180D)
            let monitor = try await playground.central.monitorAdvertisements(patterns)
            var changes = monitor.makeAsyncIterator()
            #expect(await changes.next() != nil)
            try await playground.perform("unplug")
            while await changes.next() != nil {}
            try await playground.perform("plug")
            try await playground.central.ready()
            var again = try await playground.central.monitorAdvertisements(patterns).makeAsyncIterator()
            #expect(await again.next() != nil)
        }
    }

    @Test("is refused where bluetoothd does not offer it, and a discovery finds the sensor instead")
    func fallsBack() async throws {
        try await withPlayground(scenario(false)) { playground in
            try await playground.central.ready()
            let refusal = await #expect(throws: BlueZError.self) {
                _ = try await playground.central.monitorAdvertisements(AdvertisementPattern.firstService(0x180D))
            }
            #expect(refusal?.kind == .notSupported)
            let criteria = DiscoveryCriteria(services: [BluetoothUUID(0x180D)])
            let found = await playground.central.peripherals(matching: criteria).first { _ in true }
            #expect(found?.address == strap)
        }
    }

    @Test("has thresholds that bluetoothd takes")
    func thresholds() async throws {
        try await withPlayground(scenario(true)) { playground in
            try await playground.central.ready()
            for thresholds in [
                AdvertisementThresholds(found: -128), AdvertisementThresholds(found: 21),
                AdvertisementThresholds(found: -80, lost: -70), AdvertisementThresholds(foundAfter: .zero),
                AdvertisementThresholds(lostAfter: .seconds(301)),
            ] {
                let error = await #expect(throws: BlueZError.self) {
                    _ = try await playground.central.monitorAdvertisements(
                        AdvertisementPattern.firstService(0x180D), within: thresholds)
                }
                #expect(error?.kind == .invalidArguments)
            }
        }
    }
}
