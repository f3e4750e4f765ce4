import Vitals

extension ConnectionMachine {
    /// The time limit of `Connect`.
    ///
    /// Quirk connect-waits-for-report: another program's scan can delay it by some 11 s.
    static let connectLimit = Duration.seconds(15)
    /// The time limit for resolving the services of a new link.
    static let servicesLimit = Duration.seconds(15)
    /// The time limit of `Disconnect`.
    ///
    /// Quirk disconnect-takes-2-s: BlueZ takes this long to end a link.
    static let disconnectLimit = Duration.seconds(6)
    /// The number of consecutive "busy" answers after which `Disconnect` is called.
    ///
    /// Usually another program is connecting to the same sensor, and its link can be shared. If two programs cancelled
    /// at once, they would keep each other from the sensor permanently; an attempt that never ends is still cancelled.
    static let busyAnswersBeforeCleaning = 3
    /// How long a streaming sensor may be silent before it is subscribed to again, and after that before it counts as
    /// silent.
    static let silenceLimit = Duration.seconds(20)
    /// How long a sensor is left alone after it has transferred everything.
    static let rest = Duration.seconds(60)
    /// How long changed services must be stable before they are subscribed to.
    static let changeLimit = Duration.seconds(1)
    /// The number of consecutive refusals after which the user is asked whether another device uses the sensor.
    static let refusalsBeforeHint = 3
    /// How long a connection must have streamed for its failures to be forgotten.
    static let stableAfter = Duration.seconds(5)
}
