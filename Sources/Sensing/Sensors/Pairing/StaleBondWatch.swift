import Vitals

/// Recognises a sensor that has forgotten the key of its bond, by how its links end.
///
/// Quirk stale-bond: the link falls as soon as encryption starts, some 0.2 s after it was made and before the
/// services are known, while BlueZ still reports the sensor as paired. `Connect` succeeds all the same.
struct StaleBondWatch: Hashable, Sendable {
    /// The longest duration of such a link.
    private static let fallsWithin = Duration.seconds(5)
    /// How many links in a row have to fall so; one alone may be a weak radio.
    private static let enough = 2

    private var linkBegan: Moment?
    private var fallen = 0

    /// A link is up.
    mutating func linkUp(at moment: Moment) {
        linkBegan = moment
    }

    /// The services are known, so the key is right.
    mutating func servicesResolved() {
        linkBegan = nil
        fallen = 0
    }

    /// A link is down; returns whether the bond is stale.
    ///
    /// - Parameters:
    ///   - isPaired: Whether BlueZ says that the sensor is paired.
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
