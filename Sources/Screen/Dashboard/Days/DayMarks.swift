import Appearance
import Monitoring
import TextGrid
import Vitals

/// Medication and symptoms below the axis of days.
struct DayMarks {
    let scene: Scene
    let overview: PatientOverview

    /// The number of rows: none without medication and symptoms.
    var rows: Int { (medication.isEmpty ? 0 : 1) + (symptoms.isEmpty ? 0 : 1) }

    private struct Mark {
        var wall: Int64
        var text: String
        /// The rank: of two marks on one cell, the higher is drawn.
        var rank: Int
    }

    private var medication: [Mark] {
        overview.valid.compactMap { entry in
            guard case .medication(let medication) = entry.content else { return nil }
            let isAntipyretic = medication.isAntipyretic
            return Mark(
                wall: entry.taken.wallMilliseconds, text: isAntipyretic ? "A" : "m", rank: isAntipyretic ? 1 : 0)
        }
    }

    private var symptoms: [Mark] {
        overview.valid.compactMap { entry in
            guard case .symptom(let rating) = entry.content else { return nil }
            return Mark(
                wall: entry.taken.wallMilliseconds, text: rating.severity < 10 ? "\(rating.severity)" : "X",
                rank: rating.severity)
        }
    }

    /// Draws a row of each kind that has entries.
    func draw(_ axis: DayAxis, in area: Area, on grid: inout Grid) {
        var rest = area
        for (name, marks) in [("medic.", medication), ("sympt.", symptoms)] where !marks.isEmpty {
            let line = rest.takeTop(1)
            grid.put(name, .faint, in: line)
            var best: [Int: Mark] = [:]
            for mark in marks {
                guard let cell = axis.cell(of: mark.wall), best[cell].map({ mark.rank > $0.rank }) ?? true else {
                    continue
                }
                best[cell] = mark
            }
            for (cell, mark) in best { grid.put(mark.text, .strong, at: DayAxis.labelColumns + cell, in: line) }
        }
    }
}
