/// What a key does; the one table ``KeyBinding/table`` says which key does which.
enum Command: Hashable, CaseIterable {
    case selectPrevious, selectNext, selectPageUp, selectPageDown, selectFirst, selectLast
    case toggleConnection, pair, rename, forget
    case filter, raiseStrengthFloor, toggleOtherDevices, toggleScanning, chooseAdapter
    case acknowledge, pauseAudio, showAlarms, showLog, showLimits, pauseForCare, enterNeutrophils, newPatient
    case acknowledgeOne, snooze, declareOver
    case filterLog, nextLogSubject, nextLogPriority
    case selectLeft, selectRight, editLimit, resetLimits, saveLimit
    case zoomIn, zoomOut, cursorLeft, cursorRight, scrollBack, scrollForward, toggleDistance
    case toggleTemperatureUnit, toggleHelp, close, quit
}

/// Where a key has its meaning.
enum KeyContext: Hashable, CaseIterable {
    /// On every page, and where none is.
    case everywhere
    /// Where no page covers vitals and sensors.
    case main
    /// In the distance view.
    case distance
    /// On the page of alarms.
    case alarms
    /// On the page of the alarm log.
    case log
    /// On the page of limits.
    case limits

    /// Where the keys of a page have their meaning.
    init(_ page: ScreenState.Page?) {
        switch page {
        case .distance: self = .distance
        case .alarms: self = .alarms
        case .log: self = .log
        case .limits: self = .limits
        case nil: self = .main
        }
    }

    /// The heading of its keys in the help.
    var title: String? {
        switch self {
        case .everywhere, .main: nil
        case .distance: "In the distance view"
        case .alarms: "On the page of alarms"
        case .log: "In the alarm log"
        case .limits: "On the page of limits"
        }
    }
}

/// One row of the table of keys: handler, key bar and help are made from it.
struct KeyBinding {
    /// What the keys do.
    var command: Command
    /// The keys, each of which does it.
    var keys: [Key]
    /// The keys as the help names them.
    var name: String
    /// What they do, for the help.
    var explanation: String
    /// What the key bar says, and how early it appears there (1 comes first); `nil` keeps it out of the bar.
    var bar: (label: String, rank: Int)?
    /// Where they do it.
    var context = KeyContext.main

