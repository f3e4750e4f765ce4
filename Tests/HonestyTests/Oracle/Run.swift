import MonitorLink
import Monitoring
import Vitals

/// One story sent to a monitor, with the oracle beside it.
struct Run {
    let seed: UInt64
    private(set) var state: MonitorState
    private(set) var oracle = HonestyOracle()
    private var story: Story
    private var viewer: MonitorState?
    private var witnesses: Witnesses?
    private let store: StoreWitness?
    private var witnessFault: String?
    /// Whether a view is connected, and was sent everything.
    private(set) var isViewed = false

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - seed: Which story.
    ///   - isWitnessed: Whether screens, lines, status and views are read as well, which takes a hundred times as long.
    ///   - store: Records the story.
    init(seed: UInt64, isWitnessed: Bool = false, store: StoreWitness? = nil) {
        self.seed = seed
        self.store = store
        story = Story(seed: seed)
        witnesses = isWitnessed ? Witnesses() : nil
        state = MonitorState(settings: story.settings(), start: Story.start)
    }

    /// The first thing that is not so.
    var fault: String? { oracle.faults.first ?? witnessFault }

    /// How many live numbers were read on screens.
    var liveNumbers: Int { witnesses?.liveNumbers ?? 0 }

    /// Tells some steps.
    mutating func report(steps: Int) async throws {
        await store?.begin(at: state.now)
        for _ in 0..<steps where fault == nil {
            switch story.next(state) {
            case .input(let input): try take(input)
            case .viewerJoins where witnesses != nil:
                viewer = try LinkCoder.value(MonitorState.self, LinkCoder.line(state))
                isViewed = true
            case .viewerJoins: break
            case .restart(let pause): try await restart(after: pause)
            }
            if witnesses != nil, fault == nil { look() }
        }
        if let viewer, viewer != state, fault == nil { witnessFault = "a view knows something else than its monitor" }
        if let store, fault == nil { witnessFault = try await store.end() }
    }

    private mutating func take(_ input: MonitorInput) throws {
        // Deadlines first: what time alone changes must be true as well.
        while let deadline = state.nextDeadline, deadline <= input.moment, fault == nil {
            try apply(.event(MonitorEvent(moment: deadline, kind: .tick)))
        }
        oracle.follow(input)
        try apply(input)
    }

    private mutating func apply(_ input: MonitorInput) throws {
        let effects = state.apply(input)
        store?.record(input, effects)
        oracle.examine(state)
        guard witnesses != nil else { return }
        if viewer != nil { _ = viewer?.apply(try LinkCoder.value(MonitorInput.self, LinkCoder.line(input))) }
        guard case .event(let event) = input, fault == nil else { return }
        witnessFault = witnesses?.lineFault(event, effects, state)
    }

    private mutating func look() {
        witnessFault = Witnesses.statusFault(state, oracle.ledger) ?? witnesses?.frameFault(state, oracle.ledger)
    }

    private mutating func restart(after pause: Duration) async throws {
        oracle.restart()
        viewer = nil
        let before = state
        state = MonitorState(settings: before.settings, start: before.now.advanced(by: pause))
        guard let store else { return }
        let earlier = await store.restart(at: state.now, state.settings.fever)
        try apply(.earlierRun(earlier, at: state.now))
        if fault == nil { witnessFault = store.restartFault(before, state) }
    }
}
