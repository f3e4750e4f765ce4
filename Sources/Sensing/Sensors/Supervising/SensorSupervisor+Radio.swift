import BlueZ
import EventLoops
import Glibc
import UserFiles
import Vitals

// Bus, bluetoothd and adapter: each loss is reported, also to the sensors if it matters to them.
extension SensorSupervisor {
    /// The delay before a missing adapter is reported.
    ///
    /// Quirk adapter-comes-late: it takes some 350 ms.
    static let adapterGrace = Duration.seconds(1)

    func busChanged(_ state: BusState, at moment: Moment) {
        let silence = radio.silence
        guard radio.change(state) else { return }
        followSilence(after: silence, at: moment)
        report(.bus(state), at: moment)
        reportSessions(at: moment)
    }

    func daemonChanged(_ state: DaemonState, at moment: Moment) {
        let (silence, wasRunning) = (radio.silence, radio.isDaemonRunning)
        guard radio.change(state) else { return }
        followSilence(after: silence, at: moment)
        report(.daemon(state), at: moment)
        reportSessions(at: moment)
        guard state == .running, !wasRunning else { return }
        Task(executorPreference: loop) { await self.claimLinks() }
        // A computer without an adapter sends no event about that.
        _ = loop.schedule(after: adapterGrace) { [weak self] in
            self?.assumeIsolated {
                $0.reportAdapter(at: .now())
                $0.reportHeldBack(at: .now())
            }
        }
    }

    func adapterChanged(_ change: ObjectChange, _ adapter: Adapter, at moment: Moment) {
        radio.change(change, adapter)
        reportAdapter(at: moment)
        reportSessions(at: moment)
        watchDiscovery(at: moment)
    }

    /// Reports the state of the adapters, if it is new.
    func reportAdapter(at moment: Moment) {
        guard !isShuttingDown else { return }
        for kind in radio.takeAdapterNews(radioSwitch, hearsNothing: silentDiscovery.hearsNothing) {
            report(kind, at: moment)
        }
    }

    /// Informs every sensor when the radio was lost for a more fundamental reason, or can be used again.
    private func reportSessions(at moment: Moment) {
        let (news, gap) = radio.takeNews(at: moment)
        if let gap { report(.gap(gap), at: moment) }
        switch news {
        case nil:
            // Another adapter may be in use now.
            updateDiscovery()
        case .lost(let reason):
            silentDiscovery = SilentDiscovery()
            for session in Array(sessions.values) {
                endBurst(of: session)
                session.link.end(isEnded: false)
                send(.radioLost(reason), to: session, at: moment)
            }
            updateDiscovery()
        case .returned:
            for session in Array(sessions.values) { send(.radioReturned, to: session, at: moment) }
            renewDiscovery()
        }
        reportHeldBack(at: moment)
    }

    // MARK: What the user does with adapters

    /// Uses only one adapter from now on, even while it is missing, or the first one that is on.
    ///
    /// Sensors connected through another adapter are disconnected there, and connected again through this one.
    ///
    /// - Parameter identifier: Such as `hci1`; `nil` for the first one that is on.
    public func useAdapter(_ identifier: String?) async {
        guard identifier != radio.chosen, !isShuttingDown else { return }
        radio.choose(identifier)
        guard isStarted else { return }
        let now = Moment.now()
        for session in Array(sessions.values) { leaveAdapter(session, at: now) }
        radio.recordAdapterLeft()
        reportAdapter(at: now)
        updateDiscovery()
        // The peripherals of the other adapter are reported as if they had just come.
        await followEvents()
    }

    private func leaveAdapter(_ session: SensorSession, at moment: Moment) {
        let machine = session.machine
        if machine.ownsLink, machine.isLinked || machine.isConnecting {
            let (address, adapter, central) = (session.address, session.adapter, central)
            Task(executorPreference: loop) {
                // An error needs no action: the link ends without this call, or with the other adapter.
                try? await central.disconnect(address, on: adapter, timeout: ConnectionMachine.disconnectLimit)
            }
        }
        forgetNearby(session, at: moment)
        session.link.end(isEnded: false)
        send(.radioLost(.adapter), to: session, at: moment)
        send(.vanished, to: session, at: moment)
        session.adapter = nil
        dropIfForgettable(session)
    }

    /// Switches the adapter in use on or off; that the user switched it off is stored and reported.
    ///
    /// A failure is not reported separately: the adapter's state shows the result.
    public func setPowered(_ isPowered: Bool) async {
        guard let adapter = radio.current else { return }
        radio.switchPower(of: adapter, on: isPowered)
        for _ in 0..<5 {
            do throws(BlueZError) {
                try await central.setPowered(isPowered, on: adapter.path)
                break
            } catch {
                // The adapter is still being switched the other way.
                guard error.kind == .busy else { break }
                await pause(.milliseconds(300))
            }
        }
        reportAdapter(at: .now())
    }

