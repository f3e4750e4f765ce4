import Appearance
import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("Keys")
struct ScreenStateTests {
    @Test("arrows and j, k move the selection and stop at the ends")
    func moves() {
        let ward = Ward.live(seconds: 2)
        var screen = ScreenState()
        func selected() -> Int? {
            ward.state.sensors.firstIndex { $0.identity == screen.selectedSensor(in: ward.state)?.identity }
        }
        #expect(selected() == 0)
        #expect(screen.keyPressed(.up, in: ward.state) == nil)
        #expect(selected() == 0)
        for (key, index) in [
            (Key.down, 1), (.character("j"), 2), (.down, 3), (.down, 3), (.character("k"), 2), (.home, 0),
            (.character("G"), 3),
        ] {
            #expect(screen.keyPressed(key, in: ward.state) == nil)
            #expect(selected() == index)
        }
    }

    @Test("the selection stays with its sensor when others come")
    func selectionIsStable() {
        var ward = Ward.live(seconds: 2)
        _ = ward.screen.keyPressed(.down, in: ward.state)
        let address = ward.screen.list.selection
        ward.find(SensorIdentity(address: "00:00:00:00:00:00", name: "AAA", kind: .other), signal: -40)
        #expect(ward.screen.selectedSensor(in: ward.state)?.identity.address == address)
    }

    @Test("Enter opens the page of a connected sensor, and connects one that is not, at once if it waits")
    func connects() {
        var ward = Ward.live(seconds: 2)
        // First the list of them all, because there are values to show.
        #expect(ward.press(.enter) == nil)
        #expect(ward.press(.enter) == .sensor(.inspect(address: Ward.strap.address)))
        #expect(ward.screen.pages.current == .sensor)
        // There it does no more, and says so.
        #expect(ward.press(.enter) == nil)
        #expect(ward.screen.dialogs.message == "This is the page of Polar H10 4A2C1234, which is connected.")
        ward.press(.escape)
        ward.screen.list.selection = Ward.thermometer.address
        #expect(ward.press(.enter) == .sensor(.connect(address: Ward.thermometer.address)))
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        ward.screen.list.selection = Ward.strap.address
        #expect(ward.press(.enter) == .sensor(.connect(address: Ward.strap.address)))
    }

    @Test("d asks before it disconnects a sensor that measures or is to measure again, and no other one")
    func disconnects() {
        let disconnect = ScreenWish.sensor(.disconnect(address: Ward.strap.address))
        for phase in [ConnectionState.Phase.ready, .waiting, .connecting] {
            var ward = Ward.live(seconds: 2)
            ward.apply(.connection(Ward.strap, ConnectionState(phase: phase, reason: .linkLost, attempt: 1)))
            #expect(ward.press(.character("d")) == nil)
            #expect(ward.drawn(80, 24).text(row: 23).contains("Disconnect Polar H10 4A2C1234?"))
            #expect(ward.press(.enter) == nil)
            #expect(ward.press(.character("n")) == nil)
            #expect(ward.screen.dialogs.inputLine == nil)
            ward.press(.character("d"))
            #expect(ward.press(.character("y")) == disconnect)
        }
        var first = Ward.empty()
        first.apply(.connection(Ward.strap, ConnectionState(phase: .connecting, attempt: 1)))
        #expect(first.press(.character("d")) == disconnect)
        var other = Ward.live(seconds: 2)
        other.screen.list.selection = Ward.thermometer.address
        #expect(other.press(.character("d")) == nil)
        #expect(other.screen.dialogs.message == "Thermometer X is not connected.")
    }

    @Test("whatever else ends the link of a sensor that measures asks first and says that")
    func asksBeforeLinksEnd() throws {
        var pair = Ward.live(seconds: 2)
        #expect(pair.press(.character("B")) == nil)
        #expect(pair.screen.dialogs.explanation?.contains("disconnected for that") == true)
        #expect(pair.press(.character("y")) == .sensor(.pair(address: Ward.strap.address)))
        var forget = Ward.live(seconds: 2)
        #expect(forget.press(.character("x")) == nil)
        #expect(forget.screen.dialogs.explanation?.contains("no longer measures") == true)
        var adapter = Ward.live(seconds: 2)
        let adapters = ["hci0", "hci1"].map {
            AdapterStatus(identifier: $0, address: nil, power: .ready, isScanning: true)
        }
        adapter.apply(.adapters(adapters))
        #expect(adapter.press(.character("b")) == nil)
        #expect(adapter.screen.dialogs.explanation?.contains("all sensors are disconnected first") == true)
        #expect(adapter.press(.character("2")) == .sensor(.useAdapter("hci1")))
        // Nothing is lost where nothing measures.
        var nearby = Ward.live(seconds: 2)
        nearby.screen.list.selection = Ward.thermometer.address
        #expect(nearby.press(.character("B")) == .sensor(.pair(address: Ward.thermometer.address)))
    }

