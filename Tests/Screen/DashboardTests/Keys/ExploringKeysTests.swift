import Appearance
import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("Keys that explore a device")
struct ExploringKeysTests {
    /// The page of a strap whose services are known.
    private static func page() -> Ward {
        var ward = Ward.live(seconds: 5)
        ward.press(.character("i"))
        ward.showServices(of: Ward.strap)
        return ward
    }

    /// A device that may be written to.
    private static func lamp() -> Ward {
        var ward = page()
        let lamp = SensorCharacteristic(
            number: 0, uuid: "FFF2", properties: ["write"], descriptors: ["2901"],
            offered: [.write, .writeWithoutResponse])
        ward.apply(.services(Ward.strap, [SensorService(uuid: "FFF0", characteristics: [lamp])]))
        ward.press(.tab)
        return ward
    }

    private static func text(_ ward: Ward) -> String {
        (0..<40).map { ward.drawn(100, 40).text(row: $0) }.joined(separator: "\n")
    }

    @Test("Tab selects one characteristic after another, and begins again")
    func selection() {
        var ward = Self.page()
        var seen: [Int?] = []
        for _ in 0..<10 {
            ward.press(.tab)
            seen.append(ward.screen.pages[SensorPage.self].characteristic)
        }
        #expect(seen == [0, 1, 2, 3, 4, 5, 6, 7, 8, 0])
        #expect(Self.text(ward).contains("▶ 2A37"))
    }

    @Test("what the characteristic offers is asked for, and done")
    func asked() {
        var ward = Self.page()
        ward.press(.character("E"))
        #expect(ward.screen.dialogs.message == "Select a characteristic first: Tab.")
        ward.press(.tab)
        ward.press(.character("E"))
        #expect(
            ward.press(.character("s"))
                == .sensor(.explore(address: Ward.strap.address, characteristic: 0, .subscribe)))
        ward.press(.tab)
        ward.press(.character("E"))
        #expect(
            ward.press(.character("r")) == .sensor(.explore(address: Ward.strap.address, characteristic: 1, .read)))
    }

    @Test("a control point offers nothing to write, and says why")
    func controlPoint() {
        var ward = Self.page()
        for _ in 0..<3 { ward.press(.tab) }
        ward.press(.character("E"))
        #expect(ward.screen.dialogs.inputLine == nil)
        #expect(ward.screen.dialogs.message?.contains("nothing may be written") == true)
    }

    @Test("octets are typed before they are written; what is no octets is refused with a sentence")
    func written() {
        var ward = Self.lamp()
        #expect(Self.text(ward).contains("descriptor 2901 User Description"))
        ward.press(.character("E"))
        ward.press(.character("w"))
        for scalar in "A1 0".unicodeScalars { ward.press(.character(scalar)) }
        #expect(ward.press(.enter) == nil)
        #expect(ward.screen.dialogs.explanation?.contains("pairs of hexadecimal digits") == true)
        ward.press(.character("7"))
        #expect(
            ward.press(.enter)
                == .sensor(
                    .explore(
                        address: Ward.strap.address, characteristic: 0, .write([0xA1, 7], withResponse: true))))
        ward.press(.character("E"))
        ward.press(.character("n"))
        #expect(ward.press(.escape) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
    }
}
