import BlueZ
import EventLoops
import Vitals

/// The supervisor's state of one peripheral, as long as BlueZ knows it or the user wants it.
///
/// Used on the supervisor's loop only.
final class SensorSession {
    /// The address of the peripheral.
    let address: BluetoothAddress
    /// Decodes its readings, and has its identity.
    var maker: ReadingDecoder
    /// Keeps it connected.
    private(set) var machine = ConnectionMachine()
    /// The adapter that last saw it; its queue decides when it may connect.
    var adapter: AdapterPath?
    /// A connection state that is not reported yet, because the radio's state is unknown.
    private(set) var heldBack: ConnectionState?
    /// The state of its link.
    var link = SensorLink()
    /// The machine's timer.
    var timer: LoopTimer?
    /// The conversation on its link, for a sensor with a driver.
    var conversation: Conversation?
    /// The conversation's timer.
    var conversationTimer: LoopTimer?
    /// The characteristics that it may be asked about.
    var attributes: [BluetoothUUID: Characteristic] = [:]
    /// Reduces the values of a fast sensor.
    var decimator = Decimator()
    /// The values that it has transferred, on this link and earlier ones.
    var handedOver = HandedOverEntries()
    /// The `Disconnect` in progress.
    var disconnecting: Task<Void, Never>?

    /// Notifications that may have waited.
    var bursts = BurstHold()
    /// The timer that decides about them.
    var burstTimer: LoopTimer?

    /// The last values of its characteristics.
    var held = LastValues()

    /// The progress of its pairing.
    var pairing = SensorPairing()

    /// Whether it was reported as not connected because another sensor has its name.
    var isRefusalReported = false

    // Facts from advertisements.

    /// The names that may identify it.
    private var names: [String] = []
    /// The user's choices about it.
    var memory: RememberedSensor? {
        didSet { if memory != oldValue { maker.identity = recognised(label: memory?.label) } }
    }
    /// All services that it has had so far.
    ///
    /// Quirk uuids-emptied: BlueZ forgets them when a link is lost early.
    private(set) var services: [BluetoothUUID] = []
    /// Its advertisements and signal strength.
    var signal = SensorSignal()
    /// The body temperature in its advertisements; `nil` for none.
    var beacon: VitalValue?

    init(address: BluetoothAddress) {
        self.address = address
        maker = ReadingDecoder(
            identity: SensorIdentity(recognising: address.description, name: nil, services: []))
    }

    /// Its identity.
    var identity: SensorIdentity { maker.identity }

    /// Its own identity, without the user's name.
    var ownIdentity: SensorIdentity { recognised(label: nil) }

    /// All its names: its own and the user's.
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

    /// The most services to remember; no sensor has as many, but a hostile device may claim more.
    static let serviceLimit = 64

    /// Records the data from BlueZ; returns whether identity or services have changed.
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

    /// Updates whether the sensor sends values continuously, which its values may have shown.
    func refreshStreaming() {
        machine.isStreaming = identity.kind.isStreaming
        machine.isEpisodic = identity.kind.isEpisodic
    }

    /// Its declaration, by all that is known of it.
    var declaration: SensorDeclaration? {
        SupportedSensors.declaration(services: services, name: names.first ?? memory?.name)
    }

    /// Records when the newest value came.
    func recordValue(at moment: Moment) { machine.lastValue = moment }

    /// Passes an event to the machine; returns the actions.
    func handle(
        _ event: ConnectionMachine.Event, at moment: Moment, random: Double
    ) -> [ConnectionMachine.Action] {
        machine.handle(event, at: moment, random: random)
    }

    /// Restores whether the user has ended the connection, unless the user wants it.
    func recallRefusal(_ isRefused: Bool) { machine.recallRefusal(isRefused) }

    /// Holds back a report of the machine.
    func holdBack(_ state: ConnectionState) {
        heldBack = state
        machine.withholdReport()
    }

    /// Ends the holding back, because a state is reported; it is the machine's last one from now on.
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
