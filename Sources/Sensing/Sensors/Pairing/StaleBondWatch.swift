import Vitals

/// Detects a sensor that has lost the key of its bond, by how its links end.
///
/// Quirk stale-bond: the link is lost as soon as encryption starts, some 0.2 s after it was made and before the
/// services are known, while BlueZ still reports the sensor as paired. `Connect` still succeeds.
struct StaleBondWatch: Hashable, Sendable {
    /// The longest duration of such a link.
    private static let fallsWithin = Duration.seconds(5)
    /// The number of consecutive links that must be lost in this way; a single one may be a weak radio.
    private static let enough = 2

    private var linkBegan: Moment?
    private var fallen = 0

    mutating func linkUp(at moment: Moment) {
        linkBegan = moment
    }

    /// Records that the services are known, so that the key is correct.
    mutating func servicesResolved() {
        linkBegan = nil
        fallen = 0
    }

    /// Handles the end of a link; returns whether the bond is stale.
    ///
    /// - Parameters:
    ///   - isPaired: Whether BlueZ reports the sensor as paired.
    ///   - moment: When.
    mutating func linkDown(isPaired: Bool, at moment: Moment) -> Bool {
        guard let began = linkBegan else { return false }
        linkBegan = nil
        guard isPaired, moment.since(began) <= Self.fallsWithin else {
            fallen = 0
            return false
        }
        fallen += 1
        return fallen >= Self.enough
    }
}
