import Testing
import Vitals

@testable import Monitoring

@Suite("Links that a user ends")
struct LinksEndedByHandTests {
    private func ward() -> Ward {
        var ward = Ward()
        ward.receive(.connection(.strap, ConnectionState(phase: .ready)), at: 0)
        return ward
    }

    private let address = SensorIdentity.strap.address

    @Test("are in the log, with the user and the sensor; what ends no link is not")
    func recorded() throws {
        let state = ward().state
        #expect(state.record(of: .disconnect(address: address)) == .disconnected(.strap))
        #expect(state.record(of: .forget(address: address)) == .forgotten(.strap))
        #expect(state.record(of: .pair(address: address)) == .pairingStarted(.strap))
        #expect(state.record(of: .useAdapter("hci1")) == .adapterChosen("hci1"))
        for command: SensorWish in [
            .connect(address: address), .disconnect(address: SensorIdentity.oximeter.address),
            .rename(address: address, label: "Ada"), .answerPairing(address: address, .text("123456")),
            .inspect(address: address), .setScanning(false),
        ] {
            #expect(state.record(of: command) == nil, "\(command)")
        }
    }

    @Test("are in the log like the interval that a thermometer is told, with the sensor and the seconds")
    func interval() {
        let state = ward().state
        let kind = state.record(of: .setInterval(address: address, seconds: 300))
        #expect(kind == .intervalRequested(.strap, seconds: 300))
        #expect(kind?.text == "\(SensorIdentity.strap.name) told by hand to measure every 5 min")
        let none = state.record(of: .setInterval(address: address, seconds: 0))
        #expect(none?.text == "\(SensorIdentity.strap.name) told by hand to measure on request only")
        #expect(state.record(of: .setInterval(address: SensorIdentity.oximeter.address, seconds: 5)) == nil)
    }

    @Test("are recorded as an action of the user that changes nothing else")
    func applied() throws {
        var ward = ward()
        let before = ward.state.sensors
        let kind = try #require(ward.state.record(of: .disconnect(address: address)))
        let effects = ward.state.apply(.recorded(kind, at: Ward.moment(1)))
        let entries = effects.compactMap(AlarmLogEntry.init)
        #expect(entries.count == 1)
        guard case .action(let action)? = entries.first?.content else { throw Missing() }
        #expect(action.actor == .user)
        #expect(action.word == "disconnected")
        #expect(action.text == "\(SensorIdentity.strap.name) disconnected by hand")
        #expect(ward.state.sensors == before)
        // What is not connected cannot be disconnected.
        ward.receive(.connection(.strap, ConnectionState(phase: .disconnected, reason: .user)), at: 2)
        #expect(ward.state.record(of: .disconnect(address: address)) == nil)
    }

    private struct Missing: Error {}
}
