import Configuration
import MQTT
import Monitoring
import Testing
import Vitals
import WardMessages

@testable import Engine

@Suite("The challenges of a bed that plans a silence")
struct ListenerChallengesTests {
    private static let session = token("session-1")
    private static let screen = token("screen-1")

    private static func token(_ text: String) -> WardToken {
        guard let token = WardToken(text) else { preconditionFailure("\(text) is no name") }
        return token
    }

    private static func at(_ seconds: Double) -> Moment {
        Moment(monotonicNanoseconds: Int64(seconds * 1e9), wallMilliseconds: 1_700_000_000_000 + Int64(seconds * 1000))
    }

    /// A bed on a broker.
    private struct Bed {
        var state = MonitorState(start: at(0))
        var publication = WardPublication(
            WardBed(site: token("ward-2"), bed: token("12")),
            facts: WardFacts(isSimulated: true, since: 0, program: "bedside", host: "pc"), patient: nil,
            remoteAcknowledge: .off)

        init() {
            _ = state.apply(.ward(.connected, at: at(0)))
            _ = publication.begin(session, state, at: at(0))
        }

        /// The heartbeat at a time, with a challenge named after it.
        mutating func heartbeat(at seconds: Int) throws -> WardHeartbeat {
            _ = state.apply(MonitorEvent(moment: ListenerChallengesTests.at(Double(seconds)), kind: .tick))
            let messages = publication.beat(state, at: ListenerChallengesTests.at(Double(seconds))) {
                token("challenge-\(seconds)")
            }
            for message in messages where message.topic.hasSuffix("/heartbeat") {
                if case .heartbeat(let heartbeat) = try WardDecoder.decode(.heartbeat, message.payload) {
                    return heartbeat
                }
            }
            throw MissingHeartbeat()
        }

        /// A screen answers; returns what the bed makes of it.
        mutating func hear(
            _ challenge: String?, at seconds: Double, session: WardToken = ListenerChallengesTests.session
        ) -> ListenerReport? {
            let listener = WardListener(
                session: session, screen: screen, name: "WARD-PC", challenge: challenge.map { token($0) })
            let outcome = publication.handle(
                .listen(listener), token("r"), state, at: ListenerChallengesTests.at(seconds))
            #expect(outcome.messages.isEmpty)
            return outcome.listener
        }
    }

    private struct MissingHeartbeat: Error {}

    @Test("are in heartbeats only while a silence is planned, another one in each")
    func heartbeats() throws {
        var bed = Bed()
        #expect(try bed.heartbeat(at: 2).challenge == nil)
        _ = bed.state.apply(.planSilence(.seconds(3600)), at: Self.at(3))
        #expect(try bed.heartbeat(at: 4).challenge == Self.token("challenge-4"))
        #expect(try bed.heartbeat(at: 6).challenge == Self.token("challenge-6"))
        let heard = bed.hear("challenge-6", at: 7)
        let report = try #require(heard)
        _ = bed.state.apply(.listener(report, at: Self.at(7)))
        #expect(try bed.heartbeat(at: 8).sound == .silent(secondsLeft: 3595, by: "WARD-PC"))
        _ = bed.state.apply(.endSilence, at: Self.at(9))
        let last = try bed.heartbeat(at: 10)
        #expect(last.challenge == nil && last.sound == .on)
    }

    @Test("prove what was so when they were sent; old, invented and other sessions' answers prove nothing")
    func answers() throws {
        var bed = Bed()
        _ = bed.state.apply(.planSilence(.seconds(3600)), at: Self.at(3))
        for second in [4, 6, 8, 10, 12] { _ = try bed.heartbeat(at: second) }
        let proven = Self.at(10).monotonic
        #expect(bed.hear("challenge-10", at: 12.5) == .sounds(identifier: "screen-1", name: "WARD-PC", proven: proven))
        // The same answer again proves no more than the first time.
        #expect(bed.hear("challenge-10", at: 13) == .sounds(identifier: "screen-1", name: "WARD-PC", proven: proven))
        #expect(bed.hear("challenge-11", at: 13) == nil)
        #expect(bed.hear("challenge-12", at: 13, session: Self.token("session-0")) == nil)
        _ = try bed.heartbeat(at: 20)
        #expect(bed.hear("challenge-10", at: 20) == nil)
        let ended = bed.hear(nil, at: 20)
        #expect(ended == .ended(identifier: "screen-1"))
        // Another session has challenges of its own.
        _ = bed.publication.begin(Self.session, bed.state, at: Self.at(21))
        #expect(bed.hear("challenge-20", at: 21) == nil)
    }

    @Test("take no memory from a flood of answers, each of which costs nothing that is published")
    func flood() throws {
        var bed = Bed()
        _ = bed.state.apply(.planSilence(.seconds(3600)), at: Self.at(3))
        _ = try bed.heartbeat(at: 4)
        for number in 0..<10_000 { #expect(bed.hear("guess-\(number)", at: 5) == nil) }
        #expect(try bed.heartbeat(at: 6).sound == .on)
    }
}
