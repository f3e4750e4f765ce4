import BlueZ

/// What is true of one sensor's present link only, or of its last one.
struct SensorLink {
    /// Counts the links and their ends, so that what was begun on a former one is recognised.
    private(set) var number = 0
    /// Whether BlueZ reported that the link has ended: a value that still comes was sent before.
    private(set) var isEnded = false
    /// Whether BlueZ said that the services are resolved.
    private(set) var areServicesResolved = false
    /// What was subscribed to.
    private(set) var subscribed: [CharacteristicReference] = []
    /// Counts the subscriptions, so that one that was overtaken by the next is recognised.
    private(set) var subscriptionNumber = 0
    /// The battery level that was reported last, in percent.
    private(set) var batteryPercent: Int?

    /// A link is up.
    mutating func begin() {
        number += 1
        isEnded = false
        batteryPercent = nil
    }

    /// There is no link that can be used any more.
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

    /// The services are not known any more; returns whether they were.
    mutating func loseServices() -> Bool {
        defer { areServicesResolved = false }
        return areServicesResolved
    }

    mutating func countSubscription() { subscriptionNumber += 1 }

    mutating func forgetSubscribed() { subscribed = [] }

    mutating func addSubscribed(_ reference: CharacteristicReference) { subscribed.append(reference) }

    /// Records a battery level in percent; returns whether it is news.
    mutating func recordBattery(_ percent: Int) -> Bool {
        defer { batteryPercent = percent }
        return batteryPercent != percent
    }
}
