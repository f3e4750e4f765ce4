import TestSupport
import Testing

@testable import Loudspeaker

@Suite("When the process that sounds is started again", .startsPrograms)
struct SpeakerRetryTests {
    @Test("a process that is killed 50 times during an alarm is started again after 100 ms each time")
    func killed() {
        var delays = SpeakerRetry()
        for _ in 0..<50 {
            delays.worked()
            #expect(delays.failed(whileSounding: true) == .milliseconds(100))
        }
    }

    @Test("a second attempt during an alarm comes within two seconds, however often it has failed before")
    func failing() {
        var delays = SpeakerRetry()
        delays.worked()
        var waits: [Duration] = []
        for _ in 0..<100 { waits.append(delays.failed(whileSounding: true)) }
        #expect(Array(waits.prefix(5)) == [100, 200, 400, 800, 1000].map { Duration.milliseconds($0) })
        #expect(waits.allSatisfy { $0 <= .seconds(1) })
    }

    @Test("where nothing could be heard before, and while nothing sounds, attempts become rare")
    func rare() {
        var (elsewhere, quiet) = (SpeakerRetry(), SpeakerRetry())
        quiet.worked()
        var last = (Duration.zero, Duration.zero)
        for _ in 0..<100 {
            let next = (elsewhere.failed(whileSounding: true), quiet.failed(whileSounding: false))
            #expect(next.0 >= last.0 && next.1 >= last.1)
            last = next
        }
        #expect(last == (.seconds(10), .seconds(60)))
        #expect(quiet.failed(whileSounding: true) == .seconds(1), "an alarm does not wait a minute")
        quiet.worked()
        #expect(quiet.failed(whileSounding: false) == .seconds(1))
    }
}
