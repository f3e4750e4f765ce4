import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

/// A page: what covers vitals and sensors while the alarm lines stay.
///
/// Everything about a page is one type: its stored properties are what is remembered of it while it is closed, and its
/// functions are its keys and its content. A new page is such a type, and a line in ``ScreenState/Page/all``.
protocol ScreenPage: Hashable, Sendable {
    /// The page as it is opened for the first time.
    init()

    /// Where its keys have their meaning.
    static var context: KeyContext { get }

    /// The command that opens it from everywhere, and closes it again.
    static var opener: Command { get }

    /// Whether it covers header and keys, too, and is returned to from the pages that are opened on it.
    static var coversScreen: Bool { get }

    /// Whether it shows which sensor is selected, so that commands about the selected sensor have their meaning.
    static var showsSelectedSensor: Bool { get }

    /// What the program has to do when the page is left, in whatever way.
    static var wishOnLeaving: ScreenWish? { get }

    /// Called before it is opened.
    static func willOpen(_ screen: inout ScreenState, in state: MonitorState)

    /// What it shows in an area.
    func content(_ scene: Scene, in area: Area) -> any PageContent

    /// What the key bar calls a command while the page is open; `nil` when the key would do nothing now.
    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String?

    /// Selects another row, or scrolls.
    ///
    /// - Returns: Whether anything moved. Where nothing did, the screen says that this is the end, unless the page says
    ///   something else.
    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool

    /// Handles a command: at least those of its ``context``.
    ///
    /// What it remembers of itself is `self`; other pages' memory and all else that can be seen is the screen's.
    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling

    /// Called before each frame: adapts what is scrolled past to the room that there is.
    mutating func fit(_ screen: ScreenState, _ state: MonitorState, in area: Area, at now: Moment)

    /// When it will look different although nothing happens; `nil` if it does not.
    func nextChange(_ screen: ScreenState, in state: MonitorState, _ time: TimeText) -> Moment?
}

extension ScreenPage {
    static var coversScreen: Bool { false }
    static var showsSelectedSensor: Bool { false }
    static var wishOnLeaving: ScreenWish? { nil }
    static func willOpen(_ screen: inout ScreenState, in state: MonitorState) {}
    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        command == .pauseForCare ? nil : usual
    }
    mutating func fit(_ screen: ScreenState, _ state: MonitorState, in area: Area, at now: Moment) {}
    func nextChange(_ screen: ScreenState, in state: MonitorState, _ time: TimeText) -> Moment? { nil }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling { .passed }

    fileprivate func isEqual(to other: any ScreenPage) -> Bool { self == other as? Self }
}

/// What a page shows in one frame.
protocol PageContent {
    /// The title of the page.
    var title: String { get }

    /// Draws in the area for which it was made.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent
}

/// The result of a command that was given to a page, or to the screen.
enum Handling: Hashable {
    /// It was handled; what the program has to do besides, if anything.
    case handled(ScreenWish? = nil)
    /// It was not: it is a command of the screen's, or of another page's.
    case passed
}

extension ScreenState {
    /// A page, by its type.
    struct Page: Hashable, Sendable {
        let type: any ScreenPage.Type

        init(_ type: any ScreenPage.Type) { self.type = type }

        static func == (one: Page, other: Page) -> Bool { one.type == other.type }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }

        /// Every page.
        static let all: [Page] = [
            distance, alarms, log, limits, settings, entries, record, contacts, days, nights, sensors, sensor, rhythm,
            wave,
        ]

        /// The page that a command opens and closes.
        static func opened(by command: Command) -> Page? { all.first { $0.type.opener == command } }
    }
}

/// The open page, those below it, and what is remembered of each.
struct Pages: Hashable, Sendable {
    /// The scroll position of the help, which covers every page; `nil` while it is closed.
    var help: LineScroll?
    /// The open page is the last one; below it is one that it returns to, if any.
    private var open: [ScreenState.Page] = []
    /// The pages with a remembered state.
    private var remembered: [ScreenState.Page: Memory] = [:]

    private struct Memory: Hashable {
        let page: any ScreenPage

        static func == (one: Memory, other: Memory) -> Bool { one.page.isEqual(to: other.page) }

        func hash(into hasher: inout Hasher) { page.hash(into: &hasher) }
    }

    /// The open page; `nil` for none.
    var current: ScreenState.Page? { open.last }

    /// What is remembered of a page.
    subscript(page: ScreenState.Page) -> any ScreenPage {
        get { remembered[page]?.page ?? page.type.init() }
        set {
            // Equal memories are equal, whether a page was opened before or not.
            remembered[page] = newValue.isEqual(to: page.type.init()) ? nil : Memory(page: newValue)
        }
    }

    /// What is remembered of a page.
    subscript<Content: ScreenPage>(type: Content.Type) -> Content {
        get { remembered[ScreenState.Page(type)]?.page as? Content ?? Content() }
        set { self[ScreenState.Page(type)] = newValue }
    }

    /// Opens a page instead of the open one; `nil` closes all.
    mutating func show(_ page: ScreenState.Page?) {
        guard let page else { return open = [] }
        if open.isEmpty { open = [page] } else { open[open.count - 1] = page }
    }

    /// Opens a page, or closes it when it is open.
    mutating func toggle(_ page: ScreenState.Page) {
        if current == page {
            close()
        } else if page.type.coversScreen {
            open = [page]
        } else if let current, current.type.coversScreen {
            open.append(page)
        } else {
            show(page)
        }
    }

    /// Opens a page that returns to the open one.
    mutating func push(_ page: ScreenState.Page) { open.append(page) }

    /// Closes the open page.
    mutating func close() { _ = open.popLast() }
}
