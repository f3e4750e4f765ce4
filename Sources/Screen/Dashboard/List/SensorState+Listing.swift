import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension SensorState {
    /// When a change of what is shown of it is drawn.
    ///
    /// The ages of nearby sensors change together, or a hundred of them would redraw the screen all the time.
    func redraw(for change: Moment, at now: Moment) -> Moment {
        rank == .wanted ? change : max(change, now.advanced(by: .milliseconds(500)))
    }

    /// Whether name, address or kind contain a text; case is ignored.
    func matches(_ filter: String) -> Bool {
        guard !filter.isEmpty else { return true }
        let wanted = filter.lowercased()
        let texts = [identity.name, memory?.name ?? "", identity.address, identity.kind.text, identity.kind.rawValue]
        return texts.contains { $0.lowercased().holds(wanted) }
    }

    /// Whether the user has shown no interest in it, so that the filters apply to it.
    fileprivate var isStranger: Bool {
        rank != .wanted && (memory == nil || isForgotten)
    }
}

extension ScreenState {
    /// The sensors that the welcome card offers to connect: of each kind that is not connected yet the one that is received
    /// best, because another bed's is further away; in the order of the list.
    func sensorsOfTheBed(in state: MonitorState) -> [SensorState] {
        let listed = list.order.compactMap { state.sensor(address: $0) }
        let connected = Set(listed.filter(\.isWanted).map(\.identity.kind))
        let free = listed.filter {
            $0.identity.kind.isRead && $0.isNearby && !$0.isWanted && !$0.isLinkedByOthers
                && !connected.contains($0.identity.kind)
        }
        return free.filter { sensor in
            !free.contains {
                $0.identity.kind == sensor.identity.kind && $0.identity != sensor.identity
                    && ($0.signalStrength ?? .min) > (sensor.signalStrength ?? .min)
            }
        }
    }

    /// Updates list, selection and the division of the screen; call it before drawing, with the same arguments.
    public mutating func prepare(for state: MonitorState, size: (columns: Int, rows: Int), at now: Moment) {
        let size = Grid.bounded(size)
        followMessage(in: state, at: now)
        guard session.replay != nil else { return fit(state, size: size, at: now) }
        let room = ReplayBanner.room(in: size)
        fit(state, size: (room.columns, room.rows), at: now)
    }

    /// Updates everything that depends on the size for the part of the screen below a banner.
    mutating func fit(_ state: MonitorState, size: (columns: Int, rows: Int), at now: Moment) {
        list.arrange(state, at: now)
        notices = Notices(state, screen: self, time: TimeText(now: now, timeZoneOffset: session.timeZoneOffset))
        let basis = ScreenLayout.Basis(
            columns: size.columns, rows: size.rows,
            content: ScreenLayout.Content(
                alarmCount: shownAlarms(in: state).count, hasNotices: !notices.lines.isEmpty,
                hasPressure: state.shownPressure(at: now) != nil || state.measuringCuff(at: now) != nil,
                widest: VitalPanel.widestNumbers(state, self, at: now), waved: wavedVitals,
                sensorCount: list.order.count,
                // The card of the first start refers to the list, and takes its rows.
                hasWantedSensor: !dialogs.showsWelcome && state.sensors.contains(where: \.isWanted)),
            glyphs: glyphs)
        // Determining the size of the digits is expensive, and hardly any frame changes its inputs.
        if basis != layout.basis { layout = ScreenLayout(basis) }
        list.fit(rows: listRows)
        trends.fit(cells: layout.graphCells(temperatureUnit))
        trends.follow(at: now) { state.knownPercent(of: $0, at: now) }
        if let open = pages.current {
            var page = pages[open]
            page.fit(self, state, in: PageView.content(of: layout.page), at: now)
            pages[open] = page
        }
        fitHelp(state.settings)
    }

    /// The rows of the list: below the vitals, or on the page of all sensors.
    private var listRows: Int {
        if pages.current == .sensors { return PageView.content(of: layout.page).rows }
        return layout.hasChips ? list.rows : max(0, layout.sensors.rows - 1)
    }

    /// Limits scrolling of the help to its last line.
    mutating func fitHelp(_ settings: MonitorSettings) {
        if let help = HelpView(self, settings) { pages.help?.limit(to: help.lastTop(in: layout.body)) }
    }

    /// The listed sensors, in their order.
    public func listedSensors(in state: MonitorState) -> [SensorState] {
        var arranged = list
        arranged.arrange(state, at: state.now)
        return arranged.order.compactMap { state.sensor(address: $0) }
    }

    /// The selected sensor: the first one without a selection.
    public func selectedSensor(in state: MonitorState) -> SensorState? {
        var arranged = list
        arranged.arrange(state, at: state.now)
        return (arranged.selection ?? arranged.order.first).flatMap { address in
            arranged.order.contains(address) ? state.sensor(address: address) : nil
        }
    }

    /// The sensors with visible rows, if the list has been prepared; otherwise all known ones.
    func visibleSensors(in state: MonitorState) -> [SensorState] {
        if layout.hasChips, pages.current != .sensors { return state.sensors.filter(\.isWanted) }
        guard list.rows > 0 else { return state.sensors }
        return list.order[list.visible].compactMap { state.sensor(address: $0) }
    }

    /// The shown alarms, without suspicions.
    func shownAlarms(in state: MonitorState) -> [Alarm] {
        state.shownAlarms
    }
}

extension SensorList {
    /// How much weaker than the minimum a listed sensor may become, in tenths of a dB, so that it does not come and go.
    private static let floorHysteresis = 50

    func isListed(_ sensor: SensorState, at now: Moment) -> Bool {
        guard sensor.matches(filter) else { return false }
        guard sensor.isStranger else { return true }
        guard sensor.isHeard(at: now), showsOtherDevices || sensor.identity.kind != .other else { return false }
        return isStrongEnough(sensor)
    }

    private func isStrongEnough(_ sensor: SensorState) -> Bool {
        guard let floor = strengthFloor, let strength = sensor.smoothedStrength, !sensor.isLinkedByOthers else {
            return true
        }
        if strength >= floor * 10 { return true }
        let address = sensor.identity.address
        return selection == address || strength >= floor * 10 - Self.floorHysteresis && keeps(address)
    }
}
