import BlueZ
import Vitals

/// The links made in this or a former run, with the bus identity at that time.
struct LinkRecords {
    private var makers: [BluetoothAddress: BusIdentity] = [:]

    /// The links in the order of their addresses.
    var all: [(address: BluetoothAddress, maker: BusIdentity)] {
        makers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The links to store for a later run.
    var owned: [OwnedLink] {
        all.map {
            OwnedLink(
                address: $0.address.description, bus: $0.maker.bus, daemon: $0.maker.daemon, client: $0.maker.client)
        }
    }

    /// Adds the links of an earlier run, unless newer records exist.
    mutating func recall(_ links: [OwnedLink]) {
        for link in links.prefix(SensorMemory.limit) {
            guard let address = BluetoothAddress(link.address), makers[address] == nil else { continue }
            makers[address] = BusIdentity(bus: link.bus, daemon: link.daemon, client: link.client)
        }
    }

    /// Whether a link is recorded as made by this identity.
    func isMade(_ address: BluetoothAddress, by maker: BusIdentity) -> Bool { makers[address] == maker }

    /// Records who makes a link; returns whether that is new.
    mutating func record(_ address: BluetoothAddress, madeBy maker: BusIdentity) -> Bool {
        makers.updateValue(maker, forKey: address) != maker
    }

    /// Forgets a link; returns whether it was recorded.
    mutating func forget(_ address: BluetoothAddress) -> Bool { makers.removeValue(forKey: address) != nil }
}
