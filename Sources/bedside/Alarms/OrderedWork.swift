import EventLoop

/// Work for another thread, which does it piece by piece in the order in which it was given; nobody waits for it.
struct OrderedWork<Piece: Sendable> {
    private let pieces: AsyncStream<Piece>.Continuation
    private let worker: Task<Void, Never>

    /// Begins to work.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread it is done.
    ///   - perform: Does a piece.
    init(on loop: EventLoop, _ perform: @escaping @Sendable (Piece) async -> Void) {
        let (stream, continuation) = AsyncStream<Piece>.makeStream()
        pieces = continuation
        worker = Task(executorPreference: loop) {
            for await piece in stream { await perform(piece) }
        }
    }

    /// Gives a piece of work.
    func give(_ piece: Piece) {
        pieces.yield(piece)
    }

    /// Takes no more and waits until all is done.
    func finish() async {
        pieces.finish()
        await worker.value
    }
}
