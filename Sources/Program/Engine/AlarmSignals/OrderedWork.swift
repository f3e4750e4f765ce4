import EventLoops

/// A serial queue of work on another thread; callers never wait.
struct OrderedWork<Piece: Sendable>: Sendable {
    private enum Step: Sendable {
        case piece(Piece)
        case mark(CheckedContinuation<Void, Never>)
    }

    private let steps: AsyncStream<Step>.Continuation
    private let worker: Task<Void, Never>

    /// Begins to work.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread the work is done.
    ///   - perform: Does one piece of work.
    init(on loop: EventLoop, _ perform: @escaping @Sendable (Piece) async -> Void) {
        let (stream, continuation) = AsyncStream<Step>.makeStream()
        steps = continuation
        worker = Task(executorPreference: loop) {
            for await step in stream {
                switch step {
                case .piece(let piece): await perform(piece)
                case .mark(let waiter): waiter.resume()
                }
            }
        }
    }

    /// Adds a piece of work.
    func append(_ piece: Piece) {
        steps.yield(.piece(piece))
    }

    /// Waits until all work added so far is done.
    func catchUp() async {
        await withCheckedContinuation { waiter in
            if case .terminated = steps.yield(.mark(waiter)) { waiter.resume() }
        }
    }

    /// Accepts no more work and waits until all is done.
    func finish() async {
        steps.finish()
        await worker.value
    }
}
