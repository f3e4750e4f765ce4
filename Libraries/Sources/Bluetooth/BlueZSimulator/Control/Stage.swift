/// The running simulation: the sensors, bluetoothd, and the actions on both.
final class Stage {
    let air: Air
    /// The running bluetoothd, if any.
    var bluetoothd: Bluetoothd?
    let memory = Memory()
    private let scenario: Scenario
    private let performOnHost: (SimulatedAction, LoopClosure) -> Void

    /// Creates the simulation.
    ///
    /// - Parameter performOnHost: Starts or ends bluetoothd or the bus; it calls its argument when that is done.
    init(
        _ scenario: Scenario, clock: SimulationClock, performOnHost: @escaping (SimulatedAction, LoopClosure) -> Void
    ) {
        self.scenario = scenario
        self.performOnHost = performOnHost
        air = Air(scenario, clock: clock)
    }

    // MARK: Scenario

    /// Plays the events of a cycle of the scenario, then of the next cycle.
    func play(cycle: Int = 0) {
        if cycle == 0 { for peripheral in air.peripherals { beginSleep(of: peripheral) } }
        let begin = Double(cycle) * (scenario.period ?? 0)
        for event in scenario.events where event.seconds < scenario.period ?? .infinity {
            air.clock.at(begin + event.seconds) { [weak self] in self?.perform(event.action) {} }
        }
        guard let period = scenario.period else { return }
        air.clock.at(begin + period) { [weak self] in self?.play(cycle: cycle + 1) }
    }

    // MARK: Actions

    /// Seconds of silence until a link counts as lost.
    private static let supervisionSeconds = 0.42

    /// Carries out an action, then calls `done`.
    func perform(_ action: SimulatedAction, _ done: @escaping () -> Void) {
        switch action {
        case .daemon, .bus: performOnHost(action, LoopClosure(done))
        case .adapter(let action): perform(action, done)
        case .latency(let seconds):
            air.latency = seconds
            done()
        case .sensors(let indices, let action):
            let owed = Countdown(indices.count, done)
            for index in indices { perform(action, air.peripherals[index], owed.oneDone) }
        }
    }

    private func perform(_ action: AdapterAction, _ done: @escaping () -> Void) {
        switch action {
        case .powerOn: bluetoothd?.adapter?.powerOn()
        case .powerOff:
            guard let adapter = bluetoothd?.adapter else { break }
            return adapter.powerOff(done)
        case .plug:
            if !air.isAdapterPlugged {
                air.isAdapterPlugged = true
                bluetoothd?.plug()
            }
        case .unplug:
            air.isAdapterPlugged = false
            memory.adapterGone(air)
            bluetoothd?.unplug()
        case .block:
            air.isAdapterBlocked = true
            guard let adapter = bluetoothd?.adapter else { break }
            return adapter.block(done)
        case .unblock:
            guard air.isAdapterBlocked else { break }
            air.isAdapterBlocked = false
            bluetoothd?.adapter?.unblock()
        case .filterDuplicates(let isOn): air.filtersDuplicates = isOn
        }
        done()
    }

    private func perform(_ action: SensorAction, _ peripheral: SimulatedPeripheral, _ done: @escaping () -> Void) {
        switch action {
        case .offBody: peripheral.isOnBody = false
        case .onBody: peripheral.isOnBody = true
        case .silence: peripheral.isTalking = false
        case .speak: peripheral.isTalking = true
        case .refuse(let count): peripheral.refusals = count
        case .vitals(let change): peripheral.apply(change)
        case .servicesChange:
            peripheral.moveServices()
            device(of: peripheral)?.servicesMoved()
        case .forgetBond: peripheral.hasBond = false
        case .pairing(let conduct): peripheral.pairingConduct = conduct
        case .linkLoss, .outOfRange, .inRange, .advertise, .rename, .rotate, .signalStrength:
            return performOnRadio(action, peripheral, done)
        case .hangUp: device(of: peripheral)?.losesLink(to: .connectionAborted)
        case .battery(let level):
            peripheral.batteryLevel = level
            device(of: peripheral)?.batteryMayHaveChanged(isNotified: true)
        case .octets(let octets):
            if let device = device(of: peripheral), let characteristic = device.mainCharacteristic {
                device.send(octets, to: characteristic)
            }
        case .interval(let seconds):
            peripheral.interval = seconds
            device(of: peripheral)?.intervalChanged()
        case .burst(let count, let seconds):
            return burst(peripheral, from: 0, to: count, every: seconds, done)
        case .spotCheck: device(of: peripheral)?.sendSpotCheck()
        case .measure: measure(with: peripheral)
        case .quantity(let name, let value): peripheral.constants[name] = value
        case .loseFrames(let count): peripheral.waveFaults.framesToLose = count
        case .flood(let count): peripheral.waveFaults.repetitions = count
        case .restartClock: peripheral.streams.clockOrigin = air.clock.now
        }
        done()
    }

