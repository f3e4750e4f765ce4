import Testing

/// A scenario that only one back end can do; Testing.md shows this table, and a test compares both.
enum OnlyIn: String, CaseIterable {
    case suspend
    case setClock
    case capture
    case independent

    /// The scenario, in a few words.
    var scenario: String {
        switch self {
        case .suspend: "the computer sleeps and wakes up"
        case .setClock: "the computer's clock is set back"
        case .capture: "the Bluetooth traffic is captured and replayed"
        case .independent: "a cuff, a glucose meter and a MiaoMiao that share no code with Bedside"
        }
    }

    /// The back end that can.
    var backEnd: String {
        switch self {
        case .suspend, .setClock, .capture, .independent: "the machine"
        }
    }

    /// Why the other one cannot.
    var reason: String {
        switch self {
        case .suspend: "a process cannot set the clock that counts the sleep (`CLOCK_BOOTTIME`), nor stop the other one"
        case .setClock: "it would be the clock of the computer that runs the tests"
        case .capture: "only a kernel has traffic to capture"
        case .independent: "the simulator shares the decoders, and so their errors"
        }
    }

    /// Whether it can be done in this run.
    var isPossible: Bool { BackEnd.current.isSimulator == (backEnd == "the simulator") }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a scenario out where it cannot be done.
    static func only(_ exception: OnlyIn) -> ConditionTrait {
        .enabled(if: exception.isPossible, "only in \(exception.backEnd): \(exception.reason)")
    }
}
