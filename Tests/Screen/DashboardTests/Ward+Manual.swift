import Monitoring
import Vitals

@testable import Dashboard

// Stories of what people measure and type.
extension Ward {
    /// Somebody types a line at what a key of the page opens, and answers a question about it with yes.
    mutating func enter(_ key: Unicode.Scalar, _ line: String) {
        if screen.pages.current != .entries { obey(.character("e")) }
        obey(.character(key))
        type(line)
        obey(.enter)
        if case .entry? = screen.dialogs.inputLine { obey(.character("y")) }
        // No two entries are of the same moment.
        now = now.advanced(by: .seconds(1))
    }

    /// No sensor at all: a thermometer, a cuff, a chart.
    static func manual() -> Ward {
        var ward = empty()
        ward.enter("t", "38.4 mouth -12m")
        ward.enter("h", "96 -2h")
        ward.enter("b", "118/74/89 pulse 94 -3m")
        ward.obey(.escape)
        ward.pass(30)
        return ward
    }

    /// Beside sensors that measure: a fever that was measured in the mouth, a pressure, a saturation that is low.
    static func manualBeside() -> Ward {
        var ward = live(seconds: 60)
        ward.enter("t", "38.6 mouth")
        ward.enter("b", "142/88")
        ward.obey(.escape)
        ward.hold([:], seconds: 20)
        return ward
    }

    /// Old by now, and one that a sensor had before it was disconnected.
    static func manualOld() -> Ward {
        var ward = empty()
        ward.enter("t", "37.2 armpit -5h")
        ward.enter("b", "118/74 -6h")
        ward.enter("o", "97 -30m")
        ward.obey(.escape)
        return ward
    }

    /// What was entered, one of it by mistake.
    static func entriesPage() -> Ward {
        var ward = manual()
        ward.enter("n", "refuses the strap")
        ward.enter("t", "39.4")
        ward.obey(.character("x"))
        ward.obey(.character("y"))
        return ward
    }

    /// A number that is right in the other unit only.
    static func entryAsked() -> Ward {
        var ward = live(seconds: 60)
        ward.type("et98.6")
        ward.obey(.enter)
        return ward
    }

    /// Labs, medication and symptoms of a day; one of them corrected, the selected one taken back with a reason.
    static func recordPage() -> Ward {
        var ward = empty()
        ward.enter("f", "wbc 1.2 hb 9.8 plt 45 neutrophils 35% -5h")
        ward.enter("m", "paracetamol 500 mg -2h")
        ward.enter("y", "nausea 6 -1h")
        ward.enter("t", "39.4 mouth -10m")
        ward.obey(.escape)
        ward.obey(.character("r"))
        ward.obey(.character("E"))
        for _ in 0..<20 { ward.obey(.backspace) }
        ward.type("38.4 mouth")
        ward.obey(.enter)
        ward.type("misread")
        ward.obey(.enter)
        ward.obey(.end)
        ward.obey(.character("x"))
        ward.type("of another patient")
        ward.obey(.enter)
        return ward
    }

    /// The MASCC risk index, half filled in.
    static func masccForm() -> Ward {
        var ward = live(seconds: 60)
        ward.type("eM1nn")
        return ward
    }

    static let manualStories: [(name: String, ward: Ward)] = [
        ("manual", manual()), ("episodic", episodic()), ("inflating", inflating()), ("manual-beside", manualBeside()),
        ("manual-old", manualOld()),
        ("entries-page", entriesPage()), ("entry-asked", entryAsked()),
    ]
}
