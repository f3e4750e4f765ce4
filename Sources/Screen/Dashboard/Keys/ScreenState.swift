import Appearance
import Base
import Entries
import Monitoring
import VitalDecoders
import Vitals
import Wording

/// What the screen shows of the state, and how: the part of the program's state that only concerns the viewer.
public struct ScreenState: Hashable, Sendable {
    /// Facts of the session besides the patient's state.
    public var session = SessionFacts()
    /// The listed sensors, their order, and the selected one.
    public var list = SensorList()
    /// Whether the user wants a scan, as the program does from the start.
    ///
    /// The adapter's state may differ: a scan pauses while a connection is made, and other programs scan, too.
    public var isScanWanted = true
    /// The unit of temperatures.
    public var units = DisplayUnits()

    var temperatureUnit: TemperatureUnit {
        get { units.temperature }
        set { units.temperature = newValue }
    }
    /// The permitted characters.
    public var glyphs = GlyphSet.braille
    /// The keys of the commands.
    public var keys = KeyMap.usual
    /// The period of the trends.
    public var trends = TrendView()
    /// What of the waves is shown.
    public var waves = WaveView()
    /// The content of the page of the last days.
    public var days = DaysView()
    /// The content of the page of nights.
    public var nights = NightView()
    /// Every setting for its page.
    public var settings = SettingsView()
    /// Messages, questions and input on the screen.
    public var dialogs = Dialogs()
    /// The page that covers vitals and sensors.
    var pages = Pages()
    /// Whatever keeps alarms from being heard, seen or recorded; determined together with ``layout``, which depends on
    /// it.
    var notices = Notices()
    /// The division of the screen, from ``prepare(for:size:at:)`` for the next frame.
    var layout = ScreenLayout(columns: 0, rows: 0, content: ScreenLayout.Content(hasWantedSensor: false))

    public init() {}
}

// What keys do everywhere: on the main view and on every page.
extension ScreenState {
    mutating func handleEverywhere(_ command: Command, in state: MonitorState) -> Handling {
        switch command {
        case .acknowledge: return .handled(acknowledge(in: state))
        case .pauseAudio: return .handled(toggleAudioPause(in: state))
        case .planSilence: return .handled(planSilence(in: state))
        case .toggleTemperatureUnit:
            temperatureUnit = temperatureUnit.other
            dialogs.message = "Temperatures are in \(Vital.bodyTemperature.unitText(units, glyphs))."
        case .togglePulseTone: return .handled(togglePulseTone(in: state))
        case .speakValues: return .handled(.speakValues)
        case .changeWaveGain: changeWaveGain()
        case .freeze: dialogs.message = "Trends are frozen where they are: on the first page."
        case .toggleHelp: pages.help = LineScroll()
        case .enterNeutrophils: beginEntry(.neutrophils)
        case .chooseUser: askForUser(in: state)
        case .newPatient:
            dialogs.ask(
                .choice(Choice("Another patient?", ifYes: .patient(.newPatient))),
                "Closes this record and begins an empty one: no trend, pause, limit, entry or alarm of this patient. Sensors stay."
            )
        default:
            guard let page = Page.opened(by: command) else { return .passed }
            if page != pages.current { page.type.willOpen(&self, in: state) }
            pages.toggle(page)
        }
        return .handled()
    }

    /// Acknowledges all alarms.
    mutating func acknowledge(in state: MonitorState) -> ScreenWish {
        if state.shownAlarms.allSatisfy({ $0.acknowledgedAt != nil }) {
            dialogs.message = "There is no alarm to acknowledge."
        }
        return .patient(.acknowledgeAll)
    }
}

extension ScreenState {
    /// The sensor whose pairing takes the screen; `nil` for none.
    func pairedSensor(in state: MonitorState) -> SensorState? {
        // The page of alarms takes precedence: no pairing prevents an answer to an alarm.
        if pages.current == .alarms { return nil }
        return state.sensors.first { sensor in
            guard let pairing = sensor.pairing, pairing.isOnScreen else { return false }
            return !dialogs.isClosed(pairing, of: sensor.identity.address)
        }
    }

