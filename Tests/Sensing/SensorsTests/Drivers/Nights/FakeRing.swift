import SensorDrivers
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

/// A ring with stored nights that answers a driver octet for octet, of either generation.
struct FakeRing {
    let generation: SensorNights.RingGeneration
    /// Its files, by name.
    var files: [String: [UInt8]]
    /// The names that it lists; its files if `nil`.
    var listed: [String]?
    /// Its clock.
    var clock = DateTime(year: 2026, month: 1, day: 2, hour: 3, minute: 0, second: 0)
    /// The state of its contact: 0 off, 1 worn.
    var contact: UInt8 = 0
    /// How many more pieces it hands over; then it is silent.
    var piecesLeft = Int.max
    /// Whether it hands over one piece a second.
    var isSlow = false
    /// What it answers instead, by the command.
    var instead: (UInt8) -> Answer? = { _ in nil }

    /// What a test has the ring answer.
    enum Answer {
        case data([UInt8])
        case error(UInt8)
        case nothing
        case damaged
    }

    /// The commands that came, in order.
    private(set) var commands: [UInt8] = []
    /// The numbers or offsets of the pieces that were asked for.
    private(set) var pieces: [Int] = []
    /// How many writes came.
    private(set) var writes = 0
    private var open: [UInt8]?
    private var wasAskedForValues = false
    private var waiting: [UInt8] = []

    static let pieceLength = 512

    init(_ generation: SensorNights.RingGeneration, _ files: [String: [UInt8]]) {
        (self.generation, self.files) = (generation, files)
    }

    private var isOlder: Bool { generation == .older }

    var driver: any SensorDriver.Type { isOlder ? OximeterRingDriver.self : OxyIIDriver.self }
    var notifying: BluetoothUUID { isOlder ? OximeterRingDriver.notifying : OxyIIDriver.notifying }
    var writing: BluetoothUUID { isOlder ? OximeterRingDriver.writing : OxyIIDriver.writing }

    /// A driver on a new link to it, before its first answer.
    func connected(_ nights: DriverNights) -> DriverBench {
        var bench =
            isOlder
            ? DriverBench(OximeterRingDriver.self, nights: nights) : DriverBench(OxyIIDriver.self, nights: nights)
        bench.connect(isOlder ? Attributes.ring : Attributes.newRing)
        return bench
    }

    /// A driver on a new link, with all that follows at once.
    mutating func played(_ nights: DriverNights) -> DriverBench {
        beginLink()
        var bench = connected(nights)
        play(&bench)
        return bench
    }

    /// Forgets what belonged to the last link.
    mutating func beginLink() { (open, wasAskedForValues, writes, waiting) = (nil, false, 0, []) }

    /// Answers everything that was written and not answered.
    mutating func play(_ bench: inout DriverBench) {
        let before = pieces.count
        while writes < bench.written(to: writing).count {
            let write = bench.written(to: writing)[writes]
            if isSlow, pieces.count > before, write[1] == (isOlder ? 0x04 : 0xF3) { return }
            writes += 1
            for answer in answers(to: write) {
                for start in stride(from: 0, to: answer.count, by: 200) {
                    bench.receive(Array(answer[start..<min(answer.count, start + 200)]), from: notifying)
                }
            }
        }
    }

    /// Lets time pass, in which it answers.
    mutating func wait(_ seconds: Int, _ bench: inout DriverBench) {
        for _ in 0..<seconds where !bench.state.isOver {
            bench.wait(.seconds(1))
            play(&bench)
        }
    }

    // MARK: Its protocol

    /// What it sends for a write.
    mutating func answers(to write: [UInt8]) -> [[UInt8]] {
        waiting += write
        let length = waiting.count >= 7 ? Int(waiting[5]) | Int(waiting[6]) << 8 : 0
        guard waiting.count >= 8 + length else { return [] }
        let (command, number) = (waiting[1], Int(waiting[3]) | Int(waiting[4]) << 8)
        let data = Array(waiting[7..<7 + length])
        waiting = []
        commands.append(command)
        let answer = instead(command) ?? (isOlder ? older(command, data, number) : newer(command, data))
        switch answer {
        case .nothing: return []
        case .data(let data): return [frame(command, data, flag: isOlder ? 0 : 1)]
        case .error(let code): return [frame(command, [], flag: code)]
        case .damaged: return [frame(command, [1, 2, 3], flag: isOlder ? 0 : 1).dropLast() + [0xEE]]
        }
    }

    private func frame(_ command: UInt8, _ data: [UInt8], flag: UInt8) -> [UInt8] {
        if !isOlder { return viatomAnswer(command, data, flag: flag) }
        var octets: [UInt8] = [0x55, flag, ~flag, 0, 0, UInt8(data.count & 255), UInt8(data.count >> 8)]
        octets += data
        return octets + [Checksum.crc8(octets)]
    }

