/// A queue in which a newer element may drop an older one that still waits.
@usableFromInline
struct ElementQueue<Element> {
    /// The elements, `nil` where one was removed or dropped.
    @usableFromInline var elements: [Element?]
    /// The index of the oldest element.
    @usableFromInline var front = 0
    /// How many elements have been dropped behind `front`.
    @usableFromInline var dropped = 0
    /// The index of the waiting element of a key.
    @usableFromInline var positions: [UInt64: Int] = [:]

    init(_ elements: [Element]) {
        self.elements = elements
    }

    /// Adds an element; one with the same key that still waits is dropped.
    @inlinable
    mutating func append(_ element: Element, supersessionKey: UInt64?) {
        if let supersessionKey {
            // The first element has been removed, and another may follow.
            if let position = positions[supersessionKey], position >= front {
                elements[position] = nil
                dropped += 1
                if dropped >= 64, dropped > (elements.count - front) / 2 { compact() }
            }
            positions[supersessionKey] = elements.count
        }
        elements.append(element)
    }

    /// Removes the oldest element; `nil` when there is none.
    @inlinable
    mutating func popFirst() -> Element? {
        while front < elements.count {
            let element = elements[front]
            elements[front] = nil
            front += 1
            if front == elements.count {
                clear()
            } else if front >= 1024, front > elements.count / 2 {
                compact()
            }
            if let element { return element }
            dropped -= dropped > 0 ? 1 : 0
        }
        return nil
    }

    /// Whether nothing waits.
    @inlinable
    var isEmpty: Bool { elements.count - front == dropped }

    /// How many places are in use, dropped ones included.
    var capacityInUse: Int { elements.count }

    @inlinable
    mutating func clear() {
        elements.removeAll(keepingCapacity: elements.capacity <= 1024)
        positions.removeAll()
        front = 0
        dropped = 0
    }

    @usableFromInline
    mutating func compact() {
        var kept: [Element?] = []
        var moved: [Int: Int] = [:]
        for index in front..<elements.count {
            guard let element = elements[index] else { continue }
            moved[index] = kept.count
            kept.append(element)
        }
        positions = positions.compactMapValues { moved[$0] }
        elements = kept
        front = 0
        dropped = 0
    }
}
