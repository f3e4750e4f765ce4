/// The right to use the machine, which is there only once; it is given back when this value goes.
final class Turn: Sendable {
    /// Waits, behind those who came before, and blocks no thread meanwhile.
    static func take() async -> Turn {
        await queue.take()
        return Turn()
    }

    private init() {}

    deinit {
        Task { await Self.queue.giveBack() }
    }

    private static let queue = TurnQueue()
}

private actor TurnQueue {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
    }

    func giveBack() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
