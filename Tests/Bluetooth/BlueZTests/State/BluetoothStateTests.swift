import DBus
import Testing

@testable import BlueZ

@Suite("The state of Bluetooth")
struct BluetoothStateTests {
    private static let on = Adapter(path: .root, isPowered: true)

    private func state(
        bus: BusState? = .connected, daemon: DaemonState? = .running, adapter: Adapter? = nil,
        block: RadioSwitch.Block? = nil, isSupported: Bool = true
    ) -> BluetoothState {
        BluetoothState(bus: bus, daemon: daemon, adapter: adapter, block: block, isSupported: isSupported)
    }

    @Test("is the most fundamental reason why it cannot be used")
    func depth() {
        #expect(state(bus: nil, daemon: nil) == .unknown)
        #expect(state(bus: .lost(reason: "No."), daemon: .running, adapter: Self.on) == .noBus(reason: "No."))
        #expect(state(bus: .foreign(isMarked: true)) == .foreignBus)
        #expect(state(daemon: nil) == .unknown)
        #expect(state(daemon: .gone, adapter: Self.on) == .noDaemon)
        #expect(state(daemon: .refused(reason: "No.")) == .unauthorized(reason: "No."))
        #expect(state(daemon: .unusable(reason: "No.")) == .unusable(reason: "No."))
        #expect(state() == .noAdapter)
        #expect(state(adapter: Self.on) == .on)
    }

    @Test("does not depend on whether bus and daemon answer at present")
    func silence() {
        #expect(state(bus: .silent, adapter: Self.on) == .on)
        #expect(state(daemon: .silent, adapter: Self.on) == .on)
        #expect(state(bus: .silent, daemon: .silent) == .noAdapter)
    }

    @Test("says why an adapter is off")
    func off() throws {
        let off = Adapter(path: try path("/org/bluez/hci1"))
        #expect(state(adapter: off) == .off(adapter: "hci1"))
        #expect(state(adapter: off, block: .soft) == .blocked(adapter: "hci1", .soft))
        #expect(state(adapter: off, block: .hard) == .blocked(adapter: "hci1", .hard))
    }

    @Test("is unsupported only where neither a daemon nor an adapter is there")
    func unsupported() {
        #expect(state(daemon: .gone, isSupported: false) == .unsupported)
        #expect(state(isSupported: false) == .unsupported)
        #expect(state(adapter: Self.on, isSupported: false) == .on)
        #expect(state(daemon: .refused(reason: "No."), isSupported: false) == .unauthorized(reason: "No."))
    }

    @Test("has sentences of its own for every case, which end a line of a terminal well")
    func sentences() {
        let states: [BluetoothState] = [
            .unknown, .noBus(reason: "The bus is gone."), .foreignBus, .unauthorized(reason: "The bus says no."),
            .unusable(reason: "It sends nonsense."), .unsupported, .noDaemon, .noAdapter, .off(adapter: "hci0"),
            .blocked(adapter: "hci0", .soft), .blocked(adapter: "hci0", .hard), .on,
        ]
        #expect(Set(states.map(\.description)).count == states.count)
        for state in states {
            #expect(!state.description.contains("\n"))
            #expect(state.description.contains(". ") == (state != .on), "a remedy: \(state)")
        }
        #expect(BluetoothUnavailableError(state: .noDaemon).description == BluetoothState.noDaemon.description)
    }

    @Test("shows no control characters of a reason")
    func hostileReason() {
        let state = BluetoothState.unusable(reason: "It says \u{1B}[31mno\n\(String(repeating: "x", count: 5000))")
        #expect(!state.description.contains("\u{1B}") && !state.description.contains("\n"))
        #expect(state.description.count < 400)
    }
}
