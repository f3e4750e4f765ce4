import DBus
import EventLoops
import Testing

@testable import BlueZ

/// A time of a test, in seconds.
private func second(_ seconds: Int64) -> Timestamp {
    Timestamp(monotonicNanoseconds: seconds * 1_000_000_000, wallMilliseconds: seconds * 1000)
}

private func peripheral(
    _ number: UInt64, rssi: Int? = -60, heardAt seconds: Int64? = nil, isConnected: Bool = false,
    adapter: String = "hci0"
) throws -> Peripheral {
    let adapter = try path("/org/bluez/\(adapter)")
    var peripheral = Peripheral(
        path: try path("\(adapter)/dev_\(number)"), adapter: adapter, address: BluetoothAddress(rawValue: number))
    peripheral.rssi = rssi
    peripheral.lastHeard = seconds.map { second($0) }
    peripheral.isConnected = isConnected
    return peripheral
}

extension NearbyList {
    /// A list that knows some peripherals since second 0.
    fileprivate init(
        _ known: [Peripheral], _ criteria: DiscoveryCriteria = DiscoveryCriteria(), staleAfter: Duration = .seconds(30)
    ) {
        self.init(criteria, staleAfter: staleAfter)
        for peripheral in known { _ = handle(.peripheral(.added, peripheral), at: second(0)) }
        _ = takeSnapshot()
    }

    fileprivate mutating func handle(_ change: PeripheralChange, _ peripheral: Peripheral, at seconds: Int64) -> Bool {
        handle(.peripheral(change, peripheral), at: second(seconds))
    }

    fileprivate mutating func prune(atSecond seconds: Int64) -> Bool { prune(at: seconds * 1_000_000_000) }

    /// The addresses of the peripherals that are there, found and lost.
    fileprivate mutating func takeNumbers() -> [[UInt64]]? {
        takeSnapshot().map { snapshot in
            [snapshot.peripherals, snapshot.found, snapshot.lost].map { $0.map(\.address.rawValue) }
        }
    }
}

@Suite("The list of peripherals nearby")
struct NearbyListTests {
    @Test("is there at once, even if it is empty, and then only when it has changed")
    func first() {
        var list = NearbyList(DiscoveryCriteria(), staleAfter: .seconds(30))
        #expect(list.takeNumbers() == [[], [], []])
        #expect(list.takeNumbers() == nil)
        #expect(list.due == nil)
    }

    @Test("has the strongest first, and says what was found and lost since the last time")
    func changes() throws {
        var list = NearbyList([])
        #expect(list.handle(.added, try peripheral(1, rssi: -80, heardAt: 1), at: 1) == true)
        #expect(list.handle(.added, try peripheral(2, rssi: -40, heardAt: 2), at: 2) == true)
        #expect(list.takeNumbers() == [[2, 1], [2, 1], []])
        #expect(list.handle(.advertised, try peripheral(1, rssi: -30, heardAt: 3), at: 3) == true)
        #expect(list.takeNumbers() == [[1, 2], [], []])
        #expect(list.handle(.removed, try peripheral(1, rssi: nil), at: 4) == true)
        #expect(list.handle(.added, try peripheral(3, rssi: nil, isConnected: true), at: 4) == true)
        #expect(list.takeNumbers() == [[2, 3], [3], [1]])
        #expect(list.handle(.advertised, try peripheral(2, rssi: -41, heardAt: 5), at: 5) == true)
        #expect(list.takeSnapshot()?.strongest?.address.rawValue == 2)
        #expect(NearbyPeripherals(peripherals: [try peripheral(3, rssi: nil)]).strongest == nil)
    }

    @Test("says nothing of what came and went between two snapshots")
    func unseen() throws {
        var list = NearbyList([])
        #expect(list.handle(.added, try peripheral(1, heardAt: 1), at: 1) == true)
        #expect(list.handle(.removed, try peripheral(1), at: 2) == true)
        #expect(list.takeNumbers() == [[], [], []])
        #expect(list.handle(.removed, try peripheral(1), at: 3) == false)
        #expect(list.takeNumbers() == nil)
    }

