import JSON
import VitalDecoders

// The conversation of the older rings.
extension StoredNights {
    private enum Command {
        static let open: UInt8 = 0x03
        static let read: UInt8 = 0x04
        static let close: UInt8 = 0x05
        static let information: UInt8 = 0x14
        static let ping: UInt8 = 0x15
        static let settings: UInt8 = 0x16
    }

    /// The status of an answer by which the ring refuses; 0 is success, and nothing public tells the others apart.
    private static let refused: UInt8 = 1

    mutating func viatomReaction(to request: RingProtocol.Request, _ surroundings: Surroundings) -> Reaction {
        func answer(_ octets: [UInt8]) -> Reaction { .answer(octets) }
        let refusal = answer(RingProtocol.viatomAnswer(status: Self.refused))
        switch request.command {
        case Command.information: return answer(RingProtocol.viatomAnswer(information(surroundings)))
        case Command.ping: return answer(RingProtocol.viatomAnswer())
        case Command.settings:
            // It takes every setting, and says nothing of those that it does not know.
            guard let settings = Self.settings(request.data) else { return refusal }
            clockToSet = settings["SetTIME"]?.text.flatMap { DateTime(ringText: $0) }?.octets
            return answer(RingProtocol.viatomAnswer())
        case Command.open:
            if isBusy(surroundings) { return refusal }
            let name = request.data.last == 0 ? Array(request.data.dropLast()) : request.data
            guard let size = open(name, at: surroundings.seconds) else { return refusal }
            return answer(RingProtocol.viatomAnswer(size))
        case Command.read:
            guard opened != nil else { return refusal }
            return sendChunk(from: Int(request.block) * Self.chunk, surroundings) {
                RingProtocol.viatomAnswer(block: request.block, $0)
            }
        case Command.close:
            close()
            return answer(RingProtocol.viatomAnswer())
        default: return .rules(request.octets)
        }
    }

    /// What an older ring says of itself: JSON with the names of its files, a comma behind each.
    private func information(_ surroundings: Surroundings) -> [UInt8] {
        let names = stored(at: surroundings.seconds).map { $0.name + "," }.joined()
        let charge = Int(max(0, min(100, surroundings.quantity("charge").rounded())))
        let digits = surroundings.name.filter { $0.isASCII && $0.isNumber }.suffix(4)
        var json = JSONWriter()
        json.beginObject()
        for (key, value) in [
            ("Region", "CE"), ("Model", "1652"), ("HardwareVer", "AA"), ("SoftwareVer", "1.9.0"),
            ("BootloaderVer", "1.0.0"), ("FileVer", "3"), ("SPCPVer", "1.3"), ("SN", "211500\(digits)"),
            ("CurTIME", surroundings.clock.ringText), ("CurBAT", "\(charge)%"), ("CurBatState", "0"),
            ("CurOxiThr", "88"), ("CurMotor", "60"), ("CurMode", "0"), ("BranchCode", "15010000"),
            ("FileList", names),
        ] {
            json.key(key)
            json.string(value)
        }
        json.endObject()
        return json.bytes
    }

    /// The settings of a request, as JSON; `nil` if it is none.
    private static func settings(_ data: [UInt8]) -> JSON5Value? {
        guard let text = String(validating: data, as: UTF8.self), let value = try? JSON5Parser.parse(text),
            value.members != nil
        else { return nil }
        return value
    }
}