    /// The table, the most needed first: a small help shows only its beginning.
    static let table: [KeyBinding] = [
        KeyBinding(
            command: .selectNext, keys: [.down, .character("j")], name: "Down, j",
            explanation: "select the row below", bar: ("select", 6), context: .everywhere),
        KeyBinding(
            command: .selectPrevious, keys: [.up, .character("k")], name: "Up, k",
            explanation: "select the row above", context: .everywhere),
        KeyBinding(
            command: .toggleConnection, keys: [.enter], name: "Enter",
            explanation: "connect the selected sensor, or disconnect it", bar: ("connect", 2)),
        KeyBinding(
            command: .acknowledge, keys: [.character("a")], name: "a", explanation: "acknowledge all alarms",
            bar: ("acknowledge", 7), context: .everywhere),
        KeyBinding(
            command: .pauseAudio, keys: [.character("p")], name: "p",
            explanation: "pause the sound for two minutes, or end the pause", bar: ("pause sound", 4),
            context: .everywhere),
        KeyBinding(
            command: .showAlarms, keys: [.character("A")], name: "A",
            explanation: "open the page of alarms, to answer one of them", bar: ("alarms", 10), context: .everywhere),
        KeyBinding(
            command: .pauseForCare, keys: [.character("c")], name: "c",
            explanation: "hold the alarms of the selected sensor for care, or end that", bar: ("care", 11),
            context: .everywhere),
        KeyBinding(
            command: .showLog, keys: [.character("L")], name: "L", explanation: "open the alarm log",
            bar: ("log", 13), context: .everywhere),
        KeyBinding(
            command: .showLimits, keys: [.character("l")], name: "l", explanation: "open the page of limits",
            bar: ("limits", 12), context: .everywhere),
        KeyBinding(
            command: .toggleDistance, keys: [.character("z")], name: "z",
            explanation: "distance view: nothing but alarms and numbers, as large as they go", bar: ("distance", 15),
            context: .everywhere),
        KeyBinding(
            command: .zoomOut, keys: [.character("-")], name: "-",
            explanation: "trends of a longer time: 2 min, 10 min, 1 h, 8 h, 24 h", bar: ("time", 16)),
        KeyBinding(
            command: .zoomIn, keys: [.character("+"), .character("=")], name: "+, =",
            explanation: "trends of a shorter time"),
        KeyBinding(
            command: .cursorLeft, keys: [.left], name: "Left",
            explanation: "read the trends with a cursor, back in time; the numbers stay live", bar: ("history", 17)),
        KeyBinding(
            command: .cursorRight, keys: [.right], name: "Right",
            explanation: "move that cursor forward; at the end: now"),
        KeyBinding(
            command: .scrollBack, keys: [.character("[")], name: "[",
            explanation: "scroll the trends back by half of their time"),
        KeyBinding(
            command: .scrollForward, keys: [.character("]")], name: "]",
            explanation: "scroll them forward, at last to now"),
        KeyBinding(
            command: .enterNeutrophils, keys: [.character("N")], name: "N",
            explanation: "enter the neutrophil count (ANC) with its date", context: .everywhere),
        KeyBinding(
            command: .newPatient, keys: [.character("P")], name: "P",
            explanation: "another patient: forget trends, pauses, limits; asks first", context: .everywhere),
        KeyBinding(
            command: .toggleScanning, keys: [.character("s")], name: "s",
            explanation: "look for sensors, or stop looking", bar: ("scan", 5)),
        KeyBinding(
            command: .filter, keys: [.character("/")], name: "/",
            explanation: "list only what has a text in name, kind or address", bar: ("filter", 8)),
        KeyBinding(
            command: .pair, keys: [.character("B")], name: "B",
            explanation: "pair (bond) the selected sensor"),
        KeyBinding(
            command: .rename, keys: [.character("n")], name: "n",
            explanation: "give the selected sensor a name", bar: ("name", 9)),
        KeyBinding(
            command: .forget, keys: [.character("x")], name: "x",
            explanation: "forget the selected sensor, with its pairing"),
        KeyBinding(
            command: .toggleTemperatureUnit, keys: [.character("u")], name: "u",
            explanation: "show degrees Celsius or Fahrenheit", bar: ("unit", 14), context: .everywhere),
        KeyBinding(
            command: .toggleOtherDevices, keys: [.character("o")], name: "o",
            explanation: "list other devices nearby too, or only sensors"),
        KeyBinding(
            command: .raiseStrengthFloor, keys: [.character("w")], name: "w",
            explanation: "hide weak ones: below -90, -80, -70, -60 dBm, none"),
        KeyBinding(
            command: .chooseAdapter, keys: [.character("b")], name: "b",
            explanation: "choose among several Bluetooth adapters"),
        KeyBinding(
            command: .toggleHelp, keys: [.character("?")], name: "?", explanation: "open or close this help",
            bar: ("help", 1), context: .everywhere),
        KeyBinding(
            command: .quit, keys: [.character("q")], name: "q", explanation: "disconnect the sensors and quit",
            bar: ("quit", 3), context: .everywhere),
        KeyBinding(
            command: .close, keys: [.escape], name: "Esc",
            explanation: "close help or page, trends of now, clear the filter; never quits", bar: ("back", 0),
            context: .everywhere),
        KeyBinding(
            command: .selectPageDown, keys: [.pageDown], name: "PgDn", explanation: "select a page further down",
            context: .everywhere),
        KeyBinding(
            command: .selectPageUp, keys: [.pageUp], name: "PgUp", explanation: "select a page further up",
            context: .everywhere),
        KeyBinding(
            command: .selectFirst, keys: [.home, .character("g")], name: "Home, g",
            explanation: "select the first row", context: .everywhere),
        KeyBinding(
            command: .selectLast, keys: [.end, .character("G")], name: "End, G", explanation: "select the last row",
            context: .everywhere),
        KeyBinding(
            command: .acknowledgeOne, keys: [.enter], name: "Enter",
            explanation: "acknowledge the selected alarm; end the selected pause", bar: ("answer", 2),
            context: .alarms),
        KeyBinding(
            command: .snooze, keys: [.character("S")], name: "S",
            explanation: "silence this kind of alarm for ten minutes, or end that", bar: ("snooze", 5),
            context: .alarms),
        KeyBinding(
            command: .declareOver, keys: [.character("F")], name: "F",
            explanation: "declare the selected fever over; asks first", bar: ("fever over", 8), context: .alarms),
        KeyBinding(
            command: .filterLog, keys: [.character("/")], name: "/",
            explanation: "show only what contains a text", bar: ("filter", 2), context: .log),
        KeyBinding(
            command: .nextLogSubject, keys: [.character("f")], name: "f",
            explanation: "show all, the patient, the equipment, or what was done", bar: ("subject", 5), context: .log),
        KeyBinding(
            command: .nextLogPriority, keys: [.character("h")], name: "h",
            explanation: "show all priorities, medium and high, or high only", bar: ("priority", 8), context: .log),
        KeyBinding(
            command: .selectLeft, keys: [.left], name: "Left", explanation: "select the limit to the left",
            context: .limits),
        KeyBinding(
            command: .selectRight, keys: [.right], name: "Right", explanation: "select the limit to the right",
            context: .limits),
        KeyBinding(
            command: .editLimit, keys: [.enter], name: "Enter", explanation: "change the selected limit",
            bar: ("change", 2), context: .limits),
        KeyBinding(
            command: .saveLimit, keys: [.character("s")], name: "s",
            explanation: "keep the selected limit for later starts", bar: ("keep", 5), context: .limits),
        KeyBinding(
            command: .resetLimits, keys: [.character("R")], name: "R",
            explanation: "take all changes of limits back; asks first", bar: ("reset", 8), context: .limits),
    ]

    /// What a key does on a page, or where there is none, if it does anything.
    static func command(for key: Key, on page: ScreenState.Page? = nil) -> Command? {
        table.first { $0.keys.contains(key) && $0.isUsable(on: page) }?.command
    }

    /// Whether the keys do something on a page, or where there is none.
    func isUsable(on page: ScreenState.Page?) -> Bool {
        context == .everywhere || context == KeyContext(page)
    }
}
