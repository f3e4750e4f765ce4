import BluetoothValues
import DeviceLists
import TestSupport
import Testing

private let strap = BluetoothAddress(rawValue: 0xC052_4900_0002)
private let cuff = BluetoothAddress(rawValue: 0xC052_4900_0003)
private let scale = BluetoothAddress(rawValue: 0xC052_4900_0004)

@Suite("Remembered devices")
struct RememberedDevicesTests {
    private func three() throws -> RememberedDevices {
        var devices = RememberedDevices()
        try devices.remember(strap, named: "My strap", kind: "HeartRateSensor", at: 1000)
        try devices.remember(cuff, named: "The cuff", kind: "BloodPressureSensor", variant: "wrist", at: 2000)
        try devices.remember(scale, named: "Scale", kind: "WeightScaleSensor", at: 3000)
        return devices
    }

    @Test("a device is remembered with what was said about it, as the last one")
    func remembers() throws {
        let devices = try three()
        #expect(devices.devices.map(\.address) == [strap, cuff, scale])
        let device = try #require(devices[cuff])
        #expect(device.name == "The cuff")
        #expect(device.kind == "BloodPressureSensor")
        #expect(device.variant == "wrist")
        #expect(device.added == 2000)
        #expect(device.lastSeen == nil && device.lastConnected == nil && device.batteryPercent == nil)
        #expect(device.connectsAutomatically)
        #expect(devices.devices(ofKind: "HeartRateSensor").map(\.address) == [strap])
        #expect(devices[BluetoothAddress(rawValue: 7)] == nil)
    }

    @Test("one that is remembered again keeps its place and its notes, and gets the new name")
    func again() throws {
        var devices = try three()
        devices.noteConnected(strap, at: 5000)
        try devices.remember(strap, named: "Her strap", kind: "PolarHeartRateSensor", at: 9000)
        #expect(devices.devices.map(\.address) == [strap, cuff, scale])
        #expect(devices[strap]?.name == "Her strap")
        #expect(devices[strap]?.kind == "PolarHeartRateSensor")
        #expect(devices[strap]?.added == 1000)
        #expect(devices[strap]?.lastConnected == 5000)
    }

    @Test("what was seen is noted of a remembered device only")
    func notes() throws {
        var devices = try three()
        #expect(devices.noteSeen(strap, at: 4000) == true)
        #expect(devices.noteConnected(cuff, at: 4500) == true)
        #expect(devices.noteBattery(81, cuff) == true)
        #expect(devices.noteVariant("arm", cuff) == true)
        #expect(devices.setConnectsAutomatically(false, scale) == true)
        #expect(devices[strap]?.lastSeen == 4000)
        #expect(devices[strap]?.lastConnected == nil)
        #expect(devices[cuff]?.lastSeen == 4500)
        #expect(devices[cuff]?.lastConnected == 4500)
        #expect(devices[cuff]?.batteryPercent == 81)
        #expect(devices[cuff]?.variant == "arm")
        #expect(devices[scale]?.connectsAutomatically == false)

        let before = devices
        let stranger = BluetoothAddress(rawValue: 7)
        let notes = [
            devices.noteSeen(stranger, at: 1), devices.noteConnected(stranger, at: 1),
            devices.noteBattery(50, stranger),
            devices.noteBattery(101, cuff), devices.noteBattery(-1, cuff), devices.noteVariant("arm", stranger),
            devices.noteVariant(" ", cuff), devices.noteVariant("\u{200B}", cuff), devices.move(stranger, to: 0),
            devices.setConnectsAutomatically(false, stranger),
        ]
        #expect(notes.allSatisfy { !$0 })
        #expect(devices.forget(stranger) == nil)
        #expect(devices == before)
    }

    @Test("a device gets another address only if no other device has it")
    func readdressed() throws {
        var devices = try three()
        let permanent = BluetoothAddress(rawValue: 0x0022_D000_0001)
        #expect(devices.noteAddress(permanent, of: strap) == true)
        #expect(devices[permanent]?.name == "My strap")
        #expect(devices[strap] == nil)
        #expect(devices.noteAddress(cuff, of: permanent) == false)
        #expect(devices.noteAddress(strap, of: strap) == false)
        #expect(devices.devices.map(\.address) == [permanent, cuff, scale])
    }

    @Test(
        "a device is moved to a place, and to the end beyond the ends",
        arguments: [(0, [scale, strap, cuff]), (1, [strap, scale, cuff]), (2, [strap, cuff, scale])]
            + [(-5, [scale, strap, cuff]), (99, [strap, cuff, scale])])
    func moves(place: Int, order: [BluetoothAddress]) throws {
        var devices = try three()
        #expect(devices.move(scale, to: place) == true)
        #expect(devices.devices.map(\.address) == order)
    }

