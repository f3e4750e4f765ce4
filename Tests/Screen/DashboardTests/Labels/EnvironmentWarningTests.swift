import Monitoring
import Testing
import Vitals
import Wording

@testable import Dashboard

@Suite("Trouble with Bluetooth")
struct EnvironmentWarningTests {
    private func screen(_ events: [MonitorEvent.Kind], columns: Int = 80, rows: Int = 24) -> String {
        var ward = Ward()
        for event in events { ward.apply(event) }
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    private func adapter(_ power: AdapterStatus.Power, scanning: Bool = false) -> [MonitorEvent.Kind] {
        let identifier = power == .missing ? nil : "hci0"
        return [
            .bus(.connected), .daemon(.running),
            .adapter(AdapterStatus(identifier: identifier, address: nil, power: power, isScanning: scanning)),
        ]
    }

    @Test("each trouble is named with its remedy, on a full screen and in the alarm line of a small one")
    func remedies() {
        let stories: [(events: [MonitorEvent.Kind], title: String, remedy: String)] = [
            ([.bus(.lost(reason: "The system bus does not answer."))], "NO MESSAGE BUS", "sudo systemctl start dbus"),
            ([.bus(.connected), .bus(.foreign(isMarked: true))], "ANOTHER MESSAGE BUS", "start Bedside anew"),
            ([.bus(.silent)], "BUS DOES NOT ANSWER", "wait; if it lasts, restart the computer"),
            (
                [.bus(.connected), .daemon(.silent)], "BLUETOOTH DOES NOT ANSWER",
                "sudo systemctl restart bluetooth"
            ),
            ([.bus(.connected), .daemon(.gone)], "BLUETOOTH NOT RUNNING", "sudo systemctl start bluetooth"),
            (
                [.bus(.connected), .daemon(.refused(reason: "The bus does not let us talk to bluetoothd."))],
                "BLUETOOTH REFUSES US", "sudo usermod -aG bluetooth $USER, then log in anew"
            ),
            (
                [.bus(.connected), .daemon(.unusable(reason: "The Bluetooth service does not answer."))],
                "BLUETOOTH DOES NOT ANSWER", "sudo systemctl restart bluetooth"
            ),
            (adapter(.missing), "NO BLUETOOTH ADAPTER", "plug in an adapter"),
            (adapter(.off), "BLUETOOTH IS OFF", "press O to switch it on, or: bluetoothctl power on"),
            (adapter(.blocked), "BLUETOOTH BLOCKED", "rfkill unblock bluetooth"),
        ]
        for story in stories {
            let text = screen(story.events)
            #expect(text.contains(story.title))
            #expect(text.contains("→ \(story.remedy)"))
            #expect(screen(story.events, columns: 30, rows: 6).contains(story.title))
        }
    }

    /// How often a text is on the screen.
    private func count(_ words: String, _ ward: Ward, _ columns: Int, _ rows: Int) -> Int {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).reduce(0) { $0 + grid.text(row: $1).ranges(of: words).count }
    }

    @Test(
        "trouble is said in capitals once, whichever alarms are about it", arguments: [(60, 16), (80, 24), (100, 30)])
    func once(columns: Int, rows: Int) {
        var ward = Ward.live(seconds: 3)
        ward.apply(.daemon(.gone))
        #expect(count("BLUETOOTH NOT RUNNING", ward, columns, rows) == 1)
        // The adapter was off before, and is an alarm of its own.
        ward = Ward.live(seconds: 3)
        ward.apply(.adapter(AdapterStatus(identifier: "hci0", address: nil, power: .off, isScanning: false)))
        ward.pass(60)
        ward.apply(.daemon(.gone))
        ward.pass(60)
        #expect(ward.state.shownAlarms.contains { $0.kind.isAboutBluetooth })
        #expect(count("BLUETOOTH NOT RUNNING", ward, columns, rows) == 1)
    }

    @Test("trouble beside known sensors stands in the title of their list while another alarm has the line")
    func besideSensors() {
        var ward = Ward.fever()
        ward.apply(.daemon(.gone))
        let grid = ward.drawn(80, 24)
        let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("SENSORS 3 ─ ▲ BLUETOOTH NOT RUNNING · sudo systemctl start bluetooth"))
        #expect(text.contains("e-Oximeter"))
    }

    @Test("links lost with Bluetooth show that, without advice about a sensor")
    func lostLinks() {
        var ward = Ward.live(seconds: 3)
        ward.apply(.daemon(.gone))
        for sensor in [Ward.strap, Ward.oximeter, Ward.core] {
            ward.apply(.connection(sensor, ConnectionState(phase: .waiting, reason: .daemon)))
        }
        ward.pass(11)
        let grid = ward.drawn(100, 30)
        let text = (0..<30).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("▲▲ BLUETOOTH NOT RUNNING · sudo systemctl start bluetooth"))
        #expect(text.contains("LINK LOST CORE 1A2B"))
        let tall = ward.drawn(100, 50)
        #expect((0..<50).contains { tall.text(row: $0).contains("LINK LOST · CORE 1A2B · Bluetooth is not running") })
        #expect(text.contains("NO MEASUREMENT for 11 s"))
        #expect(text.contains("Bluetooth is not running"))
        #expect(text.contains("→ sudo systemctl start bluetooth"))
        #expect(text.contains("waiting for Bluetooth"))
        #expect(!text.contains("bring the sensor near"))
    }

    @Test("an empty list says what to do")
    func emptyLists() {
        #expect(screen(adapter(.ready, scanning: true)).contains("Most straps wake up only when worn."))
        #expect(screen(adapter(.ready)).contains("Waiting for the scan to begin"))
        var ward = Ward.empty()
        ward.ready(scanning: false)
        ward.screen.isScanWanted = false
        let grid = ward.drawn(80, 24)
        #expect((0..<24).contains { grid.text(row: $0).contains("Press s to look for sensors.") })
        #expect(screen([]).contains("Looking for Bluetooth"))
    }

    @Test("a reason from outside cannot carry control characters")
    func hostileReason() throws {
        var ward = Ward()
        ward.apply(.bus(.lost(reason: "\u{1B}[2Jno")))
        let trouble = try #require(EnvironmentWarning(ward.state.environment))
        #expect(trouble.sentence == "\u{FFFD}[2Jno")
    }

    @Test(
        "the causes of an adapter being off are distinguished, with the remedy",
        arguments: [
            (AdapterStatus.Power.off, false, false, "is switched off, but not by Bedside", "bluetoothctl power on"),
            (.off, true, false, "You switched the Bluetooth adapter hci1 off here", "bluetoothctl power on"),
            (.blocked, false, false, "airplane mode", "rfkill unblock bluetooth"),
            (.blocked, false, true, "by a switch or a key of this computer", "move the switch"),
            (.missing, false, false, "hci1, which was chosen, is not there", "choose another one"),
        ])
    func switchedOff(power: AdapterStatus.Power, byUs: Bool, isHard: Bool, words: String, remedy: String) throws {
        let status = AdapterStatus(
            identifier: "hci1", address: nil, power: power, isScanning: false, isSwitchedOffByUs: byUs,
            isHardBlocked: isHard)
        var ward = Ward()
        for event in [.bus(.connected), .daemon(.running), .adapter(status)] as [MonitorEvent.Kind] {
            ward.apply(event)
        }
        let trouble = try #require(EnvironmentWarning(ward.state.environment))
        #expect(trouble.sentence.contains(words))
        #expect(trouble.remedy.contains(remedy))
    }
}
