import EventLoops

/// A declared device that this computer is itself: centrals find it, read and write it, and subscribe to its values.
///
/// ```swift
/// let sensor = DeviceServer(Strap.self, of: central)
/// try await sensor.heartRate.location.setValue(.chest)
/// try await sensor.start(advertising: Advertisement(name: "Strap"))
/// try await sensor.heartRate.measurement.send(HeartRateMeasurement(heartRate: 72))
/// ```
///
/// The same declaration as for ``Device``, from the other side. Served is what has a value (``ServedCharacteristic``), takes
/// writes, or is declared as ``DeclaredOption/notifies``; optional characteristics that are none of these are omitted, and
/// services without a characteristic, too. It is registered again by itself when the daemon or the adapter returns.
/// Copies share their state.
@dynamicMemberLookup
public struct DeviceServer<Declaration: DeviceDeclaration>: Sendable {
    /// The device's declaration.
    public let declaration: Declaration
    let application: ServedApplication

    /// Creates a server that does nothing before ``start(advertising:on:)``.
    ///
    /// - Parameters:
    ///   - declaration: Its services.
    ///   - central: The client whose connection to the daemon is used; it must be started, too.
    public init(_ declaration: Declaration.Type, of central: BluetoothCentral) {
        let instance = Declaration()
        self.declaration = instance
        application = ServedApplication(
            central: central, entries: DeclaredEntry.all(of: instance), discovered: declaration.discovery.services)
    }

    /// A declared service.
    public subscript<Service: ServiceDeclaration>(
        dynamicMember member: KeyPath<Declaration, Service>
    ) -> ServedService<Service> {
        ServedService(declaration: declaration[keyPath: member], application: application)
    }

    /// Serves the declared services from now on, until ``stop()`` or the end of its client.
    ///
    /// It returns before the daemon has registered them: ``states()`` tells when they are served. While daemon or adapter
    /// are missing or the adapter is off, it waits for them.
    ///
    /// - Parameters:
    ///   - advertisement: What to advertise; `nil` for nothing, for centrals that are connected already.
    ///   - adapter: The adapter's object; `nil` for the first one that is on.
    /// - Throws: ``ServingError``: `missing`, `incomplete`, `empty`, `invalidName`, `alreadyStarted`.
    public func start(
        advertising advertisement: Advertisement? = Advertisement(), on adapter: AdapterPath? = nil
    ) async throws(ServingError) {
        try await application.start(advertisement, on: adapter)
    }

    /// Removes the services and the advertisement; links to centrals stay.
    ///
    /// The sequences of received writes end. It may be started again, after the writes were asked for anew.
    public func stop() async {
        await application.stop()
    }

    /// Whether the services are served, or what is missing.
    public var state: ServingState {
        get async { await application.state }
    }

    /// The states from now on, beginning with the present one.
    public func states() async -> BroadcastSequence<ServingState> {
        await application.stateSequence()
    }
}

/// A declared service of a ``DeviceServer``.
@dynamicMemberLookup
public struct ServedService<Declaration: ServiceDeclaration>: Sendable {
    let declaration: Declaration
    let application: ServedApplication

    /// A declared characteristic.
    public subscript<Value>(dynamicMember member: KeyPath<Declaration, Declared<Value>>) -> ServedCharacteristic<Value>
    {
        let declared = declaration[keyPath: member]
        return ServedCharacteristic(
            key: CharacteristicKey(service: Declaration.uuid, uuid: declared.uuid), application: application)
    }
}
