import Appearance
import Vitals
import Ward
import WardMessages

/// What a key asks the program for, beyond the screen itself.
public enum WardScreenWish: Hashable, Sendable {
    /// End the program.
    case quit
    /// Acknowledge the ward's own alarms of a bed, or of the ward; then ask the bed about its worst alarm.
    case acknowledge(WardBed?)
    /// Pause the sound at this screen, or end the pause.
    case pauseSound
    /// Report to a bed that someone goes there.
    case going(WardBed)
    /// Report to a bed that this person no longer goes there.
    case notGoing(WardBed)
    /// Report that another bed has just moved into the selected place, so that the key did nothing.
    case lookAgain
}

extension WardScreenState {
    /// The keys of the ward screen with their labels; the help and the manual list them.
    public static let keys: [(key: String, label: String)] = [
        ("arrows", "select a bed, or scroll"), ("Enter", "open the bed"), ("Esc", "back"),
        ("o", "order: worst first, or by name"), ("A", "all alarms"), ("l", "log"), ("/", "filter"),
        ("h", "on a bed's page: its last day, as bedside collect has stored it, or its last half hour"),
        ("a", "acknowledge here; at the bed only if that is allowed"),
        ("p", "pause the sound at this screen, or end the pause; beds sound on"), ("g", "say that you are going"),
        ("G", "take that back"), ("?", "keys"), ("q", "quit"),
    ]

    /// Handles a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - state: The ward.
    ///   - columns: The number of beds in a row.
    ///   - now: The present moment.
    public mutating func handle(_ key: Key, _ state: WardState, columns: Int, at now: Moment) -> WardScreenWish? {
        if isTyping {
            type(key)
            return nil
        }
        if [.enter, .character("a"), .character("g"), .character("G")].contains(key), !isSeen(state, at: now) {
            return .lookAgain
        }
        // An answered bed may move down; the next key is then still for the same bed, not for its successor.
        if page == .beds, [.character("a"), .character("g"), .character("G")].contains(key) {
            selection = selectedBed(state)
        }
        switch key {
        case .escape:
            if page != .beds { page = .beds } else { filter = "" }
            scroll = 0
        case .enter:
            if page == .beds, let bed = selectedBed(state) { page = .bed(bed) }
        case .up, .down, .left, .right, .pageUp, .pageDown, .home, .end: move(key, state, columns: max(1, columns))
        case .character("o"): order = order == .worst ? .name : .worst
        case .character("A"): show(.alarms)
        case .character("l"): show(.log)
        case .character("?"): show(.help)
        case .character("h"): if case .bed = page { showsHistory.toggle() }
        case .character("/"):
            page = .beds
            isTyping = true
        case .character("a"): return .acknowledge(isWardAnswered(state) ? nil : answeredBed(state))
        case .character("p"): return .pauseSound
        case .character("g"): return answeredBed(state).map { .going($0) }
        case .character("G"): return answeredBed(state).map { .notGoing($0) }
        case .character("q"):
            if page == .beds { return .quit }
            page = .beds
        default: break
        }
        return nil
    }

    private mutating func show(_ page: Page) {
        self.page = self.page == page ? .beds : page
        scroll = 0
    }

    /// How long a bed must have been shown as selected before a key is meant for it, in nanoseconds.
    private static let lookingTime: Int64 = 500_000_000

    /// A frame shows a bed as selected, or none.
    public mutating func drew(_ bed: WardBed?, at now: Moment) {
        if seen == nil || seen?.bed != bed { seen = SeenBed(bed: bed, since: now) }
    }

    /// Whether a key is meant for the selected bed: the user has seen that bed there, or has chosen it.
    private func isSeen(_ state: WardState, at now: Moment) -> Bool {
        guard page == .beds, let bed = selectedBed(state), bed != selection else { return true }
        guard let seen, seen.bed == bed else { return false }
        return now.since(seen.since).nanoseconds >= Self.lookingTime
    }

    /// The bed that an answer is for; `nil` for the ward as a whole.
    private func answeredBed(_ state: WardState) -> WardBed? {
        if case .bed(let bed) = page { return bed }
        return selectedBed(state)
    }

    /// Whether an acknowledgement is for the ward's own alarm, which is about no bed that can be selected.
    private func isWardAnswered(_ state: WardState) -> Bool {
        guard let own = state.ownAlarms.first(where: { $0.bed == nil && !$0.isAcknowledged })?.kind else {
            return false
        }
        if own == .noBroker { return true }
        if case .bed = page { return false }
        guard own != .noPlace, let bed = selectedBed(state).flatMap({ state[$0] }) else { return true }
        let open =
            bed.alarms.filter(\.wantsAttention).map(\.priority)
            + state.ownAlarms.filter { $0.bed == bed.bed && !$0.isAcknowledged }.map(\.kind.priority)
        return open.allSatisfy { $0 < own.priority }
    }

    private mutating func move(_ key: Key, _ state: WardState, columns: Int) {
        let step =
            switch key {
            case .up: -columns
            case .down: columns
            case .left: -1
            case .right: 1
            case .pageUp: -10
            case .pageDown: 10
            case .home: -1_000_000
            default: 1_000_000
            }
        switch page {
        case .beds:
            let beds = shownPlaces(state).map { state.beds[$0].bed }
            guard !beds.isEmpty else { return }
            let selected = selectedBed(state)
            let place = beds.firstIndex { $0 == selected } ?? 0
            selection = beds[min(max(0, place + step), beds.count - 1)]
        case .bed(let bed):
            let beds = shownPlaces(state).map { state.beds[$0].bed }
            guard let place = beds.firstIndex(of: bed) else { return }
            let next = beds[min(max(0, place + step.signum()), beds.count - 1)]
            (page, selection) = (.bed(next), next)
        case .alarms, .log, .help:
            let by = columns > 1 && abs(step) == columns ? step.signum() : step
            scroll = min(max(0, scroll + by), WardScreenState.longestScroll)
        }
    }

    private static let longestScroll = 1000

    private mutating func type(_ key: Key) {
        switch key {
        case .enter: isTyping = false
        case .escape:
            isTyping = false
            filter = ""
        case .backspace: if !filter.isEmpty { filter.removeLast() }
        case .eraseLine: filter = ""
        case .character(let scalar), .pasted(let scalar):
            if filter.unicodeScalars.count < 24, scalar.properties.generalCategory != .control {
                filter.unicodeScalars.append(scalar)
            }
        default: break
        }
    }
}
