import DBus
extension BlueZError {
    init(_ failure: DBusFailure) {
        switch failure {
        case .remote(let name, let message):
            self.init(.failed, name: name, text: message)
        case .timedOut: self.init(.timedOut)
        case .disconnected: self.init(.busLost)
        case .cannotConnect(let name, let message): self.init(.busLost, name: name, text: message)
        case .invalidMessage(let reason): self.init(.invalidArguments, text: reason)
        case .unexpectedReply: self.init(.unexpectedAnswer, text: failure.description)
        }
    }
}
