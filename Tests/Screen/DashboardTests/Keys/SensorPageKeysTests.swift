import Appearance
import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("Keys on the page of one sensor")
struct SensorPageKeysTests {
    private func text(_ ward: Ward, _ columns: Int = 100, _ rows: Int = 30) -> String {
        (0..<rows).map { ward.drawn(columns, rows).text(row: $0) }.joined(separator: "\n")
    }

    @Test("i opens it and starts the inspection; i and Esc close it and end the inspection")
    func opens() {
        for key in [Key.character("i"), .escape] {
            var ward = Ward.live(seconds: 5)
            #expect(ward.press(.character("i")) == .sensor(.inspect(address: Ward.strap.address)))
            #expect(text(ward).contains("SENSOR Polar H10"))
            #expect(ward.press(key) == .sensor(.inspect(address: nil)))
            #expect(ward.screen.pages.current == nil)
        }
    }

    @Test("opening another page also ends the inspection")
    func replaced() {
        var ward = Ward.live(seconds: 5)
        ward.press(.character("i"))
        #expect(ward.press(.character("L")) == .sensor(.inspect(address: nil)))
        #expect(ward.screen.pages.current == .log)
    }

    @Test("without any sensor i does nothing")
    func empty() {
        var ward = Ward.empty()
        #expect(ward.press(.character("i")) == nil)
        #expect(ward.screen.pages.current == nil)
    }

    @Test("left and right go to the sensors beside it in the list, and stop at the ends")
    func neighbours() {
        var ward = Ward.live(seconds: 5)
        ward.press(.home)
        ward.press(.character("i"))
        var seen: [ScreenWish?] = []
        for _ in 0..<5 { seen.append(ward.press(.right)) }
        let addresses = ward.screen.listedSensors(in: ward.state).map(\.identity.address)
        #expect(seen == (addresses.dropFirst() + [addresses[3], addresses[3]]).map { .sensor(.inspect(address: $0)) })
        #expect(ward.press(.left) == .sensor(.inspect(address: addresses[2])))
    }

    @Test("it scrolls line by line and by pages, and no farther than to its last line")
    func scrolls() {
        var ward = Ward.sensorPage()
        for _ in 0..<3 { ward.press(.down) }
        #expect(ward.screen.pages[SensorPage.self].scroll.top == 3)
        ward.press(.up)
        ward.press(.pageDown)
        #expect(ward.screen.pages[SensorPage.self].scroll.top > 10)
        ward.press(.end)
        let end = ward.drawn(80, 24)
        ward.press(.pageDown)
        #expect(ward.screen.dialogs.message == "This is the end.")
        ward.screen.dialogs.message = nil
        #expect(ward.drawn(80, 24) == end)
        ward.press(.home)
        #expect(ward.drawn(80, 24) == Ward.sensorPage().drawn(80, 24))
    }

    @Test("the sensor can be connected, named and paired there as in the list")
    func acts() {
        var ward = Ward.sensorPage()
        ward.press(.character("d"))
        #expect(ward.press(.character("y")) == .sensor(.disconnect(address: Ward.strap.address)))
        ward.press(.character("B"))
        #expect(ward.press(.character("y")) == .sensor(.pair(address: Ward.strap.address)))
        ward.press(.character("n"))
        #expect(ward.screen.dialogs.inputLine != nil)
    }

    @Test("values are decoded field by field beside their octets")
    func decoded() {
        let text = text(Ward.sensorPageEnd(), 100, 60)
        for words in [
            "2A37 Heart Rate Measurement · notify", "16 4D 16 03 08 03", "77 beats a minute", "contact detected",
            "64 %",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }
}

@Suite("Which sensor a vital is taken from, by key")
struct AssignmentKeyTests {
    @Test("v has nothing to choose when no other sensor gives the same")
    func alone() {
        var ward = Ward.live(seconds: 5)
        ward.screen.pages.show(.sensors)
        #expect(ward.press(.character("v")) == nil)
        #expect(ward.screen.dialogs.message?.contains("No other sensor") == true)
    }

    @Test("v takes the one vital that two sensors give, and leaves it to Bedside again")
    func toggles() {
        var ward = Ward.standIn()
        ward.screen.pages.show(.sensors)
        ward.screen.list.selection = Ward.core.address
        let assign = ScreenWish.sensor(.assign(address: Ward.core.address, [.bodyTemperature]))
        #expect(ward.press(.character("v")) == assign)
        ward.screen.list.selection = Ward.thermometer.address
        #expect(ward.press(.character("v")) == .sensor(.assign(address: Ward.thermometer.address, [])))
    }

    @Test("v asks which when two sensors give several vitals")
    func asks() {
        var ward = Ward.assign()
        #expect(ward.screen.dialogs.inputLine != nil)
        #expect(ward.press(.character("2")) == .sensor(.assign(address: "C0:52:49:00:00:09", [.oxygenSaturation])))
    }
}
