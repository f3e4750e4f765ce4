import EventLoops

/// A request to a control point that waits for its answer; used on the loop only.
final class DeviceRequest {
    /// The notifications of the records' characteristic.
    private(set) var records: [Notification] = []
    private let recordKey: CharacteristicKey?
    private let timeout: Duration
    private let loop: EventLoop
    private let isAnswer: @Sendable ([UInt8]) -> Bool
    private var timer: LoopTimer?
    private var outcome: Result<[UInt8], DeviceError>?
    private var continuation: CheckedContinuation<Result<[UInt8], DeviceError>, Never>?

    init(
        recordKey: CharacteristicKey?, timeout: Duration, loop: EventLoop,
        isAnswer: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.recordKey = recordKey
        self.timeout = timeout
        self.loop = loop
        self.isAnswer = isAnswer
    }

    /// Handles a notification: a record, the answer, or one that does not belong to this request.
    func handle(_ notification: Notification, of key: CharacteristicKey, controlledBy control: CharacteristicKey) {
        guard outcome == nil else { return }
        if key == recordKey {
            records.append(notification)
            restartTimer()
        } else if key == control, isAnswer(notification.octets) {
            finish(.success(notification.octets))
        }
    }

    func finish(_ outcome: Result<[UInt8], DeviceError>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    /// Ends the request when its time limit is over.
    func restartTimer() {
        stopTimer()
        timer = loop.schedule(after: timeout) { [weak self] in self?.finish(.failure(.timedOut)) }
    }

    func stopTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    func answer(isolation: isolated (any Actor)? = #isolation) async -> Result<[UInt8], DeviceError> {
        if let outcome { return outcome }
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        return await withTaskExecutorPreference(loop) {
            await withCheckedContinuation { continuation = $0 }
        }
    }
}
