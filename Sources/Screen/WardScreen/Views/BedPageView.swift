import Appearance
import Base
import Dashboard
import Monitoring
import TextGrid
import Vitals
import Ward
import WardMessages
import Wording

/// One bed on the whole screen, without actions on the bed.
struct BedPageView {
    let scene: WardScene
    let bed: WardBed

    func draw(in area: Area, on grid: inout Grid) {
        var rest = area.inset(left: 1, right: 1)
        var title = rest.takeTop(1)
        guard let state = scene.state[bed] else {
            grid.put(
                "WARD VIEW\(scene.glyphs.dot)\(scene.state.label(of: bed))\(scene.glyphs.dot)nothing is known of it",
                .strong, in: title)
            return
        }
        let heading =
            ["WARD VIEW", scene.state.label(of: bed)] + [state.patient].compactMap { $0 } + ["to look at only"]
        if let mark = scene.mark(of: state) {
            // Without room for the mark, no numbers are shown.
            guard columnWidth(of: mark) <= title.columns else { return }
            grid.put(mark, Style(.simulated, .bold), in: title.takeLeft(columnWidth(of: mark) + 1))
        }
        grid.put(
            fitted(heading, separator: scene.glyphs.dot, columns: title.columns, glyphs: scene.glyphs),
            Style(.brand, .bold), in: title)
        drawAlarms(state, in: &rest, on: &grid)
        if scene.screen.showsHistory { drawHistoryTitle(in: rest.takeTop(rest.rows >= 4 ? 1 : 0), on: &grid) }
        drawFacts(state, in: rest.takeBottom(rest.rows >= 6 ? 1 : 0), on: &grid)
        drawSensors(
            state, in: rest.takeBottom(rest.rows >= 12 ? min(state.sensors.count, rest.rows / 4) : 0), on: &grid)
        var remarks = rest.takeBottom(rest.rows >= 5 ? 1 : 0)
        for remark in scene.remarks(state) {
            let text = scene.glyphs.fit(remark.text) + "  "
            grid.put(text, remark.style, in: remarks.takeLeft(columnWidth(of: text)))
        }
        if rest.rows >= 4, let pressure = scene.pressureText(state, columns: rest.columns) {
            grid.put(pressure.text, pressure.style, in: rest.takeBottom(1))
        }
        drawVitals(state, in: rest, on: &grid)
    }

    private func drawAlarms(_ state: BedState, in rest: inout Area, on grid: inout Grid) {
        if let link = scene.linkText(state) {
            let line = rest.takeTop(1)
            if link.style.attributes.contains(.flashing) { grid.fill(line, " ", link.style) }
            grid.put(
                fitted(link.text, separator: scene.glyphs.dot, columns: line.columns, glyphs: scene.glyphs), link.style,
                in: line)
        }
        // Alarms of a bed without a link are the last known ones.
        let alarms = state.link.showsOldValues ? state.alarms : []
        for alarm in alarms.prefix(max(1, rest.rows / 4)) {
            let line = rest.takeTop(1)
            var parts = scene.text(alarm, of: state)
            if let since = scene.since(alarm, of: state) { parts.append(since) }
            let isOpen = state.link.isLive && alarm.wantsAttention
            let style = state.link.isLive ? scene.style(alarm.priority, isUnanswered: isOpen) : .faint.dimmed
            if style.attributes.contains(.flashing) { grid.fill(line, " ", style) }
            if !state.link.isLive { parts.insert("last known", at: 1) }
            grid.put(
                fitted(parts, separator: scene.glyphs.dot, columns: line.columns, glyphs: scene.glyphs), style, in: line
            )
        }
        if state.link.isLive, state.alarms.isEmpty { grid.put("No alarms", .faint, in: rest.takeTop(1)) }
    }

