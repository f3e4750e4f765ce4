import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("The connection to a ward")
struct WardLinkTests {
    @Test("is an alarm of low priority when it is not back within ten seconds, and over when it is back")
    func lost() {
        var state = MonitorState(start: Ward.moment(0))
        let since = Ward.moment(1)
        func kinds(_ effects: [Effect]) -> [String] {
            effects.compactMap { effect in
                guard case .alarm(let alarm, _) = effect else { return nil }
                return "\(alarm.kind.rawValue) \(alarm.state.rawValue) \(alarm.priority.rawValue)"
            }
        }
        #expect(kinds(state.apply(.ward(.connected, at: Ward.moment(0)))).isEmpty)
        let link = WardLink.lost(reason: "Connection refused", since: since)
        #expect(kinds(state.apply(.ward(link, at: since))).filter { $0.contains("active") }.isEmpty)
        #expect(
            kinds(state.apply(MonitorEvent(moment: Ward.moment(12), kind: .tick))) == ["ward_lost active low"])
        #expect(state.alarms.first?.text == "No ward: Connection refused; alarms here are not affected")
        #expect(kinds(state.apply(.ward(.connected, at: Ward.moment(13)))) == ["ward_lost ended low"])
    }
}
