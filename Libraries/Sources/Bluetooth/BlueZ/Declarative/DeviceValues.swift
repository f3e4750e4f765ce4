import EventLoops

// Sequences of their own, because those of the standard library (`map`, `compactMap`) call their closure on the thread pool:
// two changes of threads for every value.

/// The values of a characteristic with their times, malformed ones too, for one reader, to be iterated once
/// (``DeviceCharacteristic/readings(startingWithLatest:)``).
public struct DeviceReadings<Value: GATTDecodable & Sendable>: AsyncSequence, Sendable {
    let notifications: BroadcastSequence<Notification>

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: notifications.makeAsyncIterator())
    }

    /// Gives one value after another.
    public struct Iterator: AsyncIteratorProtocol {
        var base: BroadcastSequence<Notification>.Iterator

        /// The next value, as soon as there is one; `nil` at the end or when the task is cancelled.
        public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> DeviceReading<Value>? {
            await base.next(isolation: isolation).map { DeviceReading($0) }
        }
    }
}

/// The values of a characteristic that decode, for one reader, to be iterated once
/// (``DeviceCharacteristic/values(startingWithLatest:)``).
public struct DeviceValues<Value: GATTDecodable & Sendable>: AsyncSequence, Sendable {
    let notifications: BroadcastSequence<Notification>

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: notifications.makeAsyncIterator())
    }

    /// Gives one value after another.
    public struct Iterator: AsyncIteratorProtocol {
        var base: BroadcastSequence<Notification>.Iterator

        /// The next value, as soon as there is one; `nil` at the end or when the task is cancelled.
        public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Value? {
            while let notification = await base.next(isolation: isolation) {
                if let value = try? Value(gatt: notification.octets) { return value }
            }
            return nil
        }
    }
}
