import TestSupport
import Testing
import Vitals

@testable import WardMessages

@Suite("Topics of beds")
struct WardTopicTests {
    @Test("are read as they were written")
    func roundTrip() {
        for (subject, _, _) in Samples.all {
            let topic = WardTopic(Samples.bed, subject)
            #expect(WardTopic(topic.text) == topic, "\(topic.text)")
        }
        #expect(WardTopic(Samples.bed, .vital(.oxygenSaturation)).text == "bedside/v1/north/12/vital/spo2")
    }

    @Test(
        "are refused in any other form",
        arguments: [
            "", "bedside", "bedside/v1/north/12", "bedside/v2/north/12/session", "bedside/v1/north/12/session/",
            "bedside/v1//12/session", "bedside/v1/+/12/session", "bedside/v1/north/#", "bedside/v1/North/12/session",
            "bedside/v1/north/1 2/session", "bedside/v1/north/12\u{1B}[2J/session", "/bedside/v1/north/12/session",
            "bedside/v1/north/12/vital/two words", "bedside/v1/north/12/alarm/07", "bedside/v1/north/12/alarm/-1",
            "bedside/v1/north/12/alarm/99999999999999999999", "bedside/v1/north/12/cmd/reboot/a",
            "bedside/v1/north/12/cmd/birth", "bedside/v1/north/12/history/a.1", "bedside/v1/north/12/history/a.1.-2",
            "bedside/v1/../12/session", "bedside/v1/-north/12/session",
            "bedside/v1/north/" + String(repeating: "1", count: 37) + "/session",
        ])
    func hostile(text: String) {
        #expect(WardTopic(text) == nil)
    }

    @Test("are matched by the filters of their readers only")
    func filters() {
        func matches(_ filter: String, _ topic: String) -> Bool {
            let (parts, levels) = (filter.split(separator: "/"), topic.split(separator: "/"))
            return parts.count == levels.count && zip(parts, levels).allSatisfy { $0 == "+" || $0 == $1 }
        }
        for (subject, _, _) in Samples.all {
            let topic = WardTopic(Samples.bed, subject).text
            let isOfBed = WardTopic.bedFilters(Samples.bed).contains { matches($0, topic) }
            let isOfWard = WardTopic.wardFilters(site: Samples.bed.site).contains { matches($0, topic) }
            let isOfCollector = WardTopic.collectorFilters(site: nil).contains { matches($0, topic) }
            switch subject {
            case .command, .historyAcknowledgement:
                #expect(isOfBed && !isOfWard)
            case .session: #expect(!isOfBed && isOfWard && isOfCollector)
            case .history: #expect(!isOfBed && !isOfWard && isOfCollector)
            default: #expect(!isOfBed && isOfWard && !isOfCollector)
            }
        }
    }

    @Test("have names in the order that people count in")
    func order() {
        let names = ["b-10", "2", "10", "b-2", "a", "b"].compactMap { WardToken($0) }.sorted().map(\.text)
        #expect(names == ["2", "10", "a", "b", "b-2", "b-10"])
    }

    @Test("have random sessions in the form of a UUID")
    func randomNames() {
        var random = SeededGenerator(seed: 1)
        let token = WardToken(random: &random)
        #expect(WardToken(token.text) == token)
        #expect(token.text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(WardToken(random: &random) != token)
    }
}
