import Testing

@testable import Base

@Test("the delay between attempts doubles up to a bound, and restarts after a success")
func backoff() {
    var backoff = Backoff(first: .milliseconds(250), last: .seconds(1))
    #expect((0..<4).map { _ in backoff.next() } == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(1)])
    backoff.reset()
    #expect(backoff.next() == .milliseconds(250))
}
