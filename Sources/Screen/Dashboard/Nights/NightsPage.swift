import Appearance
import Base
import Monitoring
import Nights
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let nights = ScreenState.Page(NightsPage.self)
}

extension ScreenState {
    /// Whether the page of nights is open, so that the store has to be read for it.
    public var showsNights: Bool { pages.current == .nights }
}

/// The page of a night at a glance: its picture, figures and falls.
///
/// It remembers nothing: what it shows is the screen's ``NightView``, which the program reads from the store.
struct NightsPage: ScreenPage {
    static let context = KeyContext.nights
    static let opener = Command.showNights

    /// It begins with the last night, whichever was looked at before.
    static func willOpen(_ screen: inout ScreenState, in state: MonitorState) { screen.nights.wanted = .last }

    func content(_ scene: Scene, in area: Area) -> any PageContent { NightsContent(scene: scene, area: area) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        switch command {
        case .selectNext: scene.screen.nights.part == nil ? nil : "falls"
        case .previousNight: scene.screen.nights.part == nil ? nil : usual
        case .pauseForCare: nil
        default: usual
        }
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        screen.nights.scroll.move(move, page: 10, last: lastTop)
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        guard [.previousNight, .nextNight].contains(command) else { return .passed }
        if screen.nights.night == nil {
            screen.dialogs.message = "There is no night to read yet."
        } else if !screen.nights.step(by: command == .nextNight ? 1 : -1) {
            screen.dialogs.message =
                command == .nextNight ? "This is the last night." : "This is the first night in the record."
        }
        return .handled()
    }

    /// How many lines can be scrolled past in the present frame.
    private var lastTop = 0

    mutating func fit(_ screen: ScreenState, _ state: MonitorState, in area: Area, at now: Moment) {
        guard let part = screen.nights.part else { return lastTop = 0 }
        let place = NightsContent.places(in: area).words
        let count = NightWords(part, screen, columns: place.columns).lines.count
        lastTop = max(0, count - place.rows)
    }
}

/// The picture of a night, and beside or below it the figures and the falls, which scroll.
private struct NightsContent: PageContent {
    let scene: Scene
    let area: Area
    private var view: NightView { scene.screen.nights }

    var title: String {
        guard let night = view.night else { return "NIGHTS" }
        let text = NightText(scene.screen)
        let count = night.parts.count
        let name = view.part.map { scene.glyphs.dot + sanitized($0.course.sensor.name) } ?? ""
        let place = count > 1 ? " (\(view.place + 1) of \(count))" : ""
        return text.title(of: night.window).uppercased() + name + place
    }

    /// The places of the picture and of the words.
    static func places(in area: Area) -> (picture: Area, words: Area) {
        var rest = area
        if area.columns >= 72 {
            let words = rest.takeRight(min(48, max(36, area.columns / 4)))
            return (rest.inset(right: 2), words)
        }
        let picture = rest.takeTop(area.rows >= 14 ? area.rows / 2 : 0)
        return (picture, rest)
    }

    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        grid.rest(in: area)
        guard let part = view.part else { return say(emptyText, in: area, on: &grid) }
        let places = Self.places(in: area)
        NightPicture(scene: scene, part: part).draw(in: places.picture, on: &grid)
        let lines = NightWords(part, scene.screen, columns: places.words.columns).lines
        let top = min(view.scroll.top, max(0, lines.count - places.words.rows))
        for (row, line) in lines.dropFirst(top).prefix(places.words.rows).enumerated() {
            grid.put(
                ellipsized(scene.glyphs.fit(line.text), columns: places.words.columns, glyphs: scene.glyphs),
                line.style, in: places.words.line(row))
        }
        return PageView.Extent(
            rows: area.rows,
            scroll: ScrollBar(top: top, shown: places.words.rows, total: lines.count))
    }

    /// Why there is no night.
    private var emptyText: String {
        switch view.reading {
        case .reading: "Reading the record\(scene.glyphs.ellipsis)"
        case .failed: "The record cannot be read."
        case .idle:
            "No oximeter has recorded a night yet: half an hour at least, from noon to noon. bedside night prints shorter measurements."
        case .unavailable:
            if let monitor = scene.screen.session.viewedMonitor {
                "This is a view of \(monitor), which keeps the record. bedside night prints the nights there."
            } else if scene.screen.session.replay != nil {
                "A replay has no nights of its own; bedside night prints those of the record."
            } else {
                "Nothing is recorded, so there are no nights to show."
            }
        }
    }

    private func say(_ text: String, in area: Area, on grid: inout Grid) -> PageView.Extent {
        let lines = wrapped(scene.glyphs.fit(text), columns: area.columns, glyphs: scene.glyphs).prefix(area.rows)
        for (row, line) in lines.enumerated() { grid.put(line, .faint, in: area.line(row)) }
        return PageView.Extent(rows: max(1, lines.count))
    }
}

extension NightText {
    /// The words of a screen, in its local time.
    init(_ screen: ScreenState) {
        let zone = screen.session.timeZone
        self.init { zone.offset(at: $0 / 1000) }
    }
}

/// The figures of a night, its falls, and how they are counted, as lines.
struct NightWords {
    private(set) var lines: [(text: String, style: Style)] = []

    init(_ part: PatientNight.Part, _ screen: ScreenState, columns: Int) {
        let text = NightText(screen)
        let glyphs = screen.glyphs
        func add(_ line: String, _ style: Style = .plain) {
            for piece in wrapped(line, columns: columns, glyphs: glyphs) { lines.append((piece, style)) }
        }
        let figures = text.figures(of: part)
        let width = (figures.map(\.name.count).max() ?? 0) + 1
        for figure in figures {
            let name = figure.name + String(repeating: " ", count: width - figure.name.count)
            let style: Style = Self.important.contains(figure.name) ? .strong : .plain
            let pieces = wrapped(figure.value, columns: max(8, columns - width), glyphs: glyphs)
            for (place, piece) in pieces.enumerated() {
                lines.append(((place == 0 ? name : String(repeating: " ", count: width)) + piece, style))
            }
        }
        add(text.sources(of: part.course).capitalizedFirst, .faint)
        if !part.evaluation.falls.isEmpty {
            lines.append(("", .plain))
            lines.append((Self.row("Falls", "lasts", "from", "lowest"), .strong))
            for fall in part.evaluation.falls {
                let row = text.row(of: fall, in: part)
                lines.append((Self.row(row[0], row[1], row[2], row[3]), fall.depth >= 4 ? .plain : .faint))
            }
        }
        lines.append(("", .plain))
        for note in NightText.notes { add(note, .faint) }
    }

    private static let important: Set<String> = ["Mean", "Lowest", "Below 90 %", "ODI 3 %", "ODI 4 %"]

    private static func row(_ begin: String, _ length: String, _ level: String, _ lowest: String) -> String {
        func right(_ text: String, _ columns: Int) -> String {
            String(repeating: " ", count: max(0, columns - text.count)) + text
        }
        return begin + String(repeating: " ", count: max(0, 8 - begin.count)) + right(length, 13) + right(level, 6)
            + right(lowest, 7)
    }
}
