import Appearance
import Monitoring
import TextGrid
import Vitals
import Wording

// The keys of a sensor's page, and the assignment of vitals to sensors.
extension ScreenState {
    /// Opens the page of a sensor.
    mutating func showSensor(_ address: String) -> Intent? {
        pages.show(.sensor)
        pages.sensorLines = LineScroll()
        pages.characteristic = nil
        list.selection = address
        return .command(.inspect(address: address))
    }

    /// Handles a key on the page.
    mutating func performOnSensorPage(_ command: Command, in state: MonitorState) -> Intent? {
        switch command {
        case .close, .quit, .showSensor:
            pages.show(nil)
            return .command(.inspect(address: nil))
        case .selectPrevious, .selectNext, .selectPageUp, .selectPageDown, .selectFirst, .selectLast:
            let page = max(1, pages.sensorLines.rows - 1)
            let before = pages.sensorLines.top
            pages.sensorLines.scroll(by: Self.step(command, page: page, count: .max / 2))
            var fitted = self
            fitted.fitSensorPage(state, in: PageView.content(of: layout.page), at: state.now)
            if fitted.pages.sensorLines.top == before { dialogs.message = idleText(of: command) }
        case .previousSensor, .nextSensor:
            if !list.moveSelection(by: command == .nextSensor ? 1 : -1) {
                dialogs.message = idleText(of: command)
            }
            return list.selection.flatMap { showSensor($0) }
        case .nextCharacteristic: selectNextCharacteristic(in: state)
        case .explore: askWhatToExplore(in: state)
        default: return perform(command, in: state)
        }
        return nil
    }

    /// Opens or closes the page of RR intervals; opens that of another sensor if the selected one has sent none.
    mutating func showRhythm(in state: MonitorState) {
        let isAvailable = selectedSensor(in: state)?.rhythm.isEmpty == false
        if !isAvailable, let other = list.order.first(where: { state.sensor(address: $0)?.rhythm.isEmpty == false }) {
            list.selection = other
        }
        pages.toggle(.rhythm)
    }

    /// Handles a key on the page of RR intervals.
    mutating func performOnRhythm(_ command: Command, in state: MonitorState) -> Intent? {
        guard command == .previousSensor || command == .nextSensor else { return perform(command, in: state) }
        if !list.moveSelection(by: command == .nextSensor ? 1 : -1) { dialogs.message = idleText(of: command) }
        return nil
    }

    /// Limits scrolling to the last line, and stores the number of visible lines.
    mutating func fitSensorPage(_ state: MonitorState, in area: Area, at now: Moment) {
        pages.sensorLines.rows = area.rows
        guard pages.sensorLines.top > 0 else { return }
        let scene = Scene(state: state, screen: self, now: now)
        let count = SensorPageView(scene: scene, in: area).lines.count
        pages.sensorLines.limit(to: count - area.rows)
    }

    /// Assigns a vital to a sensor, or leaves the choice to the program again, or asks which of several.
    mutating func assignVitals(of sensor: SensorState, in state: MonitorState) -> Intent? {
        let assigned = sensor.memory?.assignedVitals ?? []
        let shared = Vital.allCases.filter { vital in
            sensor.condition(of: vital) != nil
                && (assigned.contains(vital)
                    || state.sensors.contains { $0.ordinal != sensor.ordinal && $0.condition(of: vital) != nil })
        }
        let address = sensor.identity.address
        func toggled(_ vital: Vital) -> Intent {
            .command(.assign(address: address, assigned.symmetricDifference([vital])))
        }
        if shared.isEmpty {
            dialogs.message = "No other sensor gives what \(sensor.identity.name) gives: there is nothing to choose."
        } else if shared.count == 1 {
            let isTaken = !assigned.contains(shared[0])
            dialogs.message =
                isTaken
                ? "The \(shared[0].text) is taken from \(sensor.identity.name) whenever it measures it."
                : "Bedside chooses again which sensor the \(shared[0].text) is taken from."
            return toggled(shared[0])
        } else {
            let answers = shared.enumerated().compactMap { index, vital in
                Unicode.Scalar(UInt32(0x31 + index)).map {
                    Choice.Answer($0, vital.text + (assigned.contains(vital) ? ": not any more" : ""), toggled(vital))
                }
            }
            dialogs.ask(.choice(Choice("Take which from \(sensor.identity.name)?", answers)))
        }
        return nil
    }
}
