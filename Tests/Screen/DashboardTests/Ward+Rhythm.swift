import Monitoring
import Vitals

@testable import Dashboard

// Stories about the page of RR intervals.
extension Ward {
    /// The strap sends the intervals of each second, with a beat that came early and one that it missed.
    ///
    /// - Parameter reported: The heart rate that the strap reports, if not that of the intervals.
    mutating func beat(seconds: Int, reported: UInt16? = nil) {
        let breathing = [0, 14, 27, 38, 44, 38, 27, 14, 0, -14, -27, -38, -44, -38, -27, -14]
        var (sent, beats) = (0, 0)
        for second in 1...seconds {
            now = now.advanced(by: .seconds(1))
            var intervals: [UInt16] = []
            while true {
                var interval = 840 + breathing[beats % breathing.count] * 3 / 4 + beats * 7 % 11
                switch beats {
                case 60: interval = 520
                case 61: interval = 1160
                case 130: interval *= 2
                default: break
                }
                guard sent + interval <= second * 1024 else { break }
                sent += interval
                beats += 1
                intervals.append(UInt16(interval))
            }
            measure(Self.strap, .heartRate, Int(reported ?? 73) * 100)
            guard !intervals.isEmpty else { continue }
            apply(
                .rrIntervals(
                    RRIntervals(sensor: Self.strap, intervals: intervals, heartRate: reported ?? 73, moment: now)))
        }
    }

    /// Five minutes with a gap of 20 s, in which the link was lost.
    static func rhythm() -> Ward {
        var ward = live(seconds: 10)
        ward.beat(seconds: 200)
        ward.apply(.connection(strap, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1)))
        ward.pass(20)
        ward.connect(strap)
        ward.beat(seconds: 100)
        ward.press(.character("H"))
        return ward
    }

    /// Two minutes after the start, from a strap whose rate is not that of its intervals.
    static func earlyRhythm() -> Ward {
        var ward = live(seconds: 10)
        ward.beat(seconds: 120, reported: 95)
        ward.press(.character("i"))
        ward.press(.character("H"))
        return ward
    }

    /// The page without RR intervals.
    static func noRhythm() -> Ward {
        var ward = live(seconds: 10)
        ward.press(.character("H"))
        return ward
    }

    static let rhythmStories: [(name: String, ward: Ward)] = [
        ("rhythm", rhythm()), ("rhythm-early", earlyRhythm()), ("rhythm-none", noRhythm()),
    ]
}
