import Appearance
import TextGrid
import Vitals

/// The areas of a vital's parts; the same for every vital of a screen, so that their trends are aligned.
struct VitalPlaces: Hashable {
    /// The titled rule above the strip, or above everything if the digits are above the graph.
    var title = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The titled rule above the number's field; empty without one.
    var fieldTitle = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The number's field without its title; only the digits if they are above the graph.
    var field = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The large digits; empty in the form of a line, which has small ones.
    var digits = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The limits at the right of the digits; empty if they are in the field's title.
    var limits = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The name, in the form of a line.
    var label = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The small digits, in the form of a line.
    var value = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The remarks on the value, in the forms without a title, and the row below the digits of a field.
    var facts = Area(column: 0, row: 0, columns: 0, rows: 0)
    /// The drawing area of the strip.
    var graph: Area
    /// The scale at the right of the graph; empty if only the graph fits.
    var scale: Area
    /// The columns from the graph to the end of the scale, for the mark beside a wave.
    var waveScale: Area {
        scale.isEmpty
            ? scale : Area(column: scale.column - 1, row: graph.row, columns: scale.columns + 1, rows: graph.rows)
    }

    /// The strip, or everything below the digits or to the right of name and value: what a banner may cover.
    var content: Area
    /// The vital's area without its title: filled if there is no measurement.
    let whole: Area

    /// Divides a vital's area.
    ///
    /// - Parameters:
    ///   - layout: The division of the screen: whether digits are above the graph, and their size.
    init(_ form: ScreenLayout.VitalForm, in area: Area, _ layout: ScreenLayout, unit: TemperatureUnit) {
        var rest: Area
        switch form {
        case .titled where layout.hasDigitsAbove:
            title = area.line(0)
            rest = area.inset(left: 1, right: 1, top: 1)
            whole = area.inset(top: 1)
            digits = rest.takeTop(layout.digits.rows)
            field = digits.inset(left: -1, right: -1)
            content = rest
        case .titled:
            whole = area.inset(top: 1)
            var strip = area
            let numbers = strip.takeRight(layout.field.columns)
            // A blank column between the two rules.
            title = strip.line(0).inset(right: 1)
            fieldTitle = numbers.line(0)
            field = numbers.inset(top: 1)
            var inner = field.inset(left: 1, right: 1)
            if layout.field.hasFacts { facts = inner.takeBottom(1) }
            if layout.field.hasLimits { limits = inner.takeRight(NumberField.limitColumns.text) }
            digits = inner.inset(right: layout.field.hasLimits ? NumberField.limitColumns.gap : 0)
            rest = strip.inset(left: 1, right: 1, top: 1)
            content = rest
        case .rule:
            rest = area.inset(top: 1)
            whole = rest
            content = rest
        case .plain:
            rest = area.inset(left: 1, right: 1)
            whole = area
            digits = rest.takeLeft(layout.field.digitColumns)
            _ = rest.takeLeft(2)
            content = rest
            facts = rest.takeLeft(min(22, rest.columns / 2))
            _ = rest.takeLeft(1)
        case .line:
            rest = area.inset(left: 1, right: 1)
            whole = area
            label = rest.takeLeft(rest.columns >= 40 ? 8 : 6)
            value = rest.takeLeft(5)
            _ = rest.takeLeft(1)
            content = rest
            facts = rest.takeLeft(min(rest.columns, rest.columns >= 44 ? 30 : 12))
        }
        (graph, scale) = Self.divide(rest, unit: unit)
    }

    /// Divides an area that has only a graph with its scale.
    init(graphIn area: Area, unit: TemperatureUnit) {
        (content, whole) = (area, area)
        (graph, scale) = Self.divide(area, unit: unit)
    }

    /// The areas of a graph that begins lower, below a banner.
    func below(rows: Int, unit: TemperatureUnit) -> VitalPlaces {
        var result = self
        let whole = Area(
            column: graph.column, row: content.row, columns: graph.columns + scale.columns + (scale.isEmpty ? 0 : 1),
            rows: content.rows)
        (result.graph, result.scale) = Self.divide(whole.inset(top: rows), unit: unit)
        return result
    }

    private static func divide(_ whole: Area, unit: TemperatureUnit) -> (graph: Area, scale: Area) {
        var graph = whole
        var scale = Area(column: 0, row: 0, columns: 0, rows: 0)
        // The scale must not depend on a banner above, or the graphs would not be aligned.
        if graph.columns >= 16, graph.rows >= 2 {
            scale = graph.takeRight(unit == .celsius ? 5 : 6).inset(left: 1)
        }
        return (graph, scale)
    }
}

extension ScreenLayout {
    /// The areas of a vital's parts; `nil` if vitals have only a short text.
    func places(ofVital index: Int, _ unit: TemperatureUnit) -> VitalPlaces? {
        guard sizeClass != .minimal, vitals.indices.contains(index) else { return nil }
        return VitalPlaces(forms[index], in: vitals[index], self, unit: unit)
    }

    /// The areas of the graphs in the band of trends, by the places of their vitals.
    func bandPlaces(_ unit: TemperatureUnit) -> [Int: VitalPlaces] {
        let waved = basis.content.waved
        guard var rest = band?.inset(left: 1, right: 1, top: 1), !waved.isEmpty else { return [:] }
        let gap = 2
        let width = (rest.columns - gap * (waved.count - 1)) / waved.count
        var places: [Int: VitalPlaces] = [:]
        for index in waved {
            places[index] = VitalPlaces(
                graphIn: rest.takeLeft(index == waved.last ? rest.columns : width), unit: unit)
            _ = rest.takeLeft(gap)
        }
        return places
    }

    /// The first vital with room for a graph, and all others of its size; the last one has the times below.
    var openVitals: [Int] {
        let most = vitals.map(\.rows).max() ?? 0
        // One may have a row more than the others.
        return vitals.indices.filter {
            forms[$0] == .titled || forms[$0] != .rule && vitals[$0].rows == most
        }
    }

    /// The width of the graphs in cells; 0 if they do not fit.
    func graphCells(_ unit: TemperatureUnit) -> Int {
        guard let first = openVitals.first, let graph = places(ofVital: first, unit)?.graph, graph.columns >= 2,
            graph.rows >= 1
        else { return 0 }
        return graph.columns
    }
}