    /// Handles a key while a pairing takes the screen.
    ///
    /// Esc cancels the pairing, or closes its result. The keys for alarms still work, unless they are typed letters.
    mutating func keyPressedInPairing(_ key: Key, _ sensor: SensorState, in state: MonitorState) -> ScreenWish? {
        guard let pairing = sensor.pairing else { return nil }
        let address = sensor.identity.address
        switch pairing {
        case .needed: return nil
        case .succeeded, .failed:
            // No question is open, so any key closes it.
            dialogs.close(pairing, of: address)
        case .passkeyWanted, .pinCodeWanted:
            let isDigits = pairing == .passkeyWanted
            if case .character(let scalar) = key, isDigits, !("0"..."9").contains(scalar) { break }
            var prompt = dialogs.pairingPrompt ?? Self.prompt(for: pairing)
            let outcome = prompt.keyPressed(key)
            dialogs.pairingPrompt = prompt
            switch outcome {
            case .accepted where isDigits ? prompt.text.utf8.count == 6 : !prompt.text.isEmpty:
                dialogs.pairingPrompt = nil
                return .sensor(.answerPairing(address: address, .text(prompt.text)))
            case .cancelled:
                dialogs.pairingPrompt = nil
                return .sensor(.cancelPairing(address: address))
            default: return nil
            }
        case .confirmPasskey, .authorize:
            switch key {
            case .character("y"), .character("Y"): return .sensor(.answerPairing(address: address, .yes))
            case .character("n"), .character("N"): return .sensor(.answerPairing(address: address, .no))
            case .escape: return .sensor(.cancelPairing(address: address))
            default: break
            }
        case .started, .passkey, .pinCode:
            if key == .escape { return .sensor(.cancelPairing(address: address)) }
        }
        switch keys.command(for: key) {
        case .acknowledge: return acknowledge(in: state)
        case .pauseAudio: return toggleAudioPause(in: state)
        case .showAlarms: pages.show(.alarms)
        // Two open questions would mix up their answers.
        case .quit where pairing.isUnderWay && pairing != .authorize && !pairing.isConfirmation:
            return quit(in: state)
        default: break
        }
        return nil
    }

    /// The line for a typed answer.
    static func prompt(for pairing: PairingState) -> TextPrompt {
        pairing == .passkeyWanted ? TextPrompt("Passkey", limit: 6) : TextPrompt("Code", limit: 16)
    }
}

// How mistakes in the record are corrected, and how a form is filled in.
extension ScreenState {
    /// Begins to type the replacement of a mistaken entry; the original stays.
    mutating func beginCorrection(of entry: RecordEntry) {
        guard let kind = entry.kind, !entry.isRetracted else {
            dialogs.message = "It was taken back already. Enter the right value anew."
            return
        }
        guard kind.traits.isTyped else {
            dialogs.message = "Take it back, and type the right value of the meter as glucose."
            return
        }
        if let form = FormDraft(kind, correcting: entry) { return ask(form) }
        dialogs.ask(
            .entry(ManualDraft(kind, units: units, correcting: entry)),
            glyphs.fit("Type what is right; without a time it was measured when the mistake was. The original stays."))
    }

    /// Asks why an entry is taken back.
    mutating func askWhyToRetract(_ entry: RecordEntry) {
        guard !entry.isRetracted else {
            dialogs.message = "It was taken back already. Enter the right value anew."
            return
        }
        let text = sanitized(ManualLabels(units).text(of: entry), limit: 60)
        let verb = entry.isUnconfirmed ? "discarded" : "taken back"
        dialogs.ask(
            .reason(ReasonDraft(.retraction(entry.id))),
            glyphs.fit("Why is this \(verb): \(text)? It stays, marked as a mistake; alarms that it raised end."))
    }

    /// Asks why an entry corrects another one.
    mutating func askWhy(_ entry: RecordEntry, corrects corrected: RecordEntry) {
        dialogs.ask(
            .reason(ReasonDraft(.correction(entry, of: corrected.id))),
            glyphs.fit("Why is it corrected to \(ManualLabels(units).value(of: entry))? Enter alone gives no reason."))
    }