    @Test("forgets what was not heard for a while, and says when to look")
    func stale() throws {
        var list = NearbyList([try peripheral(1, heardAt: 0), try peripheral(2, heardAt: 5)])
        #expect(list.due == second(30).monotonicNanoseconds)
        #expect(list.handle(.advertised, try peripheral(1, heardAt: 20), at: 20) == true)
        #expect(list.prune(atSecond: 30) == false)
        #expect(list.due == second(35).monotonicNanoseconds)
        #expect(list.prune(atSecond: 34) == false)
        #expect(list.prune(atSecond: 35) == true)
        #expect(list.takeNumbers() == [[1], [], [2]])
        #expect(list.due == second(50).monotonicNanoseconds)
        #expect(list.prune(atSecond: 1000) == true)
        #expect(list.takeNumbers() == [[], [], [1]])
        #expect(list.due == nil)
    }

    @Test("keeps a connected peripheral, and counts the end of its link as a sign of life")
    func connected() throws {
        var list = NearbyList([try peripheral(1, heardAt: 0)])
        #expect(list.handle(.changed, try peripheral(1, rssi: nil, heardAt: 0, isConnected: true), at: 10) == true)
        #expect(list.prune(atSecond: 500) == false)
        #expect(list.due == nil)
        let gone = try peripheral(1, rssi: nil, heardAt: 0)
        #expect(list.handle(.changed, gone, at: 600) == true)
        #expect(list.handle(.disconnected(gone), at: second(600)) == false)
        #expect(list.due == second(630).monotonicNanoseconds)
        #expect(list.prune(atSecond: 629) == false)
        #expect(list.prune(atSecond: 630) == true)
    }

    @Test("takes in only what meets the criteria and is there")
    func criteria() throws {
        var list = NearbyList([], DiscoveryCriteria(minimumStrength: -70))
        #expect(list.handle(.added, try peripheral(1, rssi: -71, heardAt: 1), at: 1) == false)
        #expect(list.handle(.added, try peripheral(2, rssi: nil), at: 1) == false)
        #expect(list.handle(.added, try peripheral(3, heardAt: 1), at: 31) == false)
        #expect(list.handle(.advertised, try peripheral(1, rssi: -70, heardAt: 2), at: 2) == true)
        #expect(list.takeNumbers()?.first == [1])
    }

    @Test("lets go of what no longer meets the criteria, but not at once")
    func weaker() throws {
        var list = NearbyList([try peripheral(1, rssi: -60, heardAt: 0)], DiscoveryCriteria(minimumStrength: -70))
        for time in stride(from: Int64(5), to: 30, by: 5) {
            #expect(list.handle(.advertised, try peripheral(1, rssi: -75, heardAt: time), at: time) == true)
        }
        #expect(list.prune(atSecond: 29) == false)
        #expect(list.prune(atSecond: 30) == true)
    }

    @Test("has a peripheral that several adapters hear once")
    func adapters() throws {
        var list = NearbyList([])
        #expect(list.handle(.added, try peripheral(1, rssi: -80, heardAt: 1), at: 1) == true)
        #expect(list.handle(.added, try peripheral(1, rssi: -50, heardAt: 1, adapter: "hci1"), at: 1) == true)
        #expect(list.takeSnapshot()?.peripherals.map(\.rssi) == [-50])
        #expect(list.handle(.changed, try peripheral(1, rssi: nil, heardAt: 1, isConnected: true), at: 2) == true)
        #expect(list.takeSnapshot()?.peripherals.map(\.isConnected) == [true])
        #expect(list.handle(.removed, try peripheral(1, rssi: nil), at: 3) == true)
        #expect(list.takeNumbers() == [[1], [], []])
    }

    @Test("follows a private address that was resolved")
    func readdressed() throws {
        var list = NearbyList([try peripheral(1, heardAt: 0)])
        let old = try peripheral(1, heardAt: 0)
        var new = old
        new.address = BluetoothAddress(rawValue: 9)
        #expect(list.handle(.readdressed(to: new.address), old, at: 1) == true)
        #expect(list.handle(.added, new, at: 1) == true)
        #expect(list.takeNumbers() == [[9], [9], [1]])
    }

    @Test("copes with times that no clock shows", arguments: [Duration.seconds(-1), .seconds(Int64.max), .zero])
    func extremes(staleAfter: Duration) throws {
        var list = NearbyList([], staleAfter: staleAfter)
        _ = list.handle(.added, try peripheral(1), at: 1)
        let end = Timestamp(monotonicNanoseconds: .max, wallMilliseconds: 0)
        _ = list.handle(.peripheral(.advertised, try peripheral(1)), at: end)
        #expect(list.prune(at: .max) == (staleAfter > .zero))
        let rest = list.takeSnapshot()?.peripherals ?? []
        #expect(rest == [])
    }
}