    @Test(
        "B asks before it pairs a transmitter, or a sensor that has said what a pairing brings, and shows all of that",
        arguments: [false, true], [false, true])
    func warnsBeforePairing(isTransmitter: Bool, isAsked: Bool) {
        let sensor = SensorIdentity(
            address: "C0:52:49:00:00:0D", name: "DexcomAB", kind: isTransmitter ? .continuousGlucose : .heartRateStrap)
        var ward = Ward.empty()
        ward.find(sensor, signal: -60)
        let warning =
            "Only one app can have this transmitter. Paired with this computer, it sends nothing more to the phone's app."
        if isAsked {
            ward.apply(.connection(sensor, ConnectionState(phase: .connecting, attempt: 1)))
            ward.apply(.pairing(sensor, .needed(reason: warning)))
        }
        let pair = ScreenWish.sensor(.pair(address: sensor.address))
        guard isTransmitter || isAsked else { return #expect(ward.press(.character("B")) == pair) }
        #expect(ward.press(.character("B")) == nil)
        for (columns, rows) in [(60, 16), (80, 24), (100, 30), (200, 60)] {
            let grid = ward.drawn(columns, rows)
            let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: " ")
            let words = text.split(separator: " ").joined(separator: " ")
            #expect(words.contains("Pair DexcomAB?") && words.contains("nothing more to the phone's"), "\(columns)")
        }
        #expect(ward.press(.character("n")) == nil)
        #expect(ward.press(.character("B")) == nil)
        #expect(ward.press(.character("y")) == pair)
    }

    @Test("Enter on an empty list does nothing, and says so")
    func connectsNothing() {
        var screen = ScreenState()
        #expect(screen.keyPressed(.enter, in: Ward.empty().state) == nil)
        #expect(screen.dialogs.message == "No sensor is listed.")
    }

    @Test("o lists devices that are no sensors; without it they can be neither seen nor connected")
    func otherDevices() {
        var ward = Ward.empty()
        let speaker = SensorIdentity(address: "11:22:33:44:55:66", name: "JBL Flip 5", kind: .other)
        ward.find(speaker, signal: -70)
        func text() -> String { (0..<24).map { ward.drawn(80, 24).text(row: $0) }.joined(separator: "\n") }
        #expect(!text().contains("JBL"))
        #expect(text().contains("+1 other device (o)"))
        #expect(ward.screen.keyPressed(.enter, in: ward.state) == nil)
        #expect(ward.screen.keyPressed(.character("o"), in: ward.state) == nil)
        #expect(text().contains("JBL"))
        #expect(ward.screen.keyPressed(.enter, in: ward.state) == .sensor(.connect(address: speaker.address)))
        ward.connect(speaker)
        _ = ward.screen.keyPressed(.character("o"), in: ward.state)
        #expect(text().contains("JBL"))
    }

    @Test(
        "s stops and starts scanning, by what the user wants and not by what the adapter does",
        arguments: [true, false])
    func scans(isScanning: Bool) {
        var ward = Ward.empty()
        ward.ready(scanning: isScanning)
        #expect(ward.drawn(80, 24).text(row: 23).contains("s stop scan"))
        #expect(ward.screen.keyPressed(.character("s"), in: ward.state) == .sensor(.setScanning(false)))
        #expect(ward.drawn(80, 24).text(row: 23).contains("s scan"))
        #expect(ward.screen.keyPressed(.character("s"), in: ward.state) == .sensor(.setScanning(true)))
    }

    @Test("a scan that pauses for a connection is still shown as a scan, a stopped one is not")
    func scanPauses() {
        var ward = Ward.empty()
        ward.find(Ward.strap, signal: -60)
        ward.apply(.connection(Ward.strap, ConnectionState(phase: .connecting, attempt: 1)))
        ward.ready(scanning: false)
        #expect(ward.drawn(80, 24).text(row: 0).contains("● scanning"))
        _ = ward.screen.keyPressed(.character("s"), in: ward.state)
        #expect(ward.drawn(80, 24).text(row: 0).contains("○ not scanning"))
        ward.connect(Ward.strap)
        _ = ward.screen.keyPressed(.character("s"), in: ward.state)
        #expect(ward.drawn(80, 24).text(row: 0).contains("○ not scanning"))
    }

