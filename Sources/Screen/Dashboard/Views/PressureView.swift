import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// The row of the newest blood pressure, with its source and its age.
struct PressureView {
    let scene: Scene

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        let line = area.line(0).inset(left: 1, right: 1)
        guard !line.isEmpty else { return }
        if let cuff = scene.state.measuringCuff(at: scene.now) {
            let words = ["measuring", "cuff \(cuff.pressure) mmHg", cuff.sensor.shortName()]
            let offset = grid.put("BP ", Style(.plain, .bold), in: line)
            let text = fitted(words, separator: scene.glyphs.dot, columns: line.columns - offset, glyphs: scene.glyphs)
            grid.put(text, .strong, at: offset, in: line)
            return
        }
        guard let entry = scene.state.shownPressure(at: scene.now), case .bloodPressure(let pressure) = entry.content
        else { return }
        let isOld = scene.now.since(entry.taken) >= PatientRecord.pressureValidity
        let dot = scene.glyphs.dot
        var offset = grid.put("BP ", Style(.plain, .bold), in: line)
        offset = grid.put(pressure.digits, isOld ? .faint : .strong, at: offset, in: line)
        let unit = line.columns >= 36 ? " mmHg" : ""
        // That nobody has confirmed it stands before its source.
        var remark = entry.facts
        remark.confirmation = nil
        // Source and age must be shown; the pulse comes after them.
        let facts = [
            "\(unit)\(dot)\(isOld ? "OLD, " : "")\(entry.isUnconfirmed ? "UNCONFIRMED, " : "")\(entry.sourceText)"
                + (entry.facts.isTimeKnown ? " \(scene.time.clock(entry.taken))" : ""),
            entry.facts.isTimeKnown ? scene.time.manualAge(of: entry.taken) : "time unknown",
            pressure.pulse.map { "pulse \($0)" } ?? "", remark.text ?? "",
        ].filter { !$0.isEmpty }
        let text = fitted(facts, separator: dot, columns: line.columns - offset, glyphs: scene.glyphs)
        grid.put(text, isOld ? .strong : .plain, at: offset, in: line)
    }
}

extension RecordEntry {
    /// Its source, shortened: a sensor's name, or how it was entered.
    package var sourceText: String {
        guard source == .typed else { return sensor.shortName(limit: 16) }
        return origin == nil ? "manual" : "imported"
    }
}

extension MonitorState {
    /// The measuring cuff; `nil` for none.
    func measuringCuff(at now: Moment) -> CuffPressure? {
        cuff.flatMap { now.since($0.moment) < CuffPressure.shownFor ? $0 : nil }
    }
}
