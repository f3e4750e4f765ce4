import Synchronization

/// A list that any thread may append to, for what handlers have seen.
public final class Recorder<Element: Sendable>: Sendable {
    private let recorded = Mutex<[Element]>([])

    /// Makes an empty list.
    public init() {}

    /// Appends an element.
    public func record(_ element: Element) {
        recorded.withLock { $0.append(element) }
    }

    /// All elements so far, in order.
    public var elements: [Element] { recorded.withLock { $0 } }

    /// How many elements there are so far.
    public var count: Int { recorded.withLock { $0.count } }
}
