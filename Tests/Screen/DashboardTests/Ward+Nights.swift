import Monitoring
import Nights
import TestSupport
import Vitals

@testable import Dashboard

// Stories about the page of a night.
extension Ward {
    /// The page as it is opened, with an alarm.
    static func nightsPage(hasOther: Bool = false) -> Ward {
        var ward = simulated(fever())
        ward.press(.character("*"))
        ward.screen.nights.wanted = nil
        ward.screen.nights.show(ExampleNight.night(from: midnight(1) + 12 * 3_600_000, hasOther: hasOther), as: .last)
        return ward
    }

    /// The page of a view, which has no store.
    static func nightsOfView() -> Ward {
        var ward = live(seconds: 60)
        ward.press(.character("*"))
        ward.screen.session.viewedMonitor = "bedside record, process 4711"
        ward.screen.nights.reading = .unavailable
        return ward
    }
}
