import Appearance
import Monitoring
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("A sensor that is known, or was never there")
struct KnownSensorTests {
    private func text(_ ward: Ward, _ columns: Int = 120, _ rows: Int = 40) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    private static let kinds: [(sensor: SensorIdentity, advice: String, slot: ShownVital.Place)] = [
        (Ward.strap, "connect a heart-rate strap", .rate), (Ward.oximeter, "connect an oximeter", .oxygenSaturation),
        (Ward.core, "connect a thermometer", .temperature), (Ward.thermometer, "connect a thermometer", .temperature),
    ]

    @Test(
        "is not asked for while it is connected, awaited or tried, whatever it is",
        arguments: [ConnectionState.Phase.connecting, .connected, .ready, .waiting, .disconnected], 0..<4)
    func awaited(phase: ConnectionState.Phase, place: Int) {
        let (sensor, advice, slot) = Self.kinds[place]
        var ward = Ward.empty()
        ward.remember(sensor, isWanted: true)
        ward.apply(.connection(sensor, ConnectionState(phase: phase, reason: .linkLost, attempt: 1)))
        let panel = VitalPanel(
            slot, state: ward.state, screen: ward.screen, time: TimeText(now: ward.now, timeZoneOffset: 0))
        let isWanted = phase != .disconnected
        #expect((panel.missing?.remedy == advice) == !isWanted, "\(panel.missing?.remedy ?? "")")
        #expect((panel.missing?.title == "no sensor yet") == !isWanted)
        if isWanted { #expect(panel.missing?.remedy.contains(sensor.shortName()) == true) }
    }

    @Test("has no signal to report while it is absent, and says so only while it is connected")
    func signal() {
        for (phase, text) in [
            (ConnectionState.Phase.ready, "not reported while connected"), (.connected, "not reported while connected"),
            (.waiting, "not heard"), (.connecting, "not heard"), (.disconnected, "not heard"),
        ] {
            var ward = Ward.empty()
            ward.remember(Ward.strap, isWanted: true)
            ward.apply(.connection(Ward.strap, ConnectionState(phase: phase, reason: .linkLost, attempt: 2)))
            ward.screen.list.selection = Ward.strap.address
            ward.screen.pages.show(.sensor)
            let page = self.text(ward)
            #expect(page.contains(text), "\(phase)")
            #expect(page.contains("not reported while connected") == (text != "not heard"), "\(phase)")
        }
    }

    @Test("is connected again only when it was connected before", arguments: [1, 2, 10, 400])
    func attempts(attempt: Int) {
        for wasConnected in [false, true] {
            var ward = Ward.empty()
            ward.remember(Ward.strap, isWanted: true)
            ward.find(Ward.strap, signal: -60)
            if wasConnected { ward.connect(Ward.strap) }
            let waiting = ConnectionState(
                phase: .waiting, reason: .timeout, attempt: attempt, retryAt: ward.now.advanced(by: .seconds(16)))
            ward.apply(.connection(Ward.strap, waiting))
            let text = text(ward)
            #expect(text.contains("reconnecting (") == wasConnected)
            #expect(text.contains("connecting ("))
            let line = EventLabels.text(waiting, of: .heartRateStrap, wasConnected: wasConnected) ?? ""
            #expect(line.hasPrefix(wasConnected ? "reconnecting" : "not connected yet"))
        }
    }

    @Test("rules out that simulated sensors are offered beside a patient, however little is known of it")
    func simulation() {
        let offer = "bedside --simulate"
        let missing = MonitorEvent.Kind.adapter(
            AdapterStatus(identifier: nil, address: nil, power: .missing, isScanning: false))
        var ward = Ward.empty()
        ward.apply(missing)
        #expect(text(ward).contains(offer))
        // Strangers nearby are nobody's sensors.
        ward.find(Ward.stranger(3), signal: -60)
        #expect(text(ward).contains(offer))
        let known: [@Sendable (inout Ward) -> Void] = [
            { $0.remember(Ward.strap, isWanted: true) }, { $0.remember(Ward.strap, isWanted: false) },
            { $0.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .adapter))) },
            { $0.connect(Ward.strap) },
            { ward in
                ward.connect(Ward.strap)
                ward.apply(.connection(Ward.strap, ConnectionState(phase: .disconnected, reason: .user)))
            }, { $0.measure(Ward.strap, .heartRate, 7200) },
        ]
        for (place, make) in known.enumerated() {
            var ward = Ward.empty()
            make(&ward)
            ward.apply(missing)
            for seconds in [0, 5, 60] {
                ward.pass(seconds)
                #expect(!text(ward).contains("simulate"), "\(place)")
                #expect(EnvironmentWarning(ward.state)?.remedy == "plug in an adapter", "\(place)")
                let said = ward.press(.character("O"))
                #expect(said == nil && ward.screen.dialogs.message?.contains("simulate") == false, "\(place)")
            }
        }
        var lost = Ward.live(seconds: 10)
        lost.apply(missing)
        for sensor in [Ward.strap, Ward.oximeter, Ward.core] {
            lost.apply(.connection(sensor, ConnectionState(phase: .waiting, reason: .adapter)))
        }
        lost.pass(30)
        #expect(!text(lost).contains("simulate"))
    }
}
