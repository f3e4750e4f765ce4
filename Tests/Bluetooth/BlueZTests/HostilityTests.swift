import DBus
import Foundation
import TestSupport
import Testing

@testable import BlueZ

@Suite("Hostile and wrong input", .timeLimit(.minutes(10)))
struct HostilityTests {
    @Test("signals that others send, though addressed as the daemon's, change nothing")
    func foreignSender() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        let stranger = try await DBusConnection.connect(to: .address(bench.bus.address), on: bench.daemonLoop.loop)
        // A stranger's broadcast does not even pass the match rules; so it takes the daemon's name for a moment.
        try await fake.connection.releaseName("org.bluez")
        #expect(try await stranger.requestName("org.bluez"))
        try await bench.wait(for: "daemon gone")
        try await fake.notify([6, 6, 6])
        try await fake.changeDevice([("Name", .string("Fiend"))])
        try await stranger.releaseName("org.bluez")
        #expect(try await fake.connection.requestName("org.bluez"))
        try await bench.wait(for: "Fiend resolved")
        #expect(bench.notifications.isEmpty)
        #expect(!bench.text.contains("Fiend changed"))
        await stranger.close()
        await fake.die()
    }

    @Test("signals that a stranger addresses to us alone, past all match rules, are counted and change nothing")
    func directedSignals() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        let us = try #require(await bench.bluez.connection?.uniqueName)
        let forged: [[String]] = [
            ["/org/freedesktop/DBus", Name.bus + ".NameOwnerChanged", "string:org.bluez", "string::1.1", "string:"],
            [
                Strap.measurement, Name.properties + ".PropertiesChanged", "string:" + Name.characteristic,
                "dict:string:string:Value,1", "array:string:",
            ],
            ["/", Name.objectManager + ".InterfacesRemoved", "objpath:" + Strap.device, "array:string:" + Name.device],
        ]
        for words in forged { try send(to: us, bench.bus.address, words) }
        // Of the first one the connection itself sees that it is not the bus's.
        try await awaitCondition("two forged signals") { await bench.bluez.ignored.foreignSignals == 2 }
        try await fake.notify([1])
        try await bench.wait(forNotifications: [[1]])
        #expect(bench.text.suffix(2) == ["Polar resolved", "2a37 [1]"])
        await fake.die()
    }

    /// Sends a signal to one receiver, which our own D-Bus module has no call for.
    private func send(to receiver: String, _ bus: String, _ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["dbus-send", "--bus=\(bus)", "--type=signal", "--dest=\(receiver)"] + words
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("properties and signals of wrong types are counted and ignored, and the next right one is taken")
    func wrongTypes() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        let measurement = try path(Strap.measurement)
        let values: [DBusValue] = [
            .string("98"), .array([.uint16(6)], of: .uint16), .byte(6), .variant(.bytes([6])), .structure([.byte(1)]),
            .properties([]), .boolean(true),
        ]
        for value in values {
            try await fake.connection.emit(
                measurement, Name.properties, "PropertiesChanged",
                [.string(Name.characteristic), .properties([("Value", value)]), .strings([])])
        }
        let arguments: [[DBusValue]] = [
            [], [.uint32(1)], [.string(Name.characteristic)], [.string(Name.characteristic), .string("Value")],
            [.string(Name.characteristic), .strings(["Value"]), .strings([])],
            [
                .string(Name.characteristic),
                .dictionary([DBusEntry(.string("Value"), .bytes([1]))], key: .string, value: .bytes), .strings([]),
            ],
            [
                .string(Name.characteristic),
                .dictionary([DBusEntry(.byte(1), .variant(.bytes([1])))], key: .byte, value: .variant), .strings([]),
            ],
            [.string(Name.device), .properties([("Connected", .bytes([0]))]), .strings([])],
            [.string(Name.device), .uint64(.max), .uint64(.max)],
        ]
        for list in arguments {
            try await fake.connection.emit(measurement, Name.properties, "PropertiesChanged", list)
            try await fake.connection.emit(.root, Name.objectManager, "InterfacesAdded", list)
            try await fake.connection.emit(.root, Name.objectManager, "InterfacesRemoved", list)
        }
        try await fake.notify([42])
        try await bench.wait(forNotifications: [[42]])
        #expect(bench.notifications == [[42]])
        #expect(!bench.text.contains("Polar disconnected"))
        #expect(await bench.bluez.ignored.malformed >= values.count)
        await fake.die()
    }
}
