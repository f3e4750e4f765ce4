import DBus
import Testing

@testable import BlueZ

@Suite("Errors")
struct BlueZErrorTests {
    @Test(
        "an error name of BlueZ or the bus is classified and kept",
        arguments: [
            ("org.bluez.Error.InProgress", BlueZError.Kind.inProgress), ("org.bluez.Error.NotReady", .notReady),
            ("org.bluez.Error.Busy", .busy), ("org.bluez.Error.AlreadyConnected", .alreadyConnected),
            ("org.bluez.Error.DoesNotExist", .unknownObject), ("org.bluez.Error.NotPermitted", .notPermitted),
            ("org.bluez.Error.NotSupported", .notSupported), ("org.bluez.Error.NotAuthorized", .notAuthorized),
            ("org.bluez.Error.NotConnected", .notConnected),
            ("org.bluez.Error.AuthenticationTimeout", .authenticationFailed),
            ("org.bluez.Error.SomethingNew", .failed), ("", .failed),
            ("org.freedesktop.DBus.Error.UnknownObject", .unknownObject),
            ("org.freedesktop.DBus.Error.AccessDenied", .accessDenied),
            ("org.freedesktop.DBus.Error.ServiceUnknown", .daemonGone),
            ("org.freedesktop.DBus.Error.NoReply", .daemonGone),
            ("org.freedesktop.DBus.Error.Spawn.ChildExited", .daemonGone),
        ])
    func names(name: String, kind: BlueZError.Kind) {
        let error = BlueZError(classifying: .remote(name: name, message: "why"))
        #expect(error.kind == kind)
        #expect(error.name == name)
        #expect(error.text == "why")
    }

    @Test(
        "the text of a failure is classified where it is known",
        arguments: [
            ("le-connection-abort-by-local", BlueZError.Kind.connectionAborted),
            ("br-connection-canceled", .cancelled), ("Operation already in progress", .inProgress),
            ("Input/output error", .inputOutput), ("Not connected", .notConnected),
            ("No discovery started", .nothingToStop), ("No notify session started", .nothingToStop),
            ("Operation failed with ATT error: 0x80", .attribute(code: 0x80)),
            ("Operation failed with ATT error: 0x0e", .attribute(code: 0x0E)),
            ("Operation failed with ATT error: 0x", .failed), ("Operation failed with ATT error: 0x1ff", .failed),
            ("Failed", .failed), ("", .failed),
        ])
    func texts(text: String, kind: BlueZError.Kind) {
        #expect(BlueZError(classifying: .remote(name: "org.bluez.Error.Failed", message: text)).kind == kind)
    }

    @Test(
        "a failure of our own side has no name",
        arguments: [
            (DBusConnectionError.timedOut, BlueZError.Kind.timedOut), (.disconnected, .busLost),
            (.invalidMessage("no"), .invalidArguments),
            (.unexpectedReply(expected: "s", found: "u"), .unexpectedAnswer),
        ])
    func own(failure: DBusConnectionError, kind: BlueZError.Kind) {
        let error = BlueZError(classifying: failure)
        #expect(error.kind == kind)
        #expect(error.name.isEmpty)
        #expect(!error.description.isEmpty)
    }
}
