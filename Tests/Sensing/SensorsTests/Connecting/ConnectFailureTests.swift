import BlueZ
import Testing

@testable import KnownSensors
@testable import Sensors

@Suite("What a failure of BlueZ means")
struct ConnectFailureTests {
    @Test(
        "for the next attempt to connect",
        arguments: [
            (BlueZError.Kind.connectionAborted, ConnectFailure.abortedLink), (.connectionRefused, .abortedLink),
            (.cancelled, .abortedLink), (.timedOut, .notReached), (.inProgress, .busy),
            (.inputOutput, .settling), (.notReady, .adapterNotReady), (.busy, .adapterNotReady),
            (.noAdapter, .adapterNotReady), (.unknownObject, .unknownPeripheral),
            (.notAuthorized, .notAuthorised), (.authenticationFailed, .notAuthorised),
            (.accessDenied, .notAuthorised), (.attribute(code: 0x05), .notAuthorised),
            (.attribute(code: 0x0F), .notAuthorised), (.attribute(code: 0x80), .other),
            (.daemonGone, .connectionToDaemonLost), (.busLost, .connectionToDaemonLost), (.failed, .other),
            (.unexpectedAnswer, .other),
        ])
    func meaning(kind: BlueZError.Kind, failure: ConnectFailure) {
        #expect(ConnectFailure(BlueZError(kind)) == failure)
    }

    @Test("a link that is there already is no failure")
    func alreadyConnected() {
        #expect(ConnectFailure(BlueZError(.alreadyConnected)) == nil)
    }
}
