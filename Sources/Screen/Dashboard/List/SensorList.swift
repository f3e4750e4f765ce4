import Monitoring
import Vitals

/// The listed sensors, their order, the selection and the scroll position.
///
/// The order: first the sensors that the user is concerned with, in the order in which that began; then those in
/// range, the strongest signal first; last those that are only remembered. Rules that keep rows stable:
///
/// * Signal strengths are smoothed, and one row overtakes another only when it is stronger by `hysteresis`.
/// * For `timeout` after a key no row moves; new ones are added at the end.
/// * The selected row never moves automatically: the others are sorted around it. If too many rows above it were
///   removed, the list begins with blank lines.
/// * Without a selection, the first row is selected; it may change only while the user is away.
public struct SensorList: Hashable, Sendable {
    /// How much stronger a sensor must be to overtake the one above, in tenths of a dB.
    static let hysteresis = 60
    /// How long after a key rows do not move.
    static let timeout = Duration.seconds(3)
    /// The shortest time between two moves of rows.
    static let pace = Duration.seconds(2)

    /// The minimum strengths that one key steps through; the last is about an arm's length from the antenna.
    static let strengthFloors = [-90, -80, -70, -60]

    /// The signal strength in dBm that a sensor must have to be listed, if the user has shown no interest in it.
    public var strengthFloor: Int?
    /// The address of the selected sensor; the first sensor if it is `nil`.
    var selection: String?
    /// The text that name, address or kind of a listed sensor must contain; empty for all.
    private(set) var filter = ""
    /// Whether unknown devices are listed, too: phones, loudspeakers, televisions.
    private(set) var showsOtherDevices = false
    /// The addresses of the listed sensors.
    private(set) var order: [String] = []
    /// The visible rows of the list.
    private(set) var rows = 0
    /// The sensors that the user is concerned with, in the order in which that began.
    private var wanted: [String] = []
    /// The selected sensor, if the user has selected one.
    private var pinned: String?
    /// Its index.
    private var place = 0
    /// The first visible index.
    private var top = 0
    private var hasMoved = false
    private var lastKey: Moment?
    private var lastSort: Moment?

    /// Records that the user is at the keyboard.
    mutating func keyPressed(at now: Moment) {
        lastKey = now
    }

    /// Lists only sensors with a text; all if it is empty.
    mutating func setFilter(_ text: String) {
        guard filter != text else { return }
        filter = text
        mustSort()
    }

    /// Shows or hides devices that are no sensors.
    mutating func toggleOtherDevices() {
        showsOtherDevices.toggle()
        mustSort()
    }

    /// Selects the next minimum signal strength, and none after the last.
    mutating func raiseStrengthFloor() {
        strengthFloor = Self.strengthFloors.first { $0 > strengthFloor ?? .min }
        mustSort()
    }

    /// Selects another sensor.
    ///
    /// - Returns: Whether there was another one.
    mutating func moveSelection(_ move: ListMove) -> Bool {
        guard !order.isEmpty else { return false }
        let index = order.firstIndex { $0 == selection } ?? 0
        let next = move.place(from: index, page: max(1, rows - 1), last: order.count - 1)
        selection = order[next]
        return next != index
    }

    /// Permits all rows to move, because the user has changed the listed sensors.
    private mutating func mustSort() {
        lastSort = nil
        lastKey = nil
        pinned = nil
    }

    /// Whether a sensor is listed already under the current filter.
    func keeps(_ address: String) -> Bool {
        lastSort != nil && order.contains(address)
    }

    // MARK: Order

    /// The sort keys; sensors themselves are too large to be copied in each frame.
    private struct Row {
        var rank: SensorState.Rank
        /// Smoothed, in tenths of a dBm.
        var strength: Int
    }

