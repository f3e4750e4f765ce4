import Base
import Monitoring
import Vitals

/// A command of a key; ``KeyBinding/table`` binds all keys.
public enum Command: Hashable, CaseIterable, Sendable {
    case selectPrevious, selectNext, selectPageUp, selectPageDown, selectFirst, selectLast
    case connect, disconnect, pair, rename, forget, showSensor, showSensors, showRhythm, assignVitals
    case nextCharacteristic, showOctets, explore, trace, setInterval, fetchNights
    case filter, raiseStrengthFloor, toggleOtherDevices, toggleScanning, chooseAdapter
    case acknowledge, pauseAudio, planSilence, showAlarms, showLog, showLimits, pauseForCare, enterNeutrophils,
        newPatient
    case showRecord, showContacts, nextRecordSubject, correctEntry
    case showDays, previousDay, nextDay, openDay
    case showNights, previousNight, nextNight
    case showEntries, enterTemperature, enterHeartRate, enterSaturation, enterPressure
    case enterGlucose, enterWeight, enterLab, enterMedication, enterSymptom, enterRiskIndex, enterNote, chooseEntry
    case retractEntry, confirmEntry, confirmAllEntries, chooseUser
    case acknowledgeOne, snooze, declareOver
    case filterLog, nextLogSubject, nextLogPriority
    case previousSensor, nextSensor
    case selectLeft, selectRight, editLimit, resetLimits, saveLimit
    case showSettings, changeSetting, settingDown, settingUp, filterSettings, keepSettings, resetSetting
    case powerAdapter
    case freeze, markEvent
    case toggleWaves, showWave, changeWaveGain, previousWave, nextWave
    case zoomIn, zoomOut, fitScale, cursorLeft, cursorRight, scrollBack, scrollForward, toggleDistance
    case toggleTemperatureUnit, togglePulseTone, speakValues, toggleHelp, close, quit
    case replayFaster, replaySlower, replayStep
    case replayBack, replayForward, replayFarBack, replayFarForward

    /// Its name in the configuration file: the words of the case joined by underscores, such as `pause_audio`.
    public var name: String {
        var name = ""
        for character in "\(self)" { name += character.isUppercase ? "_" + character.lowercased() : String(character) }
        return name
    }
}

/// One row of the table of keys: handler, key bar and help are generated from it.
public struct KeyBinding: Sendable {
    /// The command of the keys.
    public var command: Command
    /// The keys of the command.
    public var keys: [Key]
    /// Their action, for the help; `{time}` is replaced by the configured time (``text(_:)``).
    public var explanation: String
    /// The label and rank in the key bar (the lowest rank is dropped last); `nil` for no place in the bar.
    public var bar: (label: String, rank: Int)?
    /// Where the keys work.
    public var context = KeyContext.main
    /// The group in the help of keys that are not of one page; `nil` for those.
    public var group: KeyGroup?

