import Vitals

extension ConnectionMachine {
    /// How long `Connect` may take.
    ///
    /// Quirk connect-waits-for-report: another program's scan can delay it by some 11 s.
    static let connectLimit = Duration.seconds(15)
    /// How long the services may take from the moment that the link is up.
    static let servicesLimit = Duration.seconds(15)
    /// How long `Disconnect` may take.
    ///
    /// Quirk disconnect-takes-2-s: BlueZ waits so long before it ends a link.
    static let disconnectLimit = Duration.seconds(6)
    /// At which answer in a row that BlueZ is busy `Disconnect` is called.
    ///
    /// Mostly another program is connecting to the same sensor, and its link will serve us as well. To cancel it at
    /// once makes two programs keep each other from the sensor for good; what never ends is cancelled all the same.
    static let busyAnswersBeforeCleaning = 3
    /// How long a streaming sensor may send nothing before it is subscribed to again, and then before it counts as
    /// silent.
    static let silenceLimit = Duration.seconds(20)
    /// For how long a sensor that has handed over everything is left alone.
    static let rest = Duration.seconds(60)
    /// How long nothing must have changed before changed services are subscribed to.
    static let changeLimit = Duration.seconds(1)
    /// The number of consecutive refusals after which the user is asked whether another device uses the sensor.
    static let refusalsBeforeHint = 3
    /// How long a connection must have streamed for its failures to be forgotten.
    static let stableAfter = Duration.seconds(5)
}
