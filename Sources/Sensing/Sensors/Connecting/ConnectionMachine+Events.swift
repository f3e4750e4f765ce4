import Vitals

extension ConnectionMachine {
    /// An event of one sensor's connection.
    enum Event: Hashable, Sendable {
        /// The user, or the policy, wants the sensor connected.
        case wanted
        /// The user no longer wants the sensor connected; final until the next ``wanted``.
        case unwanted
        /// The policy prefers another sensor; this one may be ``wanted`` again at any time.
        case released
        /// BlueZ knows the peripheral now.
        case appeared
        /// The peripheral was heard, so BlueZ knows it, too.
        case heard
        /// BlueZ has forgotten the peripheral.
        case vanished
        /// The sensor's turn to connect has come.
        case turnCame
        /// The `Connect` with this number has answered; `nil` is success.
        case connectAnswered(attempt: Int, ConnectFailure?)
        case linkUp
        case linkDown
        /// BlueZ knows the sensor's services.
        case servicesResolved
        /// BlueZ no longer knows the sensor's services, though the link may exist.
        case servicesLost
        /// The sensor's services have changed, or are about to change.
        case servicesChanged
        /// The subscriptions are complete; `nil` for success.
        case subscribed(ConnectFailure?)
        /// The conversation with the sensor has ended: everything was transferred, or it failed.
        case conversationEnded(ConnectFailure?)
        /// The sensor cannot be used, for a reason that no further attempt changes; a sentence.
        case unusable(String)
        /// A value arrived; needed only while ``ConnectionMachine/isSilent``.
        case valueCame
        /// The computer has slept.
        case awoke
        /// The program was stalled: values of that time may be waiting.
        case stalled
        /// The link turned out to be ours.
        case claimed
        /// `Disconnect` has returned, successfully or not.
        case disconnectAnswered
        /// The timer of ``Action/setTimer(_:)`` has fired.
        case timerFired
        /// No connection is possible, because the adapter, bluetoothd or the bus is lost, or the sensor is being
        /// paired.
        case radioLost(ConnectionState.DisconnectReason)
        /// The adapter can be used (again).
        case radioReturned
    }

    /// An action for the caller, to be performed in order.
    enum Action: Hashable, Sendable {
        /// Request a turn to connect; ``Event/turnCame`` answers.
        case requestTurn
        /// Let the next sensor connect, or stop waiting for a turn.
        case releaseTurn
        /// Call `Connect`; return the answer with the same number.
        case connect(attempt: Int)
        /// Call `Disconnect`, which also cancels a pending `Connect`.
        case disconnect
        /// Subscribe to the sensor's characteristics, then read those that are read once.
        case subscribe
        /// End the subscriptions and subscribe again.
        case rearm
        /// Set the timer to this moment; replaces an earlier one.
        case setTimer(Moment)
        /// Cancel the timer.
        case cancelTimer
        /// Report the state to all readers.
        case report(ConnectionState)
    }
}