    /// The table, the most important first, because a small help shows only its beginning.
    public static let table: [KeyBinding] =
        [
            KeyBinding(
                command: .selectNext, keys: [.down, .character("j")],
                explanation: "select the row below", bar: ("select", 26), context: .everywhere, group: .screen),
            KeyBinding(
                command: .selectPrevious, keys: [.up, .character("k")],
                explanation: "select the row above", context: .everywhere, group: .screen),
            KeyBinding(
                command: .connect, keys: [.enter],
                explanation: "connect the selected sensor, or open its page; while one measures first list them all",
                bar: ("connect", 2),
                context: .sensors, group: .sensors),
            KeyBinding(
                command: .disconnect, keys: [.character("d")],
                explanation: "disconnect the selected sensor; asks first while it measures", bar: ("disconnect", 6),
                context: .sensors, group: .sensors),
            KeyBinding(
                command: .showSensor, keys: [.character("i")],
                explanation: "open the page of the selected sensor: device, history, values", bar: ("details", 24),
                context: .sensors, group: .sensors),
            KeyBinding(
                command: .showSensors, keys: [.character("K")],
                explanation: "open the page of all sensors", context: .everywhere, group: .sensors),
            KeyBinding(
                command: .showRhythm, keys: [.character("H")],
                explanation: "open the page of RR intervals: tachogram, RMSSD, SDNN", bar: ("rhythm", 28),
                context: .everywhere, group: .trends),
            KeyBinding(
                command: .acknowledge, keys: [.character("a")], explanation: "acknowledge all alarms",
                bar: ("acknowledge", -1), context: .everywhere, group: .alarms),
            KeyBinding(
                command: .pauseAudio, keys: [.character("p")],
                explanation: "pause the sound for {time}, or end the pause", bar: ("pause sound", 4),
                context: .everywhere, group: .alarms),
            KeyBinding(
                command: .planSilence, keys: [.character("Z")],
                explanation: "be silent for hours while a ward screen sounds, or end that", context: .everywhere,
                group: .alarms),
            KeyBinding(
                command: .showAlarms, keys: [.character("A")],
                explanation: "open the page of alarms, to answer one of them", bar: ("alarms", 14),
                context: .everywhere, group: .alarms),
            KeyBinding(
                command: .pauseForCare, keys: [.character("c")],
                explanation: "hold the selected sensor's alarms for care ({time}), or end that", bar: ("care", 18),
                context: .everywhere, group: .alarms),
            KeyBinding(
                command: .showLog, keys: [.character("L")], explanation: "open the alarm log",
                bar: ("log", 20), context: .everywhere, group: .alarms),
            KeyBinding(
                command: .showLimits, keys: [.character("l")], explanation: "open the page of limits",
                bar: ("limits", 16), context: .everywhere, group: .alarms),
            KeyBinding(
                command: .showSettings, keys: [.character(",")], explanation: "open the page of settings",
                bar: ("settings", 23), context: .everywhere, group: .screen),
            KeyBinding(
                command: .toggleDistance, keys: [.character("z")],
                explanation: "distance view: nothing but alarms and numbers, as large as they go",
                bar: ("far", 13),
                context: .everywhere, group: .screen),
            KeyBinding(
                command: .zoomOut, keys: [.character("-")],
                explanation: "trends of a longer time: 2 min, 10 min, 1 h, 8 h, 24 h", bar: ("time", 15), group: .trends
            ),
            KeyBinding(
                command: .zoomIn, keys: [.character("+"), .character("=")],
                explanation: "trends of a shorter time", group: .trends),
            KeyBinding(
                command: .fitScale, keys: [.character("f")],
                explanation: "fit the scales of the trends to the values, or use the usual ones", bar: ("scale", 27),
                group: .trends),
            KeyBinding(
                command: .cursorLeft, keys: [.left],
                explanation: "read the trends with a cursor, back in time; the numbers stay live", bar: ("past", 12),
                group: .trends),
            KeyBinding(
                command: .cursorRight, keys: [.right],
                explanation: "move that cursor forward; at the end: now", group: .trends),
            KeyBinding(
                command: .scrollBack, keys: [.character("[")],
                explanation: "scroll the trends back by half of their time", group: .trends),
            KeyBinding(
                command: .scrollForward, keys: [.character("]")],
                explanation: "scroll them forward, at last to now", group: .trends),
            KeyBinding(
                command: .freeze, keys: [.character(" ")],
                explanation: "freeze waves or trends, or go on; the numbers stay live; in a replay time stands still",
                bar: ("freeze", 29), context: .everywhere, group: .trends),
            KeyBinding(
                command: .toggleWaves, keys: [.character("t")],
                explanation: "show trends where waves are (ECG, plethysmogram), or the waves again", bar: ("trends", 9),
                group: .trends),
            KeyBinding(
                command: .showWave, keys: [.character("W")],
                explanation: "show one wave as large as it goes; then the next one", bar: ("wave", 33),
                context: .everywhere, group: .trends),
            KeyBinding(
                command: .changeWaveGain, keys: [.character("X")],
                explanation: "draw an ECG twice as high, half as high, or as usual", context: .everywhere,
                group: .trends),
            KeyBinding(
                command: .previousWave, keys: [.left],
                explanation: "show the wave before; while it is frozen move the mark to the left", context: .wave),
            KeyBinding(
                command: .nextWave, keys: [.right],
                explanation: "show the wave after; while it is frozen move the mark to the right", bar: ("next", 7),
                context: .wave),
            KeyBinding(
                command: .markEvent, keys: [.character("m")],
                explanation: "mark this moment in the record, to find it again", bar: ("mark", 31), group: .record),
            KeyBinding(
                command: .enterNeutrophils, keys: [.character("N")],
                explanation: "enter the neutrophil count (ANC) with its date", context: .everywhere, group: .record),
            KeyBinding(
                command: .newPatient, keys: [.character("P")],
                explanation: "another patient: forget trends, pauses, limits; asks first", context: .everywhere,
                group: .record),
            KeyBinding(
                command: .toggleScanning, keys: [.character("s")],
                explanation: "look for sensors, or stop looking", bar: ("scan", 17), context: .listing, group: .sensors),
            KeyBinding(
                command: .filter, keys: [.character("/")],
                explanation: "list only what has a text in name, kind or address", bar: ("filter", 21),
                context: .listing, group: .sensors),
            KeyBinding(
                command: .pair, keys: [.character("B")],
                explanation: "pair (bond) the selected sensor, accept its new one, or calibrate it; asks first",
                context: .sensors, group: .sensors),
            KeyBinding(
                command: .rename, keys: [.character("n")],
                explanation: "give the selected sensor a name", bar: ("name", 25), context: .sensors, group: .sensors),
            KeyBinding(
                command: .forget, keys: [.character("x")],
                explanation: "forget the selected sensor, with its pairing", context: .sensors, group: .sensors),
            KeyBinding(
                command: .assignVitals, keys: [.character("v")],
                explanation: "take a vital from the selected sensor when several give it", context: .sensors,
                group: .sensors),
            KeyBinding(
                command: .toggleTemperatureUnit, keys: [.character("u")],
                explanation: "show degrees Celsius or Fahrenheit", bar: ("unit", 22), context: .everywhere,
                group: .screen),
            KeyBinding(
                command: .togglePulseTone, keys: [.character("T")],
                explanation: "sound a tone for each pulse value, or none", context: .everywhere, group: .alarms),
            KeyBinding(
                command: .speakValues, keys: [.character("Y")],
                explanation: "hear the present values spoken", context: .everywhere, group: .alarms),
            KeyBinding(
                command: .toggleOtherDevices, keys: [.character("o")],
                explanation: "list other devices nearby too, or only sensors", context: .listing, group: .sensors),
            KeyBinding(
                command: .raiseStrengthFloor, keys: [.character("w")],
                explanation: "hide weak ones: below -90, -80, -70, -60 dBm, none", context: .listing, group: .sensors),
            KeyBinding(
                command: .chooseAdapter, keys: [.character("b")],
                explanation: "choose among several Bluetooth adapters", context: .listing, group: .sensors),
            KeyBinding(
                command: .powerAdapter, keys: [.character("O")],
                explanation: "switch the Bluetooth adapter on where it is off; asks first", context: .listing,
                group: .sensors),
            KeyBinding(
                command: .toggleHelp, keys: [.character("?")], explanation: "open or close this help",
                bar: ("help", 1), context: .everywhere, group: .screen),
            KeyBinding(
                command: .quit, keys: [.character("q")],
                explanation: "close the page; on the main page quit, asks first while a sensor or an alarm is active",
                bar: ("quit", 3), context: .everywhere, group: .screen),
            KeyBinding(
                command: .close, keys: [.escape],
                explanation: "close help or page, trends of now, clear the filter; never quits", bar: ("back", 0),
                context: .everywhere, group: .screen),
            KeyBinding(
                command: .selectPageDown, keys: [.pageDown], explanation: "select a page further down",
                context: .everywhere, group: .screen),
            KeyBinding(
                command: .selectPageUp, keys: [.pageUp], explanation: "select a page further up",
                context: .everywhere, group: .screen),
            KeyBinding(
                command: .selectFirst, keys: [.home, .character("g")],
                explanation: "select the first row", context: .everywhere, group: .screen),
            KeyBinding(
                command: .selectLast, keys: [.end, .character("G")], explanation: "select the last row",
                context: .everywhere, group: .screen),
            KeyBinding(
                command: .acknowledgeOne, keys: [.enter],
                explanation: "acknowledge the selected alarm; end the selected pause", bar: ("acknowledge", 2),
                context: .alarms),
            KeyBinding(
                command: .snooze, keys: [.character("S")],
                explanation: "silence this kind of alarm for {time}, a blood count to 09:00; or end that",
                bar: ("silence", 5),
                context: .alarms),
            KeyBinding(
                command: .declareOver, keys: [.character("F")],
                explanation: "declare the selected fever over; asks first", bar: ("fever over", 8), context: .alarms),
            KeyBinding(
                command: .filterLog, keys: [.character("/")],
                explanation: "show only what contains a text", bar: ("filter", 2), context: .log),
            KeyBinding(
                command: .nextLogSubject, keys: [.character("f")],
                explanation: "show all, the patient, the equipment, or what was done", bar: ("subject", 5),
                context: .log),
            KeyBinding(
                command: .nextLogPriority, keys: [.character("h")],
                explanation: "show all priorities, medium and high, or high only", bar: ("priority", 8), context: .log),
            KeyBinding(
                command: .previousSensor, keys: [.left],
                explanation: "show the sensor above in the list", context: .sensor),
            KeyBinding(
                command: .nextSensor, keys: [.right],
                explanation: "show the sensor below in the list", bar: ("next", 5), context: .sensor),
            KeyBinding(
                command: .nextCharacteristic, keys: [.tab],
                explanation: "select the next characteristic of the device", context: .sensor),
            KeyBinding(
                command: .explore, keys: [.character("E")],
                explanation: "read, subscribe to or write the selected characteristic; asks first",
                bar: ("explore", 30), context: .sensor),
            KeyBinding(
                command: .showOctets, keys: [.character("o")],
                explanation: "show the last hundred values of the selected characteristic, or the whole page again",
                bar: ("octets", 32), context: .sensor),
            KeyBinding(
                command: .trace, keys: [.character("t")],
                explanation: "write the traffic with the sensor into files, for a report of a fault, or end that",
                context: .sensor),
            KeyBinding(
                command: .fetchNights, keys: [.character("f")],
                explanation: "fetch the nights that an oximeter ring has stored; asks first while it measures",
                context: .sensor),
            KeyBinding(
                command: .setInterval, keys: [.character("I")],
                explanation: "set how often the thermometer measures, where it lets that be set", context: .sensor),
            KeyBinding(
                command: .selectLeft, keys: [.left], explanation: "select the limit to the left",
                context: .limits),
            KeyBinding(
                command: .selectRight, keys: [.right], explanation: "select the limit to the right",
                context: .limits),
            KeyBinding(
                command: .editLimit, keys: [.enter], explanation: "change the selected limit",
                bar: ("change", 2), context: .limits),
            KeyBinding(
                command: .saveLimit, keys: [.character("s")],
                explanation: "keep the selected limit in the settings", bar: ("keep", 5), context: .limits),
            KeyBinding(
                command: .resetLimits, keys: [.character("R")],
                explanation: "undo all changes of limits; asks first", bar: ("reset", 8), context: .limits),
            KeyBinding(
                command: .changeSetting, keys: [.enter],
                explanation: "change the selected setting: its next word, or a value that is typed", bar: ("change", 2),
                context: .settings),
            KeyBinding(
                command: .settingDown, keys: [.left], explanation: "a step down, or the word before",
                context: .settings),
            KeyBinding(
                command: .settingUp, keys: [.right], explanation: "a step up, or the next word",
                context: .settings),
            KeyBinding(
                command: .keepSettings, keys: [.character("s")],
                explanation: "keep the changed settings for later starts", bar: ("keep", 5), context: .settings),
            KeyBinding(
                command: .resetSetting, keys: [.character("R")],
                explanation: "give the selected setting its default value", bar: ("default", 8), context: .settings),
            KeyBinding(
                command: .filterSettings, keys: [.character("/")],
                explanation: "list only settings with a text in name or explanation", bar: ("filter", 9),
                context: .settings),
        ] + entries + replay
}