    private func drawVitals(_ state: BedState, in area: Area, on grid: inout Grid) {
        let vitals = Vital.allCases.filter { !scene.value($0, of: state).digits.isEmpty }
        let shown = vitals.isEmpty ? scene.vitals(of: state) : vitals
        var rest = area
        for (index, vital) in shown.enumerated() {
            var row = rest.takeTop(rest.rows / (shown.count - index))
            guard row.rows > 0 else { continue }
            let number = row.takeLeft(min(max(16, row.columns / 4), row.columns))
            ValueView(scene: scene, bed: state, vital: vital, isDetailed: true).draw(in: number, on: &grid)
            if let limits = state.limits.first(where: { $0.vital == vital }), row.rows >= 3 {
                let line = row.takeBottom(1)
                grid.put(ellipsized(text(limits, vital), columns: line.columns, glyphs: scene.glyphs), .faint, in: line)
            }
            if scene.screen.showsHistory {
                // Without the vital's colour, because no value in it is present.
                history?.trend(of: vital).map {
                    TrendStrip(scene: scene, bed: state, isHistory: true).draw($0, of: vital, in: row, on: &grid)
                }
            } else if let trend = state.trends[vital], state.link.showsOldValues {
                TrendStrip(scene: scene, bed: state).draw(trend, of: vital, in: row, on: &grid)
            }
        }
    }

    private func text(_ limits: WardLimits, _ vital: Vital) -> String {
        let text = ValueText(scene.screen.units)
        func shown(_ value: VitalValue?) -> String? { value.map { text.limit($0, of: vital) } }
        let range: String? =
            switch (shown(limits.low), shown(limits.high)) {
            case (let low?, let high?): "\(low)\(scene.glyphs.dash)\(high)"
            case (let low?, nil): "from \(low)"
            case (nil, let high?): "to \(high)"
            case (nil, nil): nil
            }
        let severe = [shown(limits.severeLow), shown(limits.severeHigh)].compactMap(\.self)
        let parts = [range, severe.isEmpty ? nil : "(severe \(severe.joined(separator: ", ")))"].compactMap(\.self)
        let words = parts.isEmpty ? "no limits at the bed" : "limits at the bed \(parts.joined(separator: " "))"
        return words + scene.glyphs.dot + (scene.screen.showsHistory ? "24 h" : "30 min")
    }

    /// The history, if it belongs to this bed.
    private var history: BedHistory? { scene.screen.history.flatMap { $0.bed == bed ? $0 : nil } }

    private func drawHistoryTitle(in line: Area, on grid: inout Grid) {
        let parts: [String] =
            switch history?.content {
            case nil, .reading: ["HISTORY", "reading"]
            case .missing(let reason): ["NO HISTORY", reason]
            case .trends:
                if let newest = history?.newest(at: scene.now) {
                    ["HISTORY of 24 h until \(scene.time.clock(newest))", "as collected, not the present"]
                } else {
                    ["NO HISTORY", "nothing was collected of this patient in the last 24 h"]
                }
            }
        grid.put(
            fitted(parts, separator: scene.glyphs.dot, columns: line.columns, glyphs: scene.glyphs),
            Style(.plain, .reverse),
            in: line)
    }

    private func drawSensors(_ state: BedState, in area: Area, on grid: inout Grid) {
        for (index, sensor) in state.sensors.prefix(area.rows).enumerated() {
            let parts = [
                sensor.sensor.shortName(), state.link.isLive ? sensor.phase?.rawValue : "last known",
                sensor.batteryPercent.map { "battery \($0) %" },
            ]
            grid.put(
                fitted(
                    parts.compactMap { $0 }, separator: scene.glyphs.dot, columns: area.columns, glyphs: scene.glyphs),
                state.link.isLive ? .plain : .faint, in: area.line(index))
        }
    }

    private func drawFacts(_ state: BedState, in line: Area, on grid: inout Grid) {
        guard let facts = state.facts else { return }
        let parts = [facts.program, facts.host].filter { !$0.isEmpty } + ["settings and silence only at the bed"]
        grid.put(
            fitted(parts, separator: scene.glyphs.dot, columns: line.columns, glyphs: scene.glyphs), .faint, in: line)
    }
}
