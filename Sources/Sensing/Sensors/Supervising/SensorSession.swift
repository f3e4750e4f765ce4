import BlueZ
import EventLoops
import Vitals

/// What the supervisor knows about one peripheral, for as long as BlueZ has it or the user wants it.
///
/// Used on the supervisor's loop only.
final class SensorSession {
    /// Which peripheral it is.
    let address: BluetoothAddress
    /// Decodes its readings, and has its identity.
    var maker: ReadingDecoder
    /// Keeps it connected.
    private(set) var machine = ConnectionMachine()
    /// The adapter that it was last seen by; its queue decides when we may connect.
    var adapter: AdapterPath?
    /// The state of its connection that is not reported yet, because it is not known whether there is a radio.
    private(set) var heldBack: ConnectionState?
    /// What is true of its link.
    var link = SensorLink()
    /// The machine's timer.
    var timer: LoopTimer?
    /// The conversation on its link, for a sensor that has to be conversed with.
    var conversation: Conversation?
    /// The conversation's timer.
    var conversationTimer: LoopTimer?
    /// The characteristics that it may be asked about.
    var attributes: [BluetoothUUID: Characteristic] = [:]
    /// Thins out what it sends faster than anybody looks.
    var decimator = Decimator()
    /// What it has handed over, on this link and earlier ones.
    var handedOver = HandedOverEntries()
    /// The `Disconnect` that is under way.
    var disconnecting: Task<Void, Never>?

    /// What its characteristics had last.
    var held = LastValues()

    /// How far the pairing with it is.
    var pairing = SensorPairing()

    /// Whether it was reported as not connected because another sensor has its name.
    var isRefusalReported = false

    // What was heard.

    /// The names that it may be listed by.
    private var names: [String] = []
    /// The user's choices about it.
    var memory: RememberedSensor? {
        didSet { if memory != oldValue { maker.identity = recognised(label: memory?.label) } }
    }
    /// All services that it was seen with.
    ///
    /// Quirk uuids-emptied: BlueZ forgets them when a link dies early.
    private(set) var services: [BluetoothUUID] = []
    /// How it is heard on the air.
    var signal = SensorSignal()
    /// The body temperature that it advertises; `nil` for none.
    var beacon: VitalValue?

    init(address: BluetoothAddress) {
        self.address = address
        maker = ReadingDecoder(
            identity: SensorIdentity(recognising: address.description, name: nil, services: []))
    }

    /// Who it is.
    var identity: SensorIdentity { maker.identity }

    /// Its own identity, without the user's name.
    var ownIdentity: SensorIdentity { recognised(label: nil) }

    /// Every name that somebody may know it by.
    var allNames: [String] { names + [memory?.label, memory?.name].compactMap { $0 } }

    /// Its identity by all advertisements so far.
    private func recognised(label: String?) -> SensorIdentity {
        var identity = SensorIdentity(
            recognising: address.description, name: names.first ?? memory?.name, alias: label ?? names.last,
            services: services)
        // Its services may not have been heard yet in this run.
        if identity.kind == .other, let memory { identity.kind = memory.kind }
        return identity
    }

    /// The most services that are remembered; no sensor has as many, but a stranger may claim more.
    static let serviceLimit = 64

    /// Records what BlueZ knows; returns whether identity or services have changed.
    func update(from peripheral: Peripheral) -> Bool {
        adapter = peripheral.adapter
        let servicesChanged = remember(peripheral.uuids)
        let newNames = [peripheral.name, peripheral.alias].compactMap { $0 }
        // Almost every call is for an advertisement that repeats all this.
        guard servicesChanged || newNames != names else { return false }
        if !newNames.isEmpty { names = newNames }
        let identity = recognised(label: memory?.label)
        let hasChanged = servicesChanged || identity != maker.identity
        maker.identity = identity
        refreshStreaming()
        return hasChanged
    }

    /// Lets the machine know whether the sensor sends values without pause, which its values may have shown.
    func refreshStreaming() {
        machine.isStreaming = identity.kind.isStreaming
        machine.isEpisodic = identity.kind.isEpisodic
    }

    /// What it is declared as, by all that is known of it.
    var declaration: SensorDeclaration? {
        SupportedSensors.declaration(services: services, name: names.first ?? memory?.name)
    }

    /// Records when the newest value came.
    func recordValue(at moment: Moment) { machine.lastValue = moment }

    /// Has the machine handle an event; returns what to do.
    func handle(
        _ event: ConnectionMachine.Event, at moment: Moment, random: Double
    ) -> [ConnectionMachine.Action] {
        machine.handle(event, at: moment, random: random)
    }

    /// Restores whether the user has ended the connection; not if they want it.
    func recallRefusal(_ isRefused: Bool) { machine.recallRefusal(isRefused) }

    /// Holds a report of the machine back.
    func holdBack(_ state: ConnectionState) {
        heldBack = state
        machine.withholdReport()
    }

    /// Ends the holding back of reports, because one is made; it is the machine's last one from now on.
    func endHoldingBack(with state: ConnectionState) {
        heldBack = nil
        machine.recordReport(state)
    }

    private func remember(_ uuids: [BluetoothUUID]) -> Bool {
        var hasChanged = false
        for uuid in uuids where !services.contains(uuid) && services.count < Self.serviceLimit {
            services.append(uuid)
            hasChanged = true
        }
        return hasChanged
    }
}