extension KeyBinding {
    /// The action of the keys, with the configured time.
    public func text(_ settings: MonitorSettings) -> String {
        let time: Duration
        switch command {
        case .pauseAudio: time = settings.alarmSignals.audioPause
        case .snooze: time = settings.answers.snooze
        case .pauseForCare: time = settings.answers.carePause
        default: return explanation
        }
        return explanation.exchanging("{time}", for: time.text)
    }

    /// The keys as the help names them.
    public var name: String { keys.map(\.name).joined(separator: ", ") }
}

extension KeyBinding {
    /// The keys that work everywhere during a replay, and only then.
    static let replay: [KeyBinding] = [
        KeyBinding(
            command: .replaySlower, keys: [.character("<")], explanation: "play slower", context: .replay),
        KeyBinding(
            command: .replayFaster, keys: [.character(">")], explanation: "play faster", context: .replay),
        KeyBinding(
            command: .replayBack, keys: [.character("{")], explanation: "go back by a minute", context: .replay),
        KeyBinding(
            command: .replayForward, keys: [.character("}")], explanation: "go forward by a minute",
            context: .replay),
        KeyBinding(
            command: .replayFarBack, keys: [.character("(")], explanation: "go back by an hour", context: .replay),
        KeyBinding(
            command: .replayFarForward, keys: [.character(")")], explanation: "go forward by an hour",
            context: .replay),
        KeyBinding(
            command: .replayStep, keys: [.character(".")], explanation: "play up to the next reading, and pause",
            context: .replay),
    ]
}

