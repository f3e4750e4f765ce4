import Vitals

extension ConnectionMachine {
    /// What happened to one sensor's connection.
    enum Event: Hashable, Sendable {
        /// The user, or the policy, wants the sensor connected.
        case wanted
        /// The user does not want the sensor connected any more; final until the next ``wanted``.
        case unwanted
        /// The policy wants another sensor instead; it may be ``wanted`` again at any time.
        case released
        /// BlueZ knows the peripheral now.
        case appeared
        /// The peripheral was heard on the air, so BlueZ knows it, too.
        case heard
        /// BlueZ does not know the peripheral any more.
        case vanished
        /// Our turn to connect has come.
        case turnCame
        /// The `Connect` with this number has answered; `nil` is success.
        case connectAnswered(attempt: Int, ConnectFailure?)
        /// The link is up.
        case linkUp
        /// The link is down.
        case linkDown
        /// BlueZ knows the sensor's services.
        case servicesResolved
        /// BlueZ does not know the sensor's services any more, though the link may be up.
        case servicesLost
        /// The sensor has other services than before, or is about to.
        case servicesChanged
        /// Subscribing is done; `nil` is success.
        case subscribed(ConnectFailure?)
        /// The conversation with the sensor is over: everything was handed over, or it failed.
        case conversationEnded(ConnectFailure?)
        /// The sensor cannot be used, for a reason that no other attempt changes; a sentence.
        case unusable(String)
        /// A value came; needed only while ``ConnectionMachine/isSilent``.
        case valueCame
        /// The computer has slept.
        case awoke
        /// The program stood still: what should have come meanwhile may be waiting.
        case stalled
        /// The link turned out to be ours.
        case claimed
        /// `Disconnect` has answered, with success or not.
        case disconnectAnswered
        /// The time asked for with ``Action/setTimer(_:)`` has come.
        case timerFired
        /// Nothing can be connected, because the adapter, bluetoothd or the bus is gone, or the sensor is being paired.
        case radioLost(ConnectionState.DisconnectReason)
        /// The adapter can be used (again).
        case radioReturned
    }

    /// What to do about it, in this order.
    enum Action: Hashable, Sendable {
        /// Ask for our turn to connect; ``Event/turnCame`` answers.
        case requestTurn
        /// Let the next sensor connect, or give up waiting for our turn.
        case releaseTurn
        /// Call `Connect`; the answer is to come back with the same number.
        case connect(attempt: Int)
        /// Call `Disconnect`, which also cancels a pending `Connect`.
        case disconnect
        /// Subscribe to what the sensor's services offer, then read what is read once.
        case subscribe
        /// End the subscriptions and subscribe again.
        case rearm
        /// Let the timer fire at this moment, instead of at any earlier fixed one.
        case setTimer(Moment)
        /// Let the timer not fire.
        case cancelTimer
        /// Report the state to all readers.
        case report(ConnectionState)
    }
}
