import Monitoring

/// What the screen shows of the state, and how: the part of the program's state that only concerns the viewer.
public struct ScreenState: Hashable, Sendable {
    /// The address of the selected sensor; the first sensor when it is `nil` or gone.
    public var selection: String?
    /// Whether devices are listed too that are no sensors as far as we know: phones, loudspeakers, televisions.
    public var showsOtherDevices = false
    /// Whether the user wants sensors looked for, as the program does from the start.
    ///
    /// What the adapter does is another matter: a scan pauses while a connection is made, and other programs scan, too.
    public var isScanWanted = true
    /// Whether the help covers the screen.
    public var isHelpShown = false
    /// The unit of temperatures.
    public var temperatureUnit = TemperatureUnit.celsius
    /// The characters that may be used.
    public var glyphs = GlyphSet.braille
    /// Whether the data come from a simulator; every screen says so.
    public var isSimulated = false
    /// The local time's distance from UTC in seconds, positive to the east.
    public var timeZoneOffset = 0
    /// What this screen is about, such as the bed's label; empty when there is nothing to say.
    public var title = ""
    /// A short message to the user; takes the place of the key bar until the next key press.
    public var message: String?
    /// The time that the trends cover.
    public var trendWindow = Duration.seconds(5 * 60)

    /// Makes the state that a screen starts with.
    public init() {}
}

/// What the user asked for by a key, beyond what only changes the view.
public enum Intent: Hashable, Sendable {
    /// Connect the sensor with this address.
    case connect(address: String)
    /// Disconnect the sensor with this address, and stop trying to reconnect it.
    case disconnect(address: String)
    /// Start or stop looking for sensors.
    case setScanning(Bool)
    /// Acknowledge all alarms.
    case acknowledge
    /// End the program.
    case quit
}

extension ScreenState {
    /// Handles a key: changes the view, and says what else the user asked for.
    ///
    /// - Returns: What the program has to do; `nil` when only the view changed, or nothing.
    public mutating func keyPressed(_ key: Key, in state: MonitorState) -> Intent? {
        message = nil
        guard let command = KeyBinding.command(for: key) else { return nil }
        if isHelpShown { return keyPressedInHelp(command) }
        switch command {
        case .selectPrevious: moveSelection(by: -1, in: state)
        case .selectNext: moveSelection(by: 1, in: state)
        case .selectFirst: selection = listedSensors(in: state).first?.identity.address
        case .selectLast: selection = listedSensors(in: state).last?.identity.address
        case .toggleTemperatureUnit: temperatureUnit = temperatureUnit.other
        case .toggleOtherDevices: showsOtherDevices.toggle()
        case .toggleHelp: isHelpShown = true
        case .close: break
        case .acknowledge: return .acknowledge
        case .toggleScanning:
            isScanWanted.toggle()
            return .setScanning(isScanWanted)
        case .quit: return .quit
        case .toggleConnection:
            guard let sensor = selectedSensor(in: state) else { return nil }
            selection = sensor.identity.address
            return sensor.isWanted
                ? .disconnect(address: sensor.identity.address) : .connect(address: sensor.identity.address)
        }
        return nil
    }

    /// The sensors that are listed, in the order in which they were first seen.
    public func listedSensors(in state: MonitorState) -> [SensorState] {
        showsOtherDevices ? state.sensors : state.sensors.filter(\.isOfInterest)
    }

    /// The selected sensor: the first one when nothing (or nothing that is listed) was selected.
    public func selectedSensor(in state: MonitorState) -> SensorState? {
        let sensors = listedSensors(in: state)
        return sensors.first { $0.identity.address == selection } ?? sensors.first
    }

    /// In the help only what closes it and what cannot wait works, so that no sensor is disconnected unseen.
    private mutating func keyPressedInHelp(_ command: Command) -> Intent? {
        switch command {
        case .acknowledge: return .acknowledge
        case .toggleHelp, .close, .quit, .toggleConnection: isHelpShown = false
        default: break
        }
        return nil
    }

    private mutating func moveSelection(by step: Int, in state: MonitorState) {
        let sensors = listedSensors(in: state)
        guard !sensors.isEmpty else { return }
        let index = sensors.firstIndex { $0.identity.address == selection } ?? 0
        selection = sensors[min(max(0, index + step), sensors.count - 1)].identity.address
    }
}

extension SensorState {
    /// Whether it is a sensor as far as we know, or the user has shown interest in it.
    var isOfInterest: Bool {
        identity.kind != .other || isWanted || !vitals.isEmpty
    }
}
