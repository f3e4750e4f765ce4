import Dashboard
import EventLoop
import Vitals

extension MonitorPost {
    /// The post of a screen.
    @ScreenActor
    convenience init(_ hold: MonitorHold, of patient: PatientName?, _ controller: ScreenController) {
        self.init(
            hold, of: patient, on: ScreenActor.loop,
            complain: { [weak controller] sentence in ScreenActor.assumeIsolated { controller?.tell(sentence) } },
            look: { [weak controller] in
                ScreenActor.assumeIsolated { controller?.glance } ?? Glance(wallMilliseconds: 0)
            })
    }
}

extension ScreenController {
    /// What there is to see at a glance.
    var glance: Glance {
        Glance(state, patient: screen.patient, provenance: feed.provenance, now: feed.now())
    }

    /// Shows a sentence in the place of the keys.
    func tell(_ sentence: String) {
        screen.message = sentence
        changed()
    }

    /// Shows a glance in the terminal's title.
    nonisolated func showTitle(_ glance: Glance) {
        ScreenActor.assumeIsolated {
            let line = GlanceLine(glance, unit: screen.temperatureUnit, isASCII: screen.glyphs == .ascii)
            terminal.show(title: "\(line.text) - Bedside")
        }
    }
}