// The keys of manual entries.
extension KeyBinding {
    /// The part of the table.
    static let entries: [KeyBinding] = [
        KeyBinding(
            command: .showRecord, keys: [.character("r")],
            explanation: "open the patient's record: labs, medication, symptoms, vitals, notes", bar: ("record", 19),
            context: .everywhere, group: .record),
        KeyBinding(
            command: .showContacts, keys: [.character("C")], explanation: "show whom to call", context: .everywhere,
            group: .alarms),
        KeyBinding(
            command: .chooseUser, keys: [.character("U")],
            explanation: "say which person of a cuff, meter or scale for several persons is the patient",
            context: .everywhere, group: .record),
        KeyBinding(
            command: .nextRecordSubject, keys: [.character("/")],
            explanation: "list only labs, medication, symptoms, vitals or notes; then all", bar: ("show", 8),
            context: .record),
        KeyBinding(
            command: .showDays, keys: [.character("D")],
            explanation: "open the last two weeks at a glance: each vital day by day, ANC, medication, symptoms",
            bar: ("days", 11), context: .everywhere, group: .trends),
        KeyBinding(
            command: .previousDay, keys: [.left], explanation: "read the day before", bar: ("day", 7), context: .days),
        KeyBinding(command: .nextDay, keys: [.right], explanation: "read the day after", context: .days),
        KeyBinding(
            command: .openDay, keys: [.enter], explanation: "open that day in the trends, from the store",
            bar: ("open day", 2), context: .days),
        KeyBinding(
            command: .showNights, keys: [.character("*")],
            explanation: "open the last night of an oximeter: picture, falls, ODI, time below 90 %",
            context: .everywhere, group: .trends),
        KeyBinding(
            command: .previousNight, keys: [.left], explanation: "the night before, or another oximeter",
            bar: ("night", 7), context: .nights),
        KeyBinding(
            command: .nextNight, keys: [.right], explanation: "the night after, or another oximeter", context: .nights),
        KeyBinding(
            command: .showEntries, keys: [.character("e")],
            explanation:
                "enter by hand: vitals, blood count, medication, symptoms, a note",
            bar: ("enter", 10),
            context: .everywhere, group: .record),
        KeyBinding(
            command: .chooseEntry, keys: [.enter],
            explanation: "enter what is selected, or take the selected entry back; in the record correct it",
            bar: ("choose", 2),
            context: .entries),
        KeyBinding(
            command: .enterTemperature, keys: [.character("t")], explanation: "enter a body temperature",
            context: .entries),
        KeyBinding(
            command: .enterHeartRate, keys: [.character("h")], explanation: "enter a heart rate", context: .entries),
        KeyBinding(
            command: .enterSaturation, keys: [.character("o")], explanation: "enter an oxygen saturation",
            context: .entries),
        KeyBinding(
            command: .enterPressure, keys: [.character("b")], explanation: "enter a blood pressure",
            context: .entries),
        KeyBinding(
            command: .enterGlucose, keys: [.character("s")], explanation: "enter a glucose value (blood sugar)",
            context: .entries),
        KeyBinding(command: .enterWeight, keys: [.character("w")], explanation: "enter a weight", context: .entries),
        KeyBinding(
            command: .enterLab, keys: [.character("f")],
            explanation: "enter a full blood count: white cells, haemoglobin, platelets, differential",
            context: .entries),
        KeyBinding(
            command: .enterMedication, keys: [.character("m")], explanation: "enter a medication that was given",
            context: .entries),
        KeyBinding(
            command: .enterSymptom, keys: [.character("y")], explanation: "enter a symptom, rated from 0 to 10",
            context: .entries),
        KeyBinding(
            command: .enterRiskIndex, keys: [.character("M")], explanation: "enter a MASCC risk index",
            context: .entries),
        KeyBinding(command: .enterNote, keys: [.character("n")], explanation: "enter a note", context: .entries),
        KeyBinding(
            command: .retractEntry, keys: [.character("x")],
            explanation: "take the selected entry back, or the last one; asks first", bar: ("take back", 5),
            context: .entries),
        KeyBinding(
            command: .correctEntry, keys: [.character("E")],
            explanation: "correct the selected entry; the original stays", bar: ("correct", 7), context: .entries),
        KeyBinding(
            command: .confirmEntry, keys: [.character("v")],
            explanation: "confirm (verify) the selected measurement, or the only one that waits for that",
            bar: ("confirm", 6), context: .entries),
        KeyBinding(
            command: .confirmAllEntries, keys: [.character("V")],
            explanation: "confirm all measurements that wait for that; asks first", context: .entries),
    ]
}
