/// An exported interface of an object.
public struct ExportedInterface: Sendable {
    /// Its name, such as `org.bluez.Adapter1`.
    public var name: String
    /// Its properties and their values, in the order of their declaration.
    public var properties: [(name: String, value: DBusValue)]
    public var methods: [ExportedMethod]
    /// The signals that it emits, for introspection.
    public var signals: [ExportedSignal]
    /// Called on the connection's loop when a client sets a property; without it every property is read-only.
    ///
    /// The value changes only by ``DBusConnection/setProperties(of:_:_:invalidated:)``.
    public var setProperty: (@Sendable (_ name: String, _ value: DBusValue) async throws(DBusConnectionError) -> Void)?

    public init(
        _ name: String, properties: [(name: String, value: DBusValue)] = [], methods: [ExportedMethod] = [],
        signals: [ExportedSignal] = [],
        setProperty: (@Sendable (_ name: String, _ value: DBusValue) async throws(DBusConnectionError) -> Void)? = nil
    ) {
        self.name = name
        self.properties = properties
        self.methods = methods
        self.signals = signals
        self.setProperty = setProperty
    }
}

/// An exported signal of an object; ``DBusConnection/emit(_:_:_:_:)`` emits it.
public struct ExportedSignal: Sendable {
    public var name: String
    /// The signature of what it carries.
    public var signature: String

    public init(_ name: String, _ signature: String) {
        (self.name, self.signature) = (name, signature)
    }
}

/// An exported method of an object.
public struct ExportedMethod: Sendable {
    public var name: String
    /// The signature of its arguments; a call with another one is refused.
    public var input: String
    /// The signature of its answer.
    public var output: String
    /// Called for every call, in the order of their arrival, on the connection's loop; what it throws is sent as the
    /// error, a ``DBusConnectionError/remote(name:message:)`` with its own name.
    public var handler: @Sendable (IncomingCall) async throws(DBusConnectionError) -> [DBusValue]

    public init(
        _ name: String, input: String = "", output: String = "",
        _ handler: @escaping @Sendable (IncomingCall) async throws(DBusConnectionError) -> [DBusValue]
    ) {
        self.name = name
        self.input = input
        self.output = output
        self.handler = handler
    }
}

/// A call of an exported method.
public struct IncomingCall: Sendable {
    /// The unique name of the caller.
    public let sender: String
    /// The object that was called.
    public let path: ObjectPath
    /// The arguments, of the types that the method declares.
    public let arguments: [DBusValue]
}