    /// Handles a key while a reason is typed.
    mutating func keyPressed(_ key: Key, in draft: ReasonDraft) -> ScreenWish? {
        var draft = draft
        switch draft.prompt.keyPressed(key) {
        case .accepted:
            dialogs.closeInputLine()
            return draft.wish
        case .cancelled: dialogs.closeInputLine()
        case .edited, .ignored: dialogs.update(.reason(draft))
        }
        return nil
    }

    // MARK: Forms

    /// Asks the next question of a form.
    mutating func ask(_ draft: FormDraft) { dialogs.ask(.form(draft), glyphs.fit(draft.progress)) }

    /// Handles a key while a form is filled in.
    mutating func keyPressed(_ key: Key, in draft: FormDraft, at now: Moment) -> ScreenWish? {
        var draft = draft
        if key == .escape {
            dialogs.closeInputLine()
            return nil
        }
        guard draft.isAnswered else {
            draft.keyPressed(key)
            ask(draft)
            return nil
        }
        guard draft.name.keyPressed(key) == .accepted, let content = draft.content else {
            dialogs.update(.form(draft))
            return nil
        }
        dialogs.closeInputLine()
        let entry = RecordEntry(content, taken: draft.corrected?.taken, enteredAt: now)
        guard let corrected = draft.corrected else { return .patient(.enter(entry)) }
        askWhy(entry, corrects: corrected)
        return nil
    }
}

// The user's attempts on the characteristics of the device whose page is open.
extension ScreenState {
    /// Asks what to do with a characteristic.
    mutating func askWhatToExplore(_ number: Int?, in state: MonitorState) {
        guard let inspection = inspection(in: state) else {
            dialogs.message = "Its characteristics are known once it is connected."
            return
        }
        guard let number, let selected = inspection.characteristic(number) else {
            dialogs.message = "Select a characteristic first: \(keys.name(of: .nextCharacteristic))."
            return
        }
        let uuid = sanitized(selected.uuid, limit: 40)
        let address = inspection.address
        func command(_ exploration: Exploration) -> ScreenWish {
            .sensor(.explore(address: address, characteristic: number, exploration))
        }
        let answers = selected.offered.map { kind in
            switch kind {
            case .read: Choice.Answer("r", "read", command(.read))
            case .subscribe: Choice.Answer("s", "subscribe", command(.subscribe))
            case .unsubscribe: Choice.Answer("u", "unsubscribe", command(.unsubscribe))
            case .write: Choice.Answer("w", "write", next: .octets)
            case .writeWithoutResponse: Choice.Answer("n", "write without response", next: .octets)
            }
        }
        guard !answers.isEmpty else {
            dialogs.message = "\(uuid): there is nothing to read or to subscribe to, and nothing may be written."
            return
        }
        let isWritable = selected.properties.contains { $0.hasPrefix("write") }
        let isRefused = isWritable && !selected.offered.contains { $0 == .write || $0 == .writeWithoutResponse }
        dialogs.ask(
            .choice(Choice("\(uuid): do what?", answers)),
            isRefused ? "Nothing is written to what controls a device that measures or treats a patient." : nil)
    }

    /// Asks for the octets, if the answer was to write.
    mutating func askForOctets(_ key: Unicode.Scalar, in state: MonitorState) {
        guard let inspection = inspection(in: state), let number = pages[SensorPage.self].characteristic else { return }
        let title = "Octets for \(sanitized(inspection.characteristic(number)?.uuid ?? "", limit: 40)), in hexadecimal"
        dialogs.ask(
            .octets(
                address: inspection.address, characteristic: number, withResponse: key == "w",
                TextPrompt(title, limit: 3 * CharacteristicOctets.limit)),
            "Writing may change how the device works. Write only what you know.")
    }

