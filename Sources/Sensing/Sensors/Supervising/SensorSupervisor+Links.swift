import BlueZ
import EventLoops
import Vitals

// The ownership of links: the program ends the links that it made, even in a run that was killed.
// Quirk links-outlive-programs: BlueZ keeps a link when its maker dies, and does not report who made it.
extension SensorSupervisor {
    /// This program's links, after each change from now on; store them for a later run.
    ///
    /// A link is listed before it is made. The sequence ends with ``shutDown()``.
    public func ownedLinks() -> BroadcastSequence<[OwnedLink]> { linkChanges.subscribe() }

    /// Restores the links of an earlier run; call it before ``start()``.
    public func remember(links: [OwnedLink]) {
        self.links.recall(links)
    }

    /// Records that this program makes a link.
    func recordLink(to address: BluetoothAddress) async {
        guard let identity = await central.identity(), links.record(address, madeBy: identity) else { return }
        linkChanges.send(links.owned)
    }

    /// Records that this program has no link to a sensor.
    func forgetLink(to address: BluetoothAddress) {
        // While bus or daemon are lost, the state of the link is unknown.
        guard radio.isDaemonRunning, links.forget(address) else { return }
        linkChanges.send(links.owned)
    }

    /// Takes over the links that a former run has made through the running daemon.
    ///
    /// A link is left alone when another program uses it, or when the program that made it still runs.
    func claimLinks() async {
        let recorded = links.all
        guard !recorded.isEmpty else { return }
        // At once, before this program subscribes to anything.
        var candidates: [(address: BluetoothAddress, made: BusIdentity, link: Int, isUsed: Bool)] = []
        for (address, made) in recorded {
            let offered = await central.services(of: address, on: sessions[address]?.adapter)
            let isUsed = offered.contains { $0.characteristics.contains(where: \.isNotifying) }
            candidates.append((address, made, sessions[address]?.link.number ?? 0, isUsed))
        }
        guard let identity = await central.identity() else { return }
        for candidate in candidates where candidate.made != identity {
            let (address, made) = (candidate.address, candidate.made)
            let isOfThisDaemon = made.bus == identity.bus && made.daemon == identity.daemon
            let isMakerAlive = isOfThisDaemon ? await central.isOnBus(made.client) : false
            guard links.isMade(address, by: made), !isMakerAlive else { continue }
            guard isOfThisDaemon, !candidate.isUsed, !isShuttingDown, let session = sessions[address],
                session.machine.isLinked, session.link.number == candidate.link
            else {
                _ = links.forget(address)
                continue
            }
            _ = links.record(address, madeBy: identity)
            send(.claimed, to: session, at: .now())
        }
        linkChanges.send(links.owned)
    }
}

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