    @Test("a device that is forgotten is gone, with all that was noted")
    func forgets() throws {
        var devices = try three()
        #expect(devices.forget(cuff)?.name == "The cuff")
        #expect(devices.devices.map(\.address) == [strap, scale])
        try devices.remember(cuff, named: "Again", kind: "BloodPressureSensor", at: 9000)
        #expect(devices[cuff]?.added == 9000)
    }

    @Test(
        "a name is one visible line of at most 64 characters",
        arguments: [
            ("Strap", "Strap"), ("  Strap ", "Strap"), ("Str\nap\u{1B}[2J", "Str\u{FFFD}ap\u{FFFD}[2J"),
            ("Oma\u{202E}s", "Omas"), ("Grüße 🫀", "Grüße 🫀"),
            (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
            (String(repeating: "x", count: 65), String(repeating: "x", count: 63) + "…"),
            (String(repeating: "ä", count: 5000), String(repeating: "ä", count: 63) + "…"),
        ])
    func names(name: String, kept: String) throws {
        var devices = try three()
        try devices.rename(strap, to: name)
        #expect(devices[strap]?.name == kept)
        try devices.rename(strap, to: kept)
        #expect(devices[strap]?.name == kept)
    }

    @Test("what cannot be remembered is refused, and nothing changes")
    func refusals() throws {
        var devices = try three()
        let before = devices
        let other = BluetoothAddress(rawValue: 7)
        #expect(throws: RememberingError.noName) { try devices.rename(strap, to: " \u{200B} ") }
        #expect(throws: RememberingError.noName) { try devices.remember(other, named: "", kind: "Kind", at: 0) }
        #expect(throws: RememberingError.noKind) { try devices.remember(other, named: "Name", kind: " ", at: 0) }
        #expect(throws: RememberingError.unknown(other)) { try devices.rename(other, to: "Name") }
        #expect(devices == before)

        for number in 3..<RememberedDevices.greatestCount {
            try devices.remember(BluetoothAddress(rawValue: UInt64(number)), named: "\(number)", kind: "Kind", at: 0)
        }
        #expect(throws: RememberingError.full(limit: 64)) {
            try devices.remember(BluetoothAddress(rawValue: 99), named: "One more", kind: "Kind", at: 0)
        }
        try devices.remember(strap, named: "Known", kind: "Kind", at: 0)
        #expect(devices.devices.count == 64)
        let errors: [RememberingError] = [.noName, .noKind, .full(limit: 64), .unknown(other)]
        for error in errors { #expect("\(error)".hasSuffix(".")) }
    }

    @Test(
        "whatever happens in whatever order, the list is what a plain table says, and survives as JSON",
        arguments: 1...10)
    func randomOperations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var devices = RememberedDevices()
        var order: [BluetoothAddress] = []
        var names: [BluetoothAddress: String] = [:]
        var seen: [BluetoothAddress: Int64] = [:]
        let texts = ["Strap", "", "\u{1B}[31m", "Grüße 🫀", "\u{200B}", String(repeating: "long ", count: 40), " a\tb "]
        for _ in 0..<400 {
            let address = BluetoothAddress(rawValue: .random(in: 0..<80, using: &random))
            let moment = Int64.random(in: .min ... .max, using: &random)
            let text = texts.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let wasFull = order.count == RememberedDevices.greatestCount && names[address] == nil
                let isDone =
                    (try? devices.remember(address, named: text, kind: "Kind", variant: text, at: moment)) != nil
                #expect(isDone == (text != "" && text != "\u{200B}" && !wasFull))
                guard isDone else { break }
                if names[address] == nil { order.append(address) }
                names[address] = devices[address]?.name
            case 3:
                #expect((devices.forget(address) != nil) == (names[address] != nil))
                order.removeAll { $0 == address }
                (names[address], seen[address]) = (nil, nil)
            case 4:
                let place = Int.random(in: -2..<90, using: &random)
                if devices.move(address, to: place) {
                    order.removeAll { $0 == address }
                    order.insert(address, at: min(max(0, place), order.count))
                }
            case 5:
                if (try? devices.rename(address, to: text)) != nil { names[address] = devices[address]?.name }
            case 6:
                if devices.noteSeen(address, at: moment) { seen[address] = moment }
            default:
                devices.noteBattery(.random(in: -20..<130, using: &random), address)
                devices.setConnectsAutomatically(.random(using: &random), address)
            }
            #expect(devices.devices.map(\.address) == order)
        }
        #expect(devices.devices.count <= RememberedDevices.greatestCount)
        for device in devices.devices {
            #expect(device.name == names[device.address])
            #expect(device.lastSeen == seen[device.address])
            #expect((1...64).contains(device.name.unicodeScalars.count))
            #expect(device.name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(device.batteryPercent.map { 0...100 ~= $0 } != false)
        }
        #expect(try RememberedDevices(json: devices.json()) == devices)
    }
}
