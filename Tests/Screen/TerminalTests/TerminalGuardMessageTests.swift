import Glibc
import Testing

@testable import Terminal

@Suite("A message to the guard of a terminal")
struct TerminalGuardMessageTests {
    @Test("comes as it was sent, in whatever pieces, and leaves what follows it", arguments: [0, 1, 300, 0xFFFF])
    func pieces(size: Int) throws {
        var (settings, shown) = (termios(), termios())
        (settings.c_lflag, shown.c_iflag) = (0x1234, 0x5678)
        let restoring = (0..<size).map { UInt8($0 & 0xFF) }
        let sent = TerminalGuardMessage(
            program: 4711, settings: settings, shownSettings: shown, restoring: restoring, sentence: "Ended at é"
        ).octets
        var octets: [UInt8] = []
        for octet in sent.dropLast() {
            octets.append(octet)
            // Looked at seldom, because it is long.
            if octets.count % 251 == 0 { #expect(TerminalGuardMessage(takenFrom: &octets) == nil) }
        }
        #expect(TerminalGuardMessage(takenFrom: &octets) == nil && octets.count == sent.count - 1)
        octets += sent.suffix(1) + [TerminalGuardMessage.Owner.program.rawValue]
        let message = try #require(TerminalGuardMessage(takenFrom: &octets))
        #expect(
            message.program == 4711 && message.settings.c_lflag == 0x1234 && message.shownSettings.c_iflag == 0x5678)
        #expect(message.restoring == restoring && message.sentence == Array("Ended at é".utf8))
        #expect(octets == [TerminalGuardMessage.Owner.program.rawValue])
    }

    @Test("has bounds: a sentence that is too long is cut off")
    func bounds() throws {
        var octets = TerminalGuardMessage(
            program: 1, settings: termios(), shownSettings: termios(), restoring: [],
            sentence: String(repeating: "x", count: 999)
        ).octets
        #expect(try #require(TerminalGuardMessage(takenFrom: &octets)).sentence.count == 255 && octets.isEmpty)
    }
}