    func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            _ = loop.schedule(after: duration) { continuation.resume() }
        }
    }

    // MARK: Clocks

    /// The computer has slept, or its clock was set.
    func clockJumped(_ jump: ClockJump, at now: Moment) {
        switch jump {
        case .slept(let nanoseconds):
            report(.gap(Gap(from: now.advanced(by: .nanoseconds(-nanoseconds)), to: now, reason: .asleep)), at: now)
            for session in Array(sessions.values) { send(.awoke, to: session, at: now) }
            // Quirk dead-after-sleep: a discovery that is reported as running may find nothing.
            discovery.restart()
            updateDiscovery()
        case .wasSet(let milliseconds):
            var before = now
            before.wallMilliseconds -= milliseconds
            report(.gap(Gap(from: before, to: now, reason: .clockSet)), at: now)
        }
    }
}

/// Reports whether an adapter is off because it is blocked: by a switch, a key or `rfkill`.
///
/// Quirk blocked-looks-off: BlueZ reports only that the adapter is off. Source: Linux,
/// `Documentation/ABI/stable/sysfs-class-rfkill`, `Documentation/driver-api/rfkill.rst`.
public struct RadioSwitch: Sendable {
    /// How an adapter is blocked.
    enum Block: Hashable, Sendable {
        /// By a program or airplane mode; `rfkill unblock` ends it.
        case soft
        /// By a switch or a key of the computer, which only the user can operate.
        case hard
    }

    /// The kernel's folder of radio switches.
    private let directory: String
    /// The kernel's device that reports changes of switches.
    let device: String

    /// One of the kernel's radio switches.
    public struct State: Hashable, Sendable {
        /// The adapter that it switches, such as `hci0`.
        public let name: String
        /// Whether it is for Bluetooth, not for Wi-Fi or another radio.
        public let isBluetooth: Bool
        /// Whether it is blocked by software.
        public let isSoftBlocked: Bool
        /// Whether it is blocked by a switch or a key of the computer.
        public let isHardBlocked: Bool
    }

    /// Reads the kernel's radio switches.
    ///
    /// - Parameters:
    ///   - directory: The kernel's folder of switches.
    ///   - device: The kernel's device that reports changes of switches.
    public init(directory: String = "/sys/class/rfkill", device: String = "/dev/rfkill") {
        self.directory = directory
        self.device = device
    }

    /// How the switch of an adapter such as `hci0` blocks it; `nil` if it does not, or there is none.
    func block(adapter: String) -> Block? {
        states().first { $0.name == adapter }.flatMap { $0.isHardBlocked ? .hard : $0.isSoftBlocked ? .soft : nil }
    }

    /// All switches, in the order of their names.
    public func states() -> [State] {
        var states: [State] = []
        for name in FolderListing.names(in: directory) ?? [] {
            guard name.hasPrefix("rfkill"), let switched = word(in: "\(name)/name") else { continue }
            // 0 is blocked by software, 1 is not blocked, 2 is blocked by hardware; the newer files report both at
            // once.
            let state = word(in: "\(name)/state")
            states.append(
                State(
                    name: switched, isBluetooth: word(in: "\(name)/type") == "bluetooth",
                    isSoftBlocked: state == "0" || word(in: "\(name)/soft") == "1",
                    isHardBlocked: state == "2" || word(in: "\(name)/hard") == "1"))
        }
        return states.sorted { $0.name < $1.name }
    }

    /// The first word of a small file; `nil` when it cannot be read.
    private func word(in file: String) -> String? {
        let descriptor = open("\(directory)/\(file)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace).first
            .map(String.init)
    }
}

/// Reports changes of radio switches until ``stop()``; used on its loop only.
final class RadioSwitchWatch {
    private let loop: EventLoop
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// Calls a handler on the loop's thread after each change, once for several at the same time.
    ///
    /// - Returns: `nil` if the device is missing or not readable; then a block is noticed with the adapter's next
    ///   change.
    init?(_ radioSwitch: RadioSwitch, on loop: EventLoop, _ handler: @escaping () -> Void) {
        let descriptor = open(radioSwitch.device, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        self.loop = loop
        self.descriptor = descriptor
        watch = loop.watch(descriptor, for: .readable) { [self] _ in
            if drain() { handler() }
        }
    }

    /// Reads the pending events of switches; returns whether there were any.
    private func drain() -> Bool {
        // An event has 8 bytes, or 9 since Linux 5.11; each read returns one.
        var event = [UInt8](repeating: 0, count: 16)
        var isNews = false
        while true {
            let count = read(descriptor, &event, event.count)
            if count > 0 {
                isNews = true
            } else if count < 0, errno == EINTR {
                continue
            } else {
                // End of file, which a device does not have: without this the loop would spin.
                if count == 0 || errno != EAGAIN { stop() }
                return isNews
            }
        }
    }

    /// Ends the watch; until then the loop keeps this object.
    func stop() {
        guard let watch else { return }
        self.watch = nil
        loop.unwatch(watch)
        close(descriptor)
    }
}