    /// Simulates a user who measures with a sensor; wakes the sensor up.
    private func measure(with peripheral: SimulatedPeripheral) {
        peripheral.nextSample(at: air.clock.now)
        peripheral.conversation.records?.add(at: air.clock.now)
        wake(peripheral)
        guard let device = device(of: peripheral), device.isConnected else { return }
        device.converse(.measured)
    }

    private func wake(_ peripheral: SimulatedPeripheral) {
        guard peripheral.conversation.isEpisodic else { return }
        peripheral.conversation.lastActivity = air.clock.now
        guard !peripheral.isAdvertising else { return }
        peripheral.isAdvertising = true
        air.log.add("\(peripheral.name) awake")
        bluetoothd?.adapter?.advertisementChanged(peripheral)
        watchSleep(of: peripheral)
    }

    /// Begins the sleep of a sensor, and schedules when it wakes up.
    private func beginSleep(of peripheral: SimulatedPeripheral) {
        if peripheral.isAdvertising { watchSleep(of: peripheral) }
        guard let interval = peripheral.conversation.description.wakesEvery else { return }
        wake(peripheral)
        air.clock.after(interval) { [weak self] in self?.beginSleep(of: peripheral) }
    }

    /// Lets a sensor fall asleep when it has been idle for its waking time.
    private func watchSleep(of peripheral: SimulatedPeripheral) {
        guard let patience = peripheral.conversation.description.sleepsAfter else { return }
        air.clock.at(peripheral.conversation.lastActivity + patience) { [weak self] in
            guard let self, peripheral.isAdvertising else { return }
            if self.air.clock.now < peripheral.conversation.lastActivity + patience {
                return self.watchSleep(of: peripheral)
            }
            peripheral.isAdvertising = false
            self.air.log.add("\(peripheral.name) asleep")
            self.device(of: peripheral)?.losesLink(to: .connectionAborted)
            self.bluetoothd?.adapter?.advertisementChanged(peripheral)
        }
    }

    private func performOnRadio(
        _ action: SensorAction, _ peripheral: SimulatedPeripheral, _ done: @escaping () -> Void
    ) {
        switch action {
        case .linkLoss: return loseLink(peripheral, isBackAtOnce: true, done)
        case .outOfRange: return loseLink(peripheral, isBackAtOnce: false, done)
        case .inRange: peripheral.isInRange = true
        case .advertise(let isOn): peripheral.isAdvertising = isOn
        case .rename(let name): peripheral.name = name
        case .signalStrength(let strength, let noise):
            peripheral.signalStrength = strength
            peripheral.signalNoise = noise
        case .rotate(let address):
            let bits = air.noise.bits(at: peripheral.address.utf8.reduce(0) { $0 &* 31 &+ Int($1) })
            // The two highest bits mark a static random address.
            peripheral.address = address ?? BluetoothAddress(rawValue: bits >> 16 | 0xC000_0000_0000).description
        default: break
        }
        bluetoothd?.adapter?.advertisementChanged(peripheral)
        done()
    }

    /// Simulates a supervision timeout, after which both sides know that the link is lost.
    private func loseLink(
        _ peripheral: SimulatedPeripheral, isBackAtOnce: Bool, _ done: @escaping () -> Void
    ) {
        peripheral.isInRange = false
        air.clock.after(Self.supervisionSeconds) { [weak self] in
            defer { done() }
            guard let self else { return }
            self.device(of: peripheral)?.losesLink(to: .connectionAborted)
            guard isBackAtOnce else { return }
            peripheral.isInRange = true
            self.bluetoothd?.adapter?.advertisementChanged(peripheral)
        }
    }

    /// Sends numbered values; without an interval as fast as the bus accepts them, so that no queue grows here.
    private func burst(
        _ peripheral: SimulatedPeripheral, from first: Int, to count: Int, every seconds: Double,
        _ done: @escaping () -> Void
    ) {
        guard first < count, let device = device(of: peripheral), let characteristic = device.mainCharacteristic else {
            return done()
        }
        let end = seconds > 0 ? first + 1 : min(count, first + 250)
        for number in first..<end {
            device.send(peripheral.numbered(number, characteristic.definition.content), to: characteristic)
        }
        let goOn = { [weak self] in
            guard let self else { return done() }
            self.burst(peripheral, from: end, to: count, every: seconds, done)
        }
        if seconds > 0 { air.clock.after(seconds, goOn) } else { device.world.tree.onSent(goOn) }
    }

    /// The device of a sensor; of several, the connected one.
    func device(of peripheral: SimulatedPeripheral) -> Device? {
        bluetoothd?.adapter?.devices.first { $0.peripheral === peripheral && $0.isConnected }
            ?? bluetoothd?.adapter?.device(of: peripheral)
    }
}

/// Calls a closure after a given number of completions.
private final class Countdown {
    private var left: Int
    private let done: () -> Void

    init(_ count: Int, _ done: @escaping () -> Void) {
        left = count
        self.done = done
        if count == 0 { done() }
    }

    func oneDone() {
        left -= 1
        if left == 0 { done() }
    }
}
