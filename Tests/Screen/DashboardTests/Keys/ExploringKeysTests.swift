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
        #expect(ward.press(.enter) == nil)
        #expect(Self.text(ward).contains("Write A1 07?"))
        #expect(
            ward.press(.character("y"))
                == .sensor(
                    .explore(
                        address: Ward.strap.address, characteristic: 0, .write([0xA1, 7], withResponse: true))))
        ward.press(.character("E"))
        ward.press(.character("n"))
        #expect(ward.press(.escape) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("octets are not written where the question is answered with no")
    func notWritten() {
        var ward = Self.lamp()
        for key in ["E", "w", "0", "1"] { ward.press(.character(Unicode.Scalar(key)!)) }
        #expect(ward.press(.enter) == nil)
        #expect(ward.press(.character("n")) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("the last values of the selected characteristic are shown with their times, and all of the page again")
    func octets() {
        var ward = Self.page()
        ward.press(.character("o"))
        #expect(ward.screen.pages[SensorPage.self].characteristic == 0)
        ward.press(.tab)
        ward.press(.tab)
        ward.press(.tab)
        #expect(Self.text(ward).contains("2A29 Manufacturer Name String · read"))
        #expect(Self.text(ward).contains("50 6F 6C 61 72"))
        #expect(!Self.text(ward).contains("DEVICE INFORMATION"))
        for count in 0..<120 {
            ward.pass(1)
            ward.apply(
                .octets(Ward.strap, CharacteristicOctets(number: 3, octets: [UInt8(count), 0xEE], moment: ward.now)))
        }
        #expect(Self.text(ward).contains("100 values, the newest first"))
        #expect(Self.text(ward).contains("77 EE"))
        ward.press(.end)
        #expect(Self.text(ward).contains("14 EE"))
        #expect(!Self.text(ward).contains("13 EE"))
        ward.press(.character("o"))
        #expect(Self.text(ward).contains("DEVICE INFORMATION"))
    }

    @Test("a characteristic without a value says what to do, and no characteristic when there will be one")
    func noOctets() {
        var ward = Self.page()
        ward.press(.character("o"))
        ward.press(.tab)
        ward.press(.tab)
        #expect(Self.text(ward).contains("No value has come since this page was opened. E reads it"))
        var unknown = Ward.live(seconds: 5)
        unknown.press(.character("i"))
        unknown.press(.character("o"))
        #expect(unknown.screen.dialogs.message == "Its characteristics are known once it is connected.")
        #expect(!unknown.screen.pages[SensorPage.self].showsOctets)
    }

    @Test("what it advertises is on the page, with the names of companies and services")
    func advertised() {
        var ward = Self.page()
        #expect(Self.text(ward).contains("BlueZ knows of nothing that it advertises."))
        let data = AdvertisedData(
            services: ["180D"], companies: [.init(identifier: 0x006B, octets: [0x72, 8])], appearance: 833)
        ward.apply(.advertised(Ward.strap, data))
        #expect(Self.text(ward).contains("180D Heart Rate"))
        #expect(Self.text(ward).contains("0x006B Polar Electro: 72 08"))
        #expect(Self.text(ward).contains("0x0341 heart rate belt"))
    }

    @Test("the key that traces asks for files of the selected sensor, which the page names while they are written")
    func traced() {
        var ward = Self.page()
        #expect(ward.press(.character("t")) == .trace(address: Ward.strap.address))
        ward.screen.session.trace = .init(address: Ward.strap.address, path: "/traces/strap.btsnoop")
        #expect(Self.text(ward).contains("written to /traces/strap.btsnoop · t ends it"))
        ward.screen.session.trace = .init(address: "C0:52:49:00:00:09", path: "/traces/other.btsnoop")
        #expect(!Self.text(ward).contains("other.btsnoop"))
    }
}