    /// Updates order and selection to the state.
    mutating func arrange(_ state: MonitorState, at now: Moment) {
        var addresses: [String] = []
        var rows = [String: Row](minimumCapacity: state.sensors.count)
        for sensor in state.sensors where isListed(sensor, at: now) {
            addresses.append(sensor.identity.address)
            rows[sensor.identity.address] = Row(rank: sensor.rank, strength: sensor.smoothedStrength ?? -2000)
        }
        recordWanted(addresses, rows)
        var next = order.filter { rows[$0] != nil }
        var newcomers: [String] = []
        if next.count < rows.count {
            let known = Set(next)
            newcomers = addresses.filter { !known.contains($0) }
        }
        if isBusy(at: now), !order.isEmpty {
            next += newcomers
        } else if !newcomers.isEmpty || next.count < order.count || isDue(at: now) {
            next = sorted(next, newcomers, rows)
            lastSort = now
        }
        pin(in: &next)
        order = next
    }

    private func isBusy(at now: Moment) -> Bool {
        lastKey.map { now.since($0) < Self.timeout } ?? false
    }

    private func isDue(at now: Moment) -> Bool {
        lastSort.map { now.since($0) >= Self.pace } ?? true
    }

    private mutating func recordWanted(_ addresses: [String], _ rows: [String: Row]) {
        wanted.removeAll { rows[$0]?.rank != .wanted }
        guard wanted.count < rows.values.count(where: { $0.rank == .wanted }) else { return }
        let known = Set(wanted)
        for address in addresses where !known.contains(address) {
            if rows[address]?.rank == .wanted { wanted.append(address) }
        }
    }

    private func sorted(
        _ present: [String], _ newcomers: [String], _ rows: [String: Row]
    ) -> [String] {
        func strength(_ address: String) -> Int { rows[address]?.strength ?? -2000 }
        func isNearby(_ address: String) -> Bool { rows[address]?.rank == .nearby }
        var nearby = present.filter(isNearby)
        // Almost sorted already, so this is almost one comparison for each.
        for index in nearby.indices.dropFirst() {
            var place = index
            while place > 0, strength(nearby[place]) >= strength(nearby[place - 1]) + Self.hysteresis {
                nearby.swapAt(place, place - 1)
                place -= 1
            }
        }
        for newcomer in newcomers.filter(isNearby) {
            nearby.insert(newcomer, at: nearby.firstIndex { strength($0) < strength(newcomer) } ?? nearby.count)
        }
        let all = present + newcomers
        return wanted + nearby + all.filter { rows[$0]?.rank == .remembered }
    }

    /// Keeps the selected row at its index; another one is selected if it was removed.
    private mutating func pin(in next: inout [String]) {
        guard let selected = selection else {
            pinned = nil
            (place, top) = (0, 0)
            return
        }
        if let index = next.firstIndex(of: selected) {
            guard selected == pinned else { return handle(selected, at: index) }
            next.remove(at: index)
            next.insert(selected, at: min(place, next.count))
        } else if next.isEmpty {
            // Kept, because it may return; until then there is nothing to select.
            pinned = nil
        } else {
            let index = min(place, next.count - 1)
            selection = next[index]
            handle(next[index], at: index)
        }
    }

    private mutating func handle(_ selected: String, at index: Int) {
        pinned = selected
        place = index
        hasMoved = true
    }

    // MARK: Scrolling

    /// Scrolls to the selected row, if it has moved or the size has changed.
    mutating func fit(rows: Int) {
        defer { (self.rows, hasMoved) = (rows, false) }
        guard rows > 0, hasMoved || rows != self.rows else { return }
        top = min(max(top, place - rows + 1), place)
        top = max(0, min(top, order.count - rows))
    }

    /// The number of blank lines above the rows, which keep the selected one at its index.
    private var shift: Int {
        guard let pinned, let index = order.firstIndex(of: pinned) else { return 0 }
        return place - index
    }

    /// The visible indices.
    var visible: Range<Int> {
        let first = min(max(0, top - shift), order.count)
        return first..<max(first, min(order.count, top - shift + rows))
    }

    /// The line of the first visible row.
    var firstLine: Int { max(0, shift - top) }
}
