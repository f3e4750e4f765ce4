import BlueZ

/// The state of one sensor's present link, or of its last one.
struct SensorLink {
    /// Counts the links and their ends, so that results of a former one are recognised.
    private(set) var number = 0
    /// Whether BlueZ reported the end of the link: a value after that was sent before.
    private(set) var isEnded = false
    /// Whether BlueZ reported that the services are resolved.
    private(set) var areServicesResolved = false
    /// The subscribed characteristics.
    private(set) var subscribed: [CharacteristicReference] = []
    /// Counts the subscriptions, so that an outdated one is recognised.
    private(set) var subscriptionNumber = 0
    /// The last reported battery level, in percent.
    private(set) var batteryPercent: Int?

    /// A link is up.
    mutating func begin() {
        number += 1
        isEnded = false
        batteryPercent = nil
    }

    /// Records that there is no usable link.
    ///
    /// - Parameter isEnded: Whether BlueZ reports its end, rather than its state being unknown.
    mutating func end(isEnded: Bool) {
        number += 1
        areServicesResolved = false
        batteryPercent = nil
        subscribed = []
        if isEnded { self.isEnded = true }
    }

    mutating func resolveServices() { areServicesResolved = true }

    /// Records that the services are no longer known; returns whether they were.
    mutating func loseServices() -> Bool {
        defer { areServicesResolved = false }
        return areServicesResolved
    }

    mutating func countSubscription() { subscriptionNumber += 1 }

    mutating func forgetSubscribed() { subscribed = [] }

    mutating func addSubscribed(_ reference: CharacteristicReference) { subscribed.append(reference) }

    /// Records a battery level in percent; returns whether it is new.
    mutating func recordBattery(_ percent: Int) -> Bool {
        defer { batteryPercent = percent }
        return batteryPercent != percent
    }
}