    /// Handles a key while octets are typed.
    mutating func keyPressed(
        _ key: Key, in prompt: TextPrompt, writingTo number: Int, of address: String, _ withResponse: Bool
    ) -> ScreenWish? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted:
            guard let octets = try? Hexadecimal.octets(prompt.text.utf8), !octets.isEmpty,
                octets.count <= CharacteristicOctets.limit
            else {
                dialogs.explain("Not written: expected pairs of hexadecimal digits, such as 01 A0.")
                return nil
            }
            dialogs.closeInputLine()
            let wish = ScreenWish.sensor(
                .explore(address: address, characteristic: number, .write(octets, withResponse: withResponse)))
            let shown = Hexadecimal.text(octets.prefix(16)) + (octets.count > 16 ? " \(glyphs.ellipsis)" : "")
            dialogs.ask(.choice(Choice("Write \(shown)?", ifYes: wish)), "It may change how the device works.")
        case .cancelled: dialogs.closeInputLine()
        case .edited, .ignored:
            dialogs.update(.octets(address: address, characteristic: number, withResponse: withResponse, prompt))
        }
        return nil
    }

    /// The inspection of the device whose page is open; `nil` before its services are known.
    func inspection(in state: MonitorState) -> SensorInspection? {
        guard let inspection = state.inspection, inspection.address == list.selection, !inspection.services.isEmpty
        else { return nil }
        return inspection
    }
}

/// Facts of the session besides the patient's state: whose it is, where, and by which means.
public struct SessionFacts: Hashable, Sendable {
    /// The viewed monitor, such as `bedside record, process 4711`; `nil` if this is the monitor.
    public var viewedMonitor: String?
    /// Whether the data come from a simulator; every screen shows it.
    public var isSimulated = false
    /// The state of a replay, which every screen shows; `nil` for the present.
    public var replay: ReplayStatus?
    /// The local time's offset from UTC, with its changes within the last days, to read typed times.
    public var timeZone = LocalTimeZone(offset: 0)
    /// The patient; `nil` for the patient without a name.
    public var patient: PatientName?
    /// The label of this screen, such as the bed's; may be empty.
    public var title = ""
    /// The available means of sound; every screen shows them.
    public var soundMeans = SoundMeans.bellOnly
    /// Whether readings are being recorded.
    public var recording = RecordingMark.unknown
    /// The newest part of the alarm log.
    public var log = AlarmLog()
    /// Whether there is a configuration file that is not read; every screen shows it.
    public var ignoresConfiguration = false
    /// The sensor whose traffic is written into files, and the path of one of them; `nil` for none.
    public var trace: TracedSensor?

    /// A sensor that is traced.
    public struct TracedSensor: Hashable, Sendable {
        public var address: String
        public var path: String

        public init(address: String, path: String) { (self.address, self.path) = (address, path) }
    }

    /// The local time's offset from UTC in seconds, positive to the east.
    public var timeZoneOffset: Int { timeZone.offset }
}

/// What a key asks the program for, beyond what only changes the view.
public enum ScreenWish: Hashable, Sendable {
    /// Ask this of the monitor.
    case monitor(Wish)
    /// Ask the monitor to connect the sensors with these addresses.
    case connect([String])
    /// Change the setting with this name.
    case changeSetting(String, SettingChange)
    /// Keep the changed settings for later starts.
    case keepSettings
    /// Have the present values spoken.
    case speakValues
    /// Monitor here instead of the viewed monitor.
    case takeOver
    /// Have this done about the recording that is played.
    case replay(ReplayWish)
    /// Write the traffic with the sensor with this address into files, or end that.
    case trace(address: String)
    /// Suspend the program until it is resumed, as the shell does with Ctrl-Z.
    case stop
    /// End the program.
    case quit

    /// Ask this of the monitor, about sensors or the radio.
    public static func sensor(_ wish: SensorWish) -> ScreenWish { .monitor(.sensor(wish)) }

    /// Ask this of the monitor, about alarms, limits or the record.
    public static func patient(_ wish: PatientWish) -> ScreenWish { .monitor(.patient(wish)) }

    /// Ask the monitor to keep this limit of a vital in the settings.
    public static func keepLimit(_ vital: Vital, _ setting: LimitSetting) -> ScreenWish {
        .monitor(.keepLimit(vital, setting))
    }
}
