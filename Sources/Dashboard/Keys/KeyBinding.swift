/// What a key does; the one table ``KeyBinding/table`` says which key does which.
enum Command: Hashable, CaseIterable {
    case selectPrevious, selectNext, selectPageUp, selectPageDown, selectFirst, selectLast
    case toggleConnection, pair, rename, forget
    case filter, raiseStrengthFloor, toggleOtherDevices, toggleScanning, chooseAdapter
    case acknowledge, toggleTemperatureUnit, toggleHelp, close, quit
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

    /// The table, the most needed first: a small help shows only its beginning.
    static let table: [KeyBinding] = [
        KeyBinding(
            command: .selectNext, keys: [.down, .character("j")], name: "Down, j",
            explanation: "select the sensor below", bar: ("select", 5)),
        KeyBinding(
            command: .selectPrevious, keys: [.up, .character("k")], name: "Up, k",
            explanation: "select the sensor above"),
        KeyBinding(
            command: .toggleConnection, keys: [.enter], name: "Enter",
            explanation: "connect the selected sensor, or disconnect it", bar: ("connect", 2)),
        KeyBinding(
            command: .acknowledge, keys: [.character("a")], name: "a", explanation: "acknowledge the alarms",
            bar: ("acknowledge", 6)),
        KeyBinding(
            command: .toggleScanning, keys: [.character("s")], name: "s",
            explanation: "look for sensors, or stop looking", bar: ("scan", 4)),
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
            explanation: "show degrees Celsius or Fahrenheit", bar: ("unit", 7)),
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
            bar: ("help", 1)),
        KeyBinding(
            command: .quit, keys: [.character("q")], name: "q", explanation: "disconnect the sensors and quit",
            bar: ("quit", 3)),
        KeyBinding(
            command: .close, keys: [.escape], name: "Esc", explanation: "close the help, clear the filter; never quits"),
        KeyBinding(
            command: .selectPageDown, keys: [.pageDown], name: "PgDn", explanation: "select a page further down"),
        KeyBinding(command: .selectPageUp, keys: [.pageUp], name: "PgUp", explanation: "select a page further up"),
        KeyBinding(
            command: .selectFirst, keys: [.home, .character("g")], name: "Home, g",
            explanation: "select the first sensor"),
        KeyBinding(
            command: .selectLast, keys: [.end, .character("G")], name: "End, G", explanation: "select the last sensor"),
    ]

    /// What a key does, if it does anything.
    static func command(for key: Key) -> Command? {
        table.first { $0.keys.contains(key) }?.command
    }
}
