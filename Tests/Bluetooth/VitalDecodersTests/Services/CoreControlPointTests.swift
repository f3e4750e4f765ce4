import Testing
import VitalDecoders

@Suite("CORE control point")
struct CoreControlPointTests {
    @Test("commands are written as the maker documents them")
    func commands() {
        #expect(CoreControlMessage.externalHeartRate(72).octets == octets("13 48"))
        #expect(CoreControlMessage.externalHeartRate(nil).octets == octets("13"))
        #expect(
            CoreControlMessage.addHeartRateSensor(address: octets("C0 52 49 00 00 02")).octets
                == octets("06 02 00 00 49 52 C0"))
    }

    @Test("an answer reports the command, the result, and what was asked for")
    func answers() throws {
        let answer = try CoreControlMessage(octets("80 08 01 02"))
        #expect(answer.opcode.rawValue == 8)
        #expect(answer.result == .success)
        #expect(answer.parameters == [2])
        #expect(try CoreControlMessage(octets("13 48")).result == nil)
    }
}
