import BlueZ
import EventLoops
import KnownSensors
import SensorDrivers
import Vitals
import WaveAnalysis
import Waves

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
    /// The conversation on its link: with its driver, or beside its present values to fetch stored records.
    var conversation: Conversation?
    /// What the conversation does beside the present values, so that the link does not depend on it; `nil` for one that
    /// brings them.
    var besideWork: BesideDeclaration.Work?
    /// Counts the ends of conversations, so that no request of a former one is made or answered.
    var endedConversations = 0
    /// How often in a row its link has ended after its wave was asked for and before anything of that came.
    var fruitlessWaves = 0
    /// Whether its wave was asked for, and nothing has come of that yet.
    var isWaveAwaited = false
    /// Whether the wish for its waves has changed since they were begun.
    var areWavesOutdated = false
    /// The latest work on its waves; the next one begins after it.
    var waveWork: Task<Void, Never>?
    /// The clocks of its waves.
    var waves: [WaveKind: WaveTimeline] = [:]
    /// Marks the beats of its electrocardiogram.
    var beatMarker = BeatMarker()
    /// What is kept of its stored nights.
    var nights = SessionNights()
    /// How often, while not paired, it has not answered the first requests for its stored records.
    var unansweredFetches = 0
    /// The conversation's timer.
    var conversationTimer: LoopTimer?
    /// The characteristics that it may be asked about.
    private(set) var attributes: [BluetoothUUID: Characteristic] = [:]
    /// Reduces the values of a fast sensor.
    var decimator = Decimator()
    /// Whether the present conversation brought an entry that was not known.
    var hasNews = false
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
    /// The companies whose data it has advertised, if some sensor is recognised by them.
    private var companies: Set<UInt16> = []
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
            services: services, companies: companies)
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
        let companiesBefore = companies
        if !peripheral.manufacturerData.isEmpty {
            companies.formUnion(SupportedSensors.companies.filter { peripheral.manufacturerData[$0] != nil })
        }
        let newNames = [peripheral.name, peripheral.alias].compactMap { $0 }
        // Almost every call is for an advertisement that repeats all this.
        guard servicesChanged || newNames != names || companies != companiesBefore else { return false }
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
        SupportedSensors.declaration(services: services, name: names.first ?? memory?.name, companies: companies)
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

    /// Sets the characteristics that it may be asked about; of several with one UUID the first.
    func offer(_ characteristics: [Characteristic]) {
        attributes = Dictionary(characteristics.map { ($0.uuid, $0) }) { first, _ in first }
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

/// The values that a sensor has transferred in this run and earlier ones, so that each is passed on once.
///
/// A meter whose link is lost transfers its values again, possibly more than the record has in memory; an oximeter does on
/// each link.
struct HandedOverEntries: Sendable {
    private var known: Set<Key> = []

    /// The most values to recognise: more than a transfer brings, so that all are recognised when they come again.
    static let limit = 2 * RecordTransfer.limit

    private struct Key: Hashable {
        let content: RecordEntry.Content
        let time: DeviceTime?
        let sequence: Int?
        let user: Int?
    }

    /// Adds a value; returns whether to pass it on.
    ///
    /// Equal measurements of a sensor without clock and numbers pass if they were made on this link; those that it may
    /// have stored, and those at an unknown time, are one.
    mutating func insert(_ content: RecordEntry.Content, _ facts: EntryFacts) -> Bool {
        let isIdentified = facts.deviceTime != nil || facts.sequence != nil || !facts.isTimeKnown || facts.mayBeStored
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        let key = Key(content: content, time: facts.deviceTime, sequence: facts.sequence, user: facts.user)
        return known.insert(key).inserted || !isIdentified
    }
}

/// The state of one sensor's present link, or of its last one.
struct SensorLink {
    /// Counts the links and their ends, so that results of a former one are recognised.
    private(set) var number = 0
    /// Whether BlueZ reported the end of the link: a value after that was sent before.
    private(set) var isEnded = false
    /// Whether BlueZ reported that the services are resolved.
    private(set) var areServicesResolved = false
    /// The subscribed characteristics.
    private(set) var subscribed: [CharacteristicReference] = []
    /// The characteristics that the user has subscribed to.
    private(set) var explored: Set<CharacteristicReference> = []
    /// Counts the subscriptions, so that an outdated one is recognised.
    private(set) var subscriptionNumber = 0
    /// The last reported battery level, in percent.
    private(set) var batteryPercent: Int?
    /// The last report of a transmitter about itself.
    private(set) var transmitter: TransmitterStatus?
    /// The newest present reading with a count, as its driver made it.
    private(set) var lastCount: Reading?

    /// A link is up.
    mutating func begin() {
        number += 1
        isEnded = false
        (batteryPercent, transmitter, lastCount) = (nil, nil, nil)
    }

    /// Records that there is no usable link.
    ///
    /// - Parameter isEnded: Whether BlueZ reports its end, rather than its state being unknown.
    mutating func end(isEnded: Bool) {
        number += 1
        areServicesResolved = false
        (batteryPercent, transmitter, lastCount) = (nil, nil, nil)
        subscribed = []
        explored = []
        if isEnded { self.isEnded = true }
    }

    mutating func resolveServices() { areServicesResolved = true }

    /// Records that the services are no longer known; returns whether they were.
    mutating func loseServices() -> Bool {
        defer { areServicesResolved = false }
        return areServicesResolved
    }

    mutating func countSubscription() { subscriptionNumber += 1 }

    mutating func forgetSubscribed() { subscribed = [] }

    /// Records that the user has subscribed to a characteristic.
    mutating func addExplored(_ reference: CharacteristicReference) { explored.insert(reference) }

    /// Records that the user's subscription ends; returns whether there was one.
    mutating func removeExplored(_ reference: CharacteristicReference) -> Bool { explored.remove(reference) != nil }

    mutating func addSubscribed(_ reference: CharacteristicReference) { subscribed.append(reference) }

    /// Records a battery level in percent; returns whether it is new.
    mutating func recordBattery(_ percent: Int) -> Bool {
        defer { batteryPercent = percent }
        return batteryPercent != percent
    }

    /// Records a reading with a count; `nil` for one without, which is newer than that count.
    mutating func recordCount(_ reading: Reading?) { lastCount = reading }

    /// Records a transmitter's report about itself; returns whether it is new.
    mutating func recordTransmitter(_ status: TransmitterStatus) -> Bool {
        defer { transmitter = status }
        return transmitter != status
    }
}

/// The advertisements of one peripheral, and when they are reported.
struct SensorSignal {
    /// The value that Bluetooth controllers report for an unknown signal strength.
    private static let noStrength = 127
    /// The greatest age of a reported signal strength: the interval of the throttle.
    private static let freshness = SignalStrengthThrottle.interval * 2

    /// The newest signal strength in dBm.
    private var strength: Int?
    /// When the signal strength was received.
    private var strengthHeard: Moment?
    /// Whether the peripheral is reported as nearby.
    private(set) var isNearby = false
    /// When it was last heard or connected.
    private(set) var lastHeard: Moment?
    private var throttle = SignalStrengthThrottle()
    /// When a held signal strength is due.
    private(set) var due: Moment?

    /// When to report a heard peripheral.
    enum Report: Hashable {
        case now
        case later(Moment)
        case none
    }

    /// Records BlueZ's state of a peripheral; returns when to report it: at once if it is new or has changed, else at
    /// most once a second.
    mutating func hear(_ peripheral: Peripheral, isNews: Bool, at moment: Moment) -> Report {
        // Quirk strength-taken-back: at the end of a scan; the peripheral itself has not changed.
        let new = peripheral.rssi.flatMap { $0 == Self.noStrength ? nil : $0 }
        let isHeard = new != nil || peripheral.isConnected
        guard isHeard || isNearby else { return .none }
        if isHeard { lastHeard = moment }
        let hasChanged = new != nil && new != strength
        if let new {
            strength = new
            // BlueZ repeats the last strength with other changes.
            strengthHeard = peripheral.lastHeard.map { Moment($0) } ?? moment
        }
        if isNews || !isNearby {
            isNearby = true
            return .now
        }
        // An unchanged strength is reported now and then, or the peripheral would look gone.
        guard hasChanged || throttle.isOld(at: moment) && new != nil else { return .none }
        switch throttle.decide(at: moment) {
        case .report: return .now
        case .reportAt(let due):
            self.due = due
            return .later(due)
        case .keep: return .none
        }
    }

    /// Records that it is reported now.
    mutating func recordReport(at moment: Moment) {
        due = nil
        throttle.reported(at: moment)
    }

    /// Forgets a peripheral that is no longer heard; returns whether it was nearby.
    mutating func forget() -> Bool {
        defer { isNearby = false }
        due = nil
        strength = nil
        return isNearby
    }

    /// The signal strength in dBm, unless it is too old.
    func strength(at moment: Moment) -> Int? {
        strengthHeard.map { moment.since($0) <= Self.freshness } == true ? strength : nil
    }
}
