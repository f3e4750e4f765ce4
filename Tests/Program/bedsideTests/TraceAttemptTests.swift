import CommandLineInterface
import Testing
import VitalDecoders
import Vitals

@testable import bedside

@Suite("What trace tries on a sensor")
struct TraceAttemptTests {
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private static func attempts(_ words: String) throws -> [TraceAttempt] {
        try TraceAttempt.all(try CommandLineArguments(parsing: words.split(separator: " ").map(String.init)))
    }

    private static func characteristic(
        _ number: Int, _ uuid: String, _ offered: [Exploration.Kind]
    ) -> SensorCharacteristic {
        SensorCharacteristic(number: number, uuid: uuid, properties: [], offered: offered)
    }

    private static let services = [
        SensorService(
            uuid: "180D",
            characteristics: [
                characteristic(0, "2A37", [.subscribe, .unsubscribe]), characteristic(1, "2A39", []),
                characteristic(2, "FFF1", []), characteristic(3, "FFF1", [.read, .writeWithoutResponse]),
            ])
    ]

    @Test("is read from the command line")
    func read() throws {
        #expect(
            try Self.attempts("trace x --write FFF1=01a0 --read 2a19 --subscribe 2A37") == [
                TraceAttempt(uuid: BluetoothUUID(0x2A19), kind: .read),
                TraceAttempt(uuid: BluetoothUUID(0x2A37), kind: .subscribe),
                TraceAttempt(uuid: BluetoothUUID(0xFFF1), kind: .write([1, 0xA0])),
            ])
        for words in ["--read zz", "--write FFF1", "--write FFF1=", "--write FFF1=0", "--write q=01"] {
            #expect(throws: CommandError.self) { try Self.attempts("trace x " + words) }
        }
    }

    @Test("is made once, as soon as the services are known, after the answer to the one before, where it is offered")
    func made() throws {
        var attempts = TraceAttempts(
            try Self.attempts("trace x --read FFF1 --read 2A00 --subscribe 2A37 --write FFF1=01 --write 2A39=01"))
        attempts.know(Self.services, of: Self.strap)
        #expect(attempts.next() == nil)
        attempts.address = Self.strap.address
        attempts.know(Self.services, of: Self.strap)
        func wish(_ number: Int, _ exploration: Exploration) -> TraceAttempts.Outcome {
            .wish(.explore(address: Self.strap.address, characteristic: number, exploration))
        }
        #expect(attempts.next() == wish(3, .read))
        attempts.answered("e-Oximeter, FFF1: read.")
        #expect(attempts.next() == nil)
        let read = TraceEntry.Operation.read(TraceEntry.Attribute(uuid: "FFF1", handle: 1))
        attempts.answered(TraceEntry(address: Self.strap.address, name: "", kind: .asked(read)))
        #expect(attempts.next() == nil)
        attempts.answered(TraceEntry(address: Self.strap.address, name: "", kind: .done(read, .shown([]))))
        #expect(attempts.next() == .impossible("Polar H10 has no characteristic 2A00."))
        #expect(attempts.next() == wish(0, .subscribe))
        #expect(attempts.next() == nil)
        attempts.answered("Polar H10, 2A37: subscribed until the link ends.")
        #expect(attempts.next() == wish(3, .write([1], withResponse: false)))
        attempts.answered("Polar H10, FFF1: written.")
        #expect(attempts.next() == .impossible("Polar H10, 2A39: this is not offered. Nothing was done."))
        #expect(attempts.next() == nil && !attempts.isWaiting)
    }

    @Test("writes nothing without an answer, unless that was said before")
    func confirmed() throws {
        let arguments = try CommandLineArguments(parsing: ["trace", "x", "--write", "FFF1=01", "--yes"])
        try TraceAttempt.confirm(try TraceAttempt.all(arguments), of: "x", arguments)
    }
}
