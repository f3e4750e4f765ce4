import BluetoothValues
import DeviceLists
import Foundation
import TestSupport
import Testing

@Suite("Lists as JSON")
struct StoredListTests {
    private static let device = """
        {"address":"C0:52:49:00:00:02","name":"Strap","kind":"HeartRateSensor","added":1000,"connectsAutomatically":true}
        """

    private func json(_ devices: String..., version: Int = 1) -> String {
        """
        {"format":"remembered devices","version":\(version),"content":{"devices":[\(devices.joined(separator: ","))]}}
        """
    }

    @Test("a list is one line of JSON with its format and version")
    func text() throws {
        var devices = RememberedDevices()
        let address = BluetoothAddress(rawValue: 0xC052_4900_0002)
        try devices.remember(address, named: "Strap", kind: "HeartRateSensor", at: 1000)
        #expect(String(decoding: try devices.json(), as: UTF8.self) == json(Self.device) + "\n")
        devices.noteConnected(address, at: 3000)
        devices.noteSeen(address, at: 2000)
        devices.noteBattery(7, address)
        devices.noteVariant("belt", address)
        devices.setConnectsAutomatically(false, address)
        #expect(try RememberedDevices(json: devices.json()) == devices)
        #expect(try RememberedDevices(json: RememberedDevices().json()) == RememberedDevices())
    }

    @Test("another coder of Codable gets the same list")
    func codable() throws {
        let devices = try RememberedDevices(json: Array(json(Self.device).utf8))
        let data = try JSONEncoder().encode(devices)
        #expect(try JSONDecoder().decode(RememberedDevices.self, from: data) == devices)
    }

    @Test(
        "what is something else is called foreign", arguments: ["[]", "{}", "7", #"{"format":"recipes","version":1}"#])
    func foreign(text: String) {
        #expect(throws: StoredListFormatError.foreign(expected: "remembered devices")) {
            try RememberedDevices(json: Array(text.utf8))
        }
    }

    @Test("what a newer program wrote is called newer, whatever is in it")
    func newer() {
        let text = #"{"format":"remembered devices","version":2,"content":[]}"#
        #expect(throws: StoredListFormatError.newer(version: 2)) { try RememberedDevices(json: Array(text.utf8)) }
    }

    @Test("what cannot be is called damaged, with a reason")
    func damaged() throws {
        func with(_ old: String, _ new: String) throws -> String {
            try #require(Self.device.contains(old))
            return json(Self.device.replacingOccurrences(of: old, with: new))
        }
        let texts = [
            "", "{", json(Self.device) + "}", json("7"), json(Self.device, Self.device), json(Self.device, version: 0),
            try with("Strap", ""), try with("Strap", " Strap"), try with("Strap", "Str\\nap"),
            try with("Strap", String(repeating: "x", count: 65)), try with("HeartRateSensor", "\\u001b"),
            try with("C0:52", "C052"), try with("1000", "1e30"), try with("1000", "\"x\""), try with("true", "1"),
            try with("\"added\"", "\"batteryPercent\":101,\"added\""),
            try with("\"added\"", "\"variant\":\"\",\"added\""),
            try with("\"name\":\"Strap\",", ""), #"{"format":"remembered devices","version":1}"#,
            json(
                (0..<65).map { Self.device.replacingOccurrences(of: "00:02", with: "01:\(10 + $0)") }.joined(
                    separator: ",")),
        ]
        for text in texts {
            do throws(StoredListFormatError) {
                _ = try RememberedDevices(json: Array(text.utf8))
                Issue.record("\(text)")
            } catch {
                guard case .damaged(let reason) = error else {
                    Issue.record("\(text): \(error)")
                    continue
                }
                #expect(!reason.isEmpty && error.description == "It is damaged: \(reason).")
            }
        }
    }

    @Test("members that are not known are left out of account")
    func otherMembers() throws {
        let text = json(Self.device.replacingOccurrences(of: "{", with: #"{"colour":"red","#))
        #expect(try RememberedDevices(json: Array(text.utf8)).devices.count == 1)
    }

    @Test("no damage makes a list that could not have been made here", arguments: 1...8)
    func randomDamage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var devices = RememberedDevices()
        for number in 0..<5 {
            let address = BluetoothAddress(rawValue: UInt64(number))
            try devices.remember(address, named: "Device \(number)", kind: "Kind", variant: "v", at: Int64(number))
            devices.noteBattery(number * 20, address)
        }
        let bytes = try devices.json()
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: damaged[index] = .random(in: .min ... .max, using: &random)
                case 1: damaged.remove(at: index)
                default: damaged.insert(damaged[Int.random(in: 0..<damaged.count, using: &random)], at: index)
                }
            }
            guard let read = try? RememberedDevices(json: damaged) else { continue }
            var made = RememberedDevices()
            for device in read.devices {
                try made.remember(
                    device.address, named: device.name, kind: device.kind, variant: device.variant, at: device.added)
                #expect(made[device.address]?.name == device.name)
                #expect(made[device.address]?.variant == device.variant)
            }
            #expect(made.devices.count == read.devices.count)
            #expect(try RememberedDevices(json: read.json()) == read)
        }
    }
}
