import Base
import Testing

@testable import KnownSensors
@testable import Sensors

@Suite("The time to the next attempt")
struct RetryDelayTests {
    @Test("doubles up to a limit, whatever the number of failures", arguments: ConnectFailure.allCases)
    func doubles(failure: ConnectFailure) {
        let policy = Backoff.after(failure)
        var last = policy.delay(afterFailures: 1, random: 0.5)
        #expect(last == policy.first)
        for failures in 2...12 {
            let next = policy.delay(afterFailures: failures, random: 0.5)
            #expect(next == min(last * 2, policy.last))
            last = next
        }
        #expect(policy.delay(afterFailures: .max, random: 0.5) == policy.last)
        #expect(policy.delay(afterFailures: .min, random: 0.5) == policy.first)
    }

    @Test(
        "varies by a quarter to either side", arguments: [(0.0, 750), (0.5, 1000), (1.0, 1250), (-3, 750), (9, 1250)])
    func jitter(random: Double, milliseconds: Int) {
        let policy = Backoff(first: .seconds(1), last: .seconds(8))
        #expect(policy.delay(afterFailures: 1, random: random) == .milliseconds(milliseconds))
    }
}