    @Test("u changes the unit, a acknowledges, q quits, and a message goes with the next key")
    func others() {
        let ward = Ward.empty()
        var screen = ScreenState()
        screen.dialogs.message = "hello"
        #expect(screen.keyPressed(.character("u"), in: ward.state) == nil)
        #expect(screen.temperatureUnit == .fahrenheit)
        #expect(screen.dialogs.message == "Temperatures are in °F.")
        #expect(screen.keyPressed(.character("e"), in: ward.state) == nil)
        #expect(screen.dialogs.message == nil)
        #expect(screen.keyPressed(.character("q"), in: ward.state) == nil)
        #expect(screen.keyPressed(.character("a"), in: ward.state) == .patient(.acknowledgeAll))
        #expect(screen.dialogs.message == "There is no alarm to acknowledge.")
        #expect(screen.keyPressed(.character("q"), in: ward.state) == .quit)
        #expect(screen.keyPressed(.character("ß"), in: ward.state) == nil)
        #expect(screen.keyPressed(.other, in: ward.state) == nil)
    }

    @Test("Esc never quits: it closes the help, and nothing more")
    func escape() {
        let ward = Ward.empty()
        var screen = ScreenState()
        #expect(screen.keyPressed(.escape, in: ward.state) == nil)
        #expect(screen.keyPressed(.character("?"), in: ward.state) == nil)
        #expect(screen.pages.help != nil)
        #expect(screen.keyPressed(.escape, in: ward.state) == nil)
        #expect(screen.pages.help == nil)
    }

    @Test("under the help no sensor is disconnected, but alarms can be acknowledged")
    func help() {
        let ward = Ward.live(seconds: 2)
        var screen = ScreenState()
        screen.pages.help = LineScroll()
        #expect(screen.keyPressed(.character("a"), in: ward.state) == .patient(.acknowledgeAll))
        #expect(screen.pages.help != nil)
        #expect(screen.keyPressed(.enter, in: ward.state) == nil)
        #expect(screen.pages.help == nil)
    }
}

@Suite("The table of keys")
struct KeyBindingTests {
    static let pages: [ScreenState.Page?] = [nil] + ScreenState.Page.all

    @Test("on no page a key does two things, and every command has a key", arguments: pages)
    func unique(page: ScreenState.Page?) {
        let keys = KeyBinding.table.filter { $0.isUsable(on: page) }.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        #expect(Set(KeyBinding.table.map(\.command)) == Set(Command.allCases))
        #expect(KeyBinding.table.count == Command.allCases.count)
    }

    @Test("the ranks in the key bar differ", arguments: pages)
    func ranks(page: ScreenState.Page?) {
        let ranks = KeyBinding.table.filter { $0.isUsable(on: page) }.compactMap(\.bar?.rank)
        #expect(Set(ranks).count == ranks.count)
    }

    @Test("the help can be scrolled to its end, and says how much is below")
    func helpScrolls() {
        var ward = Ward.help()
        func text() -> String { (0..<24).map { ward.drawn(80, 24).text(row: $0) }.joined(separator: "\n") }
        let last = KeyBinding.table.last { $0.context == .entries }?.explanation ?? "?"
        #expect(!text().contains(last))
        #expect(text().contains("scroll, +"))
        ward.press(.end)
        ward.press(.up)
        ward.press(.down)
        #expect(text().contains("nearby, not connected"))
        #expect(text().contains(last))
        #expect(!text().contains("scroll, +"))
        ward.press(.home)
        #expect(text().contains("not a medical device"))
    }

    @Test("the help names every key of the table")
    func helpIsComplete() {
        var ward = Ward.help()
        // The keys of a replay are named while there is one.
        ward.screen.session.replay = ReplayStatus(range: 0...1, speed: "1")
        let grid = ward.drawn(100, 140)
        let text = (0..<140).map { grid.text(row: $0) }.joined(separator: "\n")
        for binding in KeyBinding.table {
            #expect(text.contains(binding.text(MonitorSettings())))
        }
        #expect(text.contains("not a medical device"))
    }

    @Test("a wide help has two columns, each key in its colour, and still names every key")
    func helpInColumns() {
        let ward = Ward.help()
        for columns in [120, 160, 200] {
            let height = 90
            let grid = ward.drawn(columns, height)
            let rows = (0..<height).map { grid.text(row: $0) }
            let text = rows.joined(separator: " ")
            for binding in ward.screen.keys.bindings where binding.context != .replay {
                // An explanation may be broken into lines; its first words stand behind the key.
                let words = binding.text(MonitorSettings()).split(separator: " ").prefix(3).joined(separator: " ")
                #expect(text.contains(words), "\(columns): \(words)")
            }
            let keys = (0..<height).map { row in
                (0..<columns).filter { grid[$0, row].style.role == .key && grid[$0, row].scalar != " " }
            }
            #expect(keys.contains { row in row.contains { $0 < columns / 2 } && row.contains { $0 > columns / 2 } })
        }
    }
}
