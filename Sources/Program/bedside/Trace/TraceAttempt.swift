import Base
import CommandLineInterface
import Glibc
import VitalDecoders
import Vitals

/// Something to try on a characteristic of the traced sensor, from the command line.
struct TraceAttempt: Hashable {
    /// The characteristic.
    var uuid: BluetoothUUID
    var kind: Kind

    enum Kind: Hashable {
        case read, subscribe
        case write([UInt8])
    }

    /// All attempts of a command line: reads, then subscriptions, then writes.
    ///
    /// - Throws: ``CommandError`` for one that cannot be read.
    static func all(_ arguments: CommandLineArguments) throws(CommandError) -> [TraceAttempt] {
        var attempts: [TraceAttempt] = []
        for text in arguments.values(of: .traceRead) {
            attempts.append(TraceAttempt(uuid: try uuid(text, arguments), kind: .read))
        }
        for text in arguments.values(of: .traceSubscribe) {
            attempts.append(TraceAttempt(uuid: try uuid(text, arguments), kind: .subscribe))
        }
        for text in arguments.values(of: .traceWrite) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let octets = try? Hexadecimal.octets(parts[1].utf8), !octets.isEmpty,
                octets.count <= CharacteristicOctets.limit
            else { throw arguments.mistake("--write takes UUID=HEX, such as FFE1=01A0, not '\(sanitized(text))'") }
            attempts.append(TraceAttempt(uuid: try uuid(String(parts[0]), arguments), kind: .write(octets)))
        }
        return attempts
    }

    private static func uuid(
        _ text: String, _ arguments: CommandLineArguments
    ) throws(CommandError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else {
            throw arguments.mistake("'\(sanitized(text))' is not a UUID such as 2A37")
        }
        return uuid
    }

    /// Asks before anything is written to a device.
    ///
    /// - Throws: ``CommandError`` where the user does not want it, or cannot be asked.
    static func confirm(
        _ attempts: [TraceAttempt], of sensor: String, _ arguments: CommandLineArguments
    ) throws(CommandError) {
        if arguments.has(.traceYes) { return }
        for attempt in attempts {
            guard case .write(let octets) = attempt.kind else { continue }
            let what = "\(Hexadecimal.text(octets)) to \(attempt.uuid) of \(sanitized(sensor))"
            guard isatty(STDIN_FILENO) == 1 else {
                throw CommandError(
                    "Not written: \(what) needs an answer on a terminal, or --yes.", status: .usage)
            }
            complain("Writing may change how the device works. Write \(what)? [y/N]")
            guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
                throw CommandError("Nothing was written.", status: .success)
            }
        }
    }
}

/// The attempts that wait for the services of the traced sensor; each is made once, after the answer to the one before.
struct TraceAttempts {
    private var waiting: [TraceAttempt]
    /// The sensor that they are for, once it is known.
    var address: String?
    private var sensor: SensorIdentity?
    private var services: [SensorService] = []
    /// The attempt that waits for its answer; `nil` for none.
    private var asking: TraceAttempt?

    init(_ attempts: [TraceAttempt]) { waiting = attempts }

    var isWaiting: Bool { !waiting.isEmpty }

    /// What becomes of an attempt.
    enum Outcome: Hashable {
        case wish(SensorWish)
        case impossible(String)
    }

    /// Takes the services of a sensor.
    mutating func know(_ services: [SensorService], of sensor: SensorIdentity) {
        if sensor.address == address, !services.isEmpty { (self.sensor, self.services) = (sensor, services) }
    }

    /// Takes a sentence about an attempt: everything but a read is answered by one.
    mutating func answered(_ sentence: String) {
        guard let sensor else { return }
        let isAnswer = ["\(sensor.name), ", "Not done", "The page of the device is closed"].contains {
            sentence.hasPrefix($0)
        }
        if isAnswer { asking = nil }
    }

    /// Takes a step of the trace: the octets of a read are its answer.
    mutating func answered(_ entry: TraceEntry) {
        guard entry.address == address, case .done(.read(let attribute), _) = entry.kind else { return }
        // Bedside reads others by itself meanwhile.
        if let asking, asking.kind == .read, attribute.uuid == asking.uuid.description { self.asking = nil }
    }

    /// The next attempt, now that the services are known and the one before is answered; `nil` for none.
    mutating func next() -> Outcome? {
        guard let sensor, isWaiting, asking == nil else { return nil }
        let attempt = waiting.removeFirst()
        let uuid = attempt.uuid.description
        let found = services.flatMap(\.characteristics).filter { $0.uuid == uuid }
        guard !found.isEmpty else { return .impossible("\(sensor.name) has no characteristic \(uuid).") }
        guard let (number, exploration) = Self.exploration(attempt, found) else {
            return .impossible("\(sensor.name), \(uuid): this is not offered. Nothing was done.")
        }
        asking = attempt
        return .wish(.explore(address: sensor.address, characteristic: number, exploration))
    }

    private static func exploration(
        _ attempt: TraceAttempt, _ found: [SensorCharacteristic]
    ) -> (number: Int, Exploration)? {
        let possible: [Exploration] =
            switch attempt.kind {
            case .read: [.read]
            case .subscribe: [.subscribe]
            case .write(let octets): [.write(octets, withResponse: true), .write(octets, withResponse: false)]
            }
        for characteristic in found {
            if let first = possible.first(where: { characteristic.offered.contains($0.kind) }) {
                return (characteristic.number, first)
            }
        }
        return nil
    }
}