    private mutating func older(_ command: UInt8, _ data: [UInt8], _ number: Int) -> Answer {
        switch command {
        case 0x14:
            let time = DeviceTime(clock)?.text.split(separator: "T").joined(separator: ",") ?? ""
            let names = (listed ?? files.keys.sorted()).joined(separator: ",")
            let text = "{\"Model\":\"1652\",\"CurTIME\":\"\(time)\",\"CurBAT\":\"85%\",\"FileList\":\"\(names),\"}\0\0"
            return .data([UInt8](text.utf8))
        case 0x03: return opened(data)
        case 0x04: return piece(at: number * Self.pieceLength, asked: number)
        case 0x05:
            open = nil
            return .data([])
        case 0x17:
            var values: [UInt8] = [0, 0, 0, 16, 0, 0, 0, 85, 0, 0, 25, contact]
            if contact == 1 { (values[0], values[1]) = (97, 60) }
            return .data(values)
        default: return .error(0xFF)
        }
    }

    private mutating func newer(_ command: UInt8, _ data: [UInt8]) -> Answer {
        switch command {
        case 0xFF: return .nothing
        case 0x10: return .data([])
        case 0x00: return .data(Array(repeating: 7, count: 40))
        case 0xE1:
            let year = clock.year ?? 0
            var data = [UInt8](repeating: 0, count: 60)
            data[24] = UInt8(year & 255)
            data[25] = UInt8(year >> 8)
            data[26] = clock.month ?? 0
            data[27] = clock.day ?? 0
            data[28] = clock.hour
            data[29] = clock.minute
            data[30] = clock.second
            return .data(data)
        case 0xF1:
            let names = listed ?? files.keys.sorted()
            var data = [UInt8(names.count)]
            for name in names {
                let octets = [UInt8](name.utf8.prefix(16))
                data += octets
                data += [UInt8](repeating: 0, count: 16 - octets.count)
            }
            return .data(data)
        case 0xF2: return wasAskedForValues || open != nil ? .error(0xF2) : opened(data)
        case 0xF3:
            let offset = Int(littleEndian: data)
            return piece(at: offset, asked: offset)
        case 0xF4:
            open = nil
            return .data([])
        case 0x04:
            wasAskedForValues = true
            var data: [UInt8] = [77, 0, 0, 0, 2, contact, 97, 25, 62, 0, 0, 3, 0, 80]
            data += [UInt8](repeating: 0, count: 12)
            return .data(data)
        default: return .error(0xFD)
        }
    }

    private mutating func opened(_ data: [UInt8]) -> Answer {
        let name = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
        guard let file = files[name] else { return .error(isOlder ? 1 : 0xE0) }
        open = file
        return .data(NightFileExample.word(file.count))
    }

    private mutating func piece(at offset: Int, asked: Int) -> Answer {
        guard let open else { return .error(0xF2) }
        guard piecesLeft > 0 else { return .nothing }
        piecesLeft -= 1
        pieces.append(asked)
        return .data(Array(open.dropFirst(offset).prefix(Self.pieceLength)))
    }
}

/// Files as rings write them.
enum NightFileExample {
    /// The file of a night.
    ///
    /// - Parameters:
    ///   - samples: How many samples.
    ///   - start: When it begins.
    ///   - isComplete: Whether the ring has completed it.
    static func octets(
        _ generation: SensorNights.RingGeneration, samples: Int, start: DateTime, isComplete: Bool = true
    ) -> [UInt8] {
        generation == .older ? older(samples: samples, start: start) : newer(samples, start, isComplete: isComplete)
    }

    /// A word of four octets.
    static func word(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func older(samples: Int, start: DateTime) -> [UInt8] {
        let (size, duration, year) = (40 + 5 * samples, 4 * samples, start.year ?? 0)
        var octets: [UInt8] = [3, 0, UInt8(year & 255), UInt8(year >> 8), start.month ?? 0, start.day ?? 0]
        octets += [start.hour, start.minute, start.second]
        octets += Self.word(size)
        octets += [UInt8(truncatingIfNeeded: duration), UInt8(truncatingIfNeeded: duration >> 8)]
        octets += [UInt8](repeating: 0, count: 40 - octets.count)
        for index in 0..<samples { octets += [UInt8(90 + index % 9), UInt8(50 + index % 40), 0, 0, 0] }
        return octets
    }

    private static func newer(_ samples: Int, _ start: DateTime, isComplete: Bool) -> [UInt8] {
        var octets: [UInt8] = [1, 3, 0, 0, 0, 0, 0, 0, 4, 0]
        for index in 0..<samples { octets += [UInt8(90 + index % 9), UInt8(50 + index % 40), 0] }
        guard isComplete else { return octets }
        let sum = octets.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        let seconds = DeviceTime(start).flatMap { DriverBench.milliseconds($0) }.map { UInt32($0 / 1000) } ?? 0
        let words: [UInt32] = [sum, 0xDA5A_1248, seconds, UInt32(samples)]
        for word in words {
            octets += Self.word(Int(word))
        }
        octets += [1, 1, 3]
        return octets + [UInt8](repeating: 0, count: 29)
    }
}
