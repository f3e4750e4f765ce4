import Appearance
import Monitoring
import Vitals

/// The row of the newest blood pressure, with its source and its age.
struct PressureView {
    let scene: Scene

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        let line = area.line(0).inset(left: 1, right: 1)
        guard !line.isEmpty, let entry = scene.state.shownPressure(at: scene.now),
            case .bloodPressure(let pressure) = entry.content
        else { return }
        let isOld = scene.now.since(entry.taken) >= PatientRecord.pressureValidity
        let dot = scene.glyphs.dot
        var offset = grid.put("BP ", Style(.plain, .bold), in: line)
        offset = grid.put(pressure.digits, isOld ? .faint : .strong, at: offset, in: line)
        let unit = line.columns >= 36 ? " mmHg" : ""
        // Source and age must be shown; the pulse comes after them.
        let facts = [
            "\(unit)\(dot)\(isOld ? "OLD, " : "")manual \(scene.time.clock(entry.taken))",
            scene.time.manualAge(of: entry.taken), pressure.pulse.map { "pulse \($0)" } ?? "",
        ].filter { !$0.isEmpty }
        let text = fitted(facts, separator: dot, columns: line.columns - offset, glyphs: scene.glyphs)
        grid.put(text, isOld ? .strong : .plain, at: offset, in: line)
    }
}

extension MonitorState {
    /// The blood pressure that is shown; `nil` when there is none of the last day.
    func shownPressure(at now: Moment) -> RecordEntry? {
        patientRecord.newest(.bloodPressure).flatMap { now.since($0.taken) < PatientRecord.shownFor ? $0 : nil }
    }
}
