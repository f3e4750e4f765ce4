import VitalDecoders

// The conversation of the newer rings.
extension StoredNights {
    private enum Command {
        static let configuration: UInt8 = 0x00
        static let live: UInt8 = 0x04
        static let pushes: UInt8 = 0x10
        static let setClock: UInt8 = 0xC0
        static let information: UInt8 = 0xE1
        static let battery: UInt8 = 0xE4
        static let list: UInt8 = 0xF1
        static let open: UInt8 = 0xF2
        static let read: UInt8 = 0xF3
        static let close: UInt8 = 0xF4
        static let login: UInt8 = 0xFF
    }

    /// The flag of an answer.
    private enum Flag {
        static let success: UInt8 = 0x01
        static let noFile: UInt8 = 0xE0
        static let refused: UInt8 = 0xF2
        static let busy: UInt8 = 0xFB
        static let unsupported: UInt8 = 0xFD
    }

    /// The first octets of a login: eight of MD5("lepucloud"), hidden by that digest.
    private static let login: [UInt8] = [0x00, 0x68, 0x15, 0x88, 0x72, 0x09, 0x1C, 0xB0]

    mutating func oxyIIReaction(to request: RingProtocol.Request, _ surroundings: Surroundings) -> Reaction {
        func answer(_ flag: UInt8, _ data: [UInt8] = []) -> Reaction {
            .answer(RingProtocol.oxyIIAnswer(request, flag: flag, data))
        }
        switch request.command {
        case Command.login:
            // It is never answered, and nothing says so if it was wrong.
            if request.data.count == 16, request.data.starts(with: Self.login) { session.isLoggedIn = true }
            return .silence
        case Command.pushes:
            session.isQuiet = true
            return .rules(request.octets)
        case Command.live:
            session.isLive = true
            return .rules(request.octets)
        case Command.battery: return .rules(request.octets)
        case Command.configuration:
            session.isConfigured = true
            return answer(Flag.success, configuration)
        case Command.setClock:
            guard request.data.count == 8 else { return answer(Flag.refused) }
            clockToSet = Array(request.data.prefix(7))
            return answer(Flag.success)
        case Command.information: return answer(Flag.success, information(surroundings))
        case Command.list:
            guard session.isLoggedIn else { return .silence }
            let names = stored(at: surroundings.seconds).map { Array($0.name.utf8.prefix(Self.nameLength)) }
            return answer(Flag.success, [UInt8(names.count)] + names.flatMap(Self.padded))
        case Command.open:
            // What comes too early, or while another file is open, is not even refused.
            guard session.isLoggedIn, session.isQuiet, session.isConfigured, opened == nil else { return .silence }
            if session.isLive { return answer(Flag.refused) }
            if isBusy(surroundings) { return answer(Flag.busy) }
            guard request.data.count == 20, request.data[16] == 0 else { return answer(Flag.noFile) }
            let name = Array(request.data.prefix(Self.nameLength).prefix { $0 != 0 })
            guard let size = open(name, at: surroundings.seconds) else { return answer(Flag.noFile) }
            return answer(Flag.success, size)
        case Command.read:
            guard opened != nil, request.data.count == 4 else { return answer(Flag.noFile) }
            let place = request.data.reversed().reduce(0) { $0 << 8 | Int($1) }
            return sendChunk(from: place, surroundings) {
                RingProtocol.oxyIIAnswer(request, flag: Flag.success, $0)
            }
        case Command.close:
            close()
            return answer(Flag.success)
        default: return answer(Flag.unsupported)
        }
    }

    private static func padded(_ name: [UInt8]) -> [UInt8] {
        name + [UInt8](repeating: 0, count: nameLength - name.count)
    }

    /// 60 octets, as an O2Ring S sent them, with the clock and the serial number of this one.
    private func information(_ surroundings: Surroundings) -> [UInt8] {
        let digits = surroundings.name.utf8.filter { (0x30...0x39).contains($0) }.suffix(4)
        var octets: [UInt8] = [0x42, 0, 5, 0, 1, 2, 0, 0, 0] + Array("2D010001".utf8)
        octets += [1, 0x40, 0x08, 0x52, 0x16, 1, 0] + surroundings.clock.octets + [0xE0, 7, 0, 0, 0, 0]
        let serial = Array("263230".utf8) + digits
        octets += [UInt8(serial.count)] + serial
        return octets + [UInt8](repeating: 0, count: 60 - octets.count)
    }

    /// 40 octets: reminders below 88 %, and below 50 or above 120 beats a minute; strength, interval.
    private var configuration: [UInt8] {
        let octets: [UInt8] = [0x31, 88, 50, 120, 20, 20, 0, 2, UInt8(ring.interval), 0]
        return octets + [UInt8](repeating: 0, count: 40 - octets.count)
    }
}
