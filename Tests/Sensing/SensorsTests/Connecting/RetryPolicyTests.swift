import Testing

@testable import Sensors

@Suite("The time to the next attempt")
struct RetryPolicyTests {
    @Test("doubles up to a limit, whatever the number of failures", arguments: ConnectFailure.allCases)
    func doubles(failure: ConnectFailure) {
        let policy = RetryPolicy.policy(after: failure)
        var last = policy.delay(failures: 1, random: 0.5)
        #expect(last == policy.first)
        for failures in 2...12 {
            let next = policy.delay(failures: failures, random: 0.5)
            #expect(next == min(last * 2, policy.limit))
            last = next
        }
        #expect(policy.delay(failures: .max, random: 0.5) == policy.limit)
        #expect(policy.delay(failures: .min, random: 0.5) == policy.first)
    }

    @Test(
        "varies by a quarter to either side", arguments: [(0.0, 750), (0.5, 1000), (1.0, 1250), (-3, 750), (9, 1250)])
    func jitter(random: Double, milliseconds: Int) {
        let policy = RetryPolicy(first: .seconds(1), limit: .seconds(8))
        #expect(policy.delay(failures: 1, random: random) == .milliseconds(milliseconds))
    }
}
