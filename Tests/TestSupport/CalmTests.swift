import Glibc
import Testing

extension Trait where Self == CalmTests {
    /// Marks tests that count what a program does, or that tell two seconds of silence from a slow computer.
    ///
    /// `make test` runs tests of whole programs while it compiles other tests, as long as the file exists that
    /// `BEDSIDE_BUSY` names. These tests begin when it is gone, one at a time.
    public static var calm: Self { CalmTests() }
}

/// A trait of a test or suite that begins when nothing is compiled any longer.
public struct CalmTests: TestTrait, SuiteTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A test that is marked as well as its suite has its turn already.
        if Self.hasTurn { return try await function() }
        await Turn.shared.enter()
        do {
            try await awaitCondition("nothing is compiled", within: .seconds(3600)) {
                if !Self.isBusy { return true }
                try await Task.sleep(for: .milliseconds(200))
                return false
            }
            try await Self.$hasTurn.withValue(true) { try await function() }
        } catch {
            await Turn.shared.leave()
            throw error
        }
        await Turn.shared.leave()
    }

    /// Whether `make test` compiles.
    private static var isBusy: Bool { getenv("BEDSIDE_BUSY").map { access($0, F_OK) == 0 } ?? false }

    @TaskLocal private static var hasTurn = false

    /// Lets one test in at a time, in their order.
    private actor Turn {
        static let shared = Turn()

        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func enter() async {
            if isTaken {
                await withCheckedContinuation { waiting.append($0) }
            } else {
                isTaken = true
            }
        }

        func leave() {
            if waiting.isEmpty {
                isTaken = false
            } else {
                waiting.removeFirst().resume()
            }
        }
    }
}
