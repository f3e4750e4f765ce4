import DBus

extension BluetoothCentral {
    /// Switches an adapter on or off.
    ///
    /// An adapter that has just appeared is often switched on by the daemon itself a moment later.
    ///
    /// - Parameters:
    ///   - isPowered: Whether to switch it on.
    ///   - adapter: The adapter's object; `nil` for the first one.
    /// - Throws: ``BlueZError``: `busy` while it is being switched, `failed` where rfkill blocks it.
    public func setPowered(_ isPowered: Bool, on adapter: ObjectPath? = nil) async throws(BlueZError) {
        try await set("Powered", to: .boolean(isPowered), of: try resolve(adapter))
    }

    /// Changes the name that an adapter shows to others (``Adapter/name``); the daemon keeps it.
    ///
    /// Source: BlueZ, `org.bluez.Adapter`, `Alias`.
    ///
    /// - Parameters:
    ///   - alias: The name, at most 248 octets of UTF-8; an empty one for the computer's own (``Adapter/systemName``).
    ///   - adapter: The adapter's object; `nil` for the first one that is on.
    /// - Throws: ``BlueZError``: `invalidArguments` for a name that is too long, `noAdapter`, `unknownObject`.
    public func setAlias(_ alias: String, on adapter: ObjectPath? = nil) async throws(BlueZError) {
        guard alias.utf8.count <= InputBounds.nameLength else {
            throw BlueZError(
                .invalidArguments,
                text: "a name has at most \(InputBounds.nameLength) octets, not \(alias.utf8.count)")
        }
        try await set("Alias", to: .string(alias), of: try resolve(adapter))
    }

    /// Lets other devices see an adapter, or not.
    ///
    /// A central need not be discoverable; that is for the moment in which another device is to find this computer. Source:
    /// BlueZ, `org.bluez.Adapter`, `Discoverable` and `DiscoverableTimeout`.
    ///
    /// - Parameters:
    ///   - isDiscoverable: Whether it is seen.
    ///   - limit: After how long the daemon ends that by itself, in whole seconds, rounded up; zero for never, `nil` to keep
    ///     the present limit (``Adapter/discoverableTimeout``).
    ///   - adapter: The adapter's object; `nil` for the first one that is on.
    /// - Throws: ``BlueZError``: `invalidArguments` for an impossible limit, `notReady` while the adapter is off, `noAdapter`,
    ///   `unknownObject`.
    public func setDiscoverable(
        _ isDiscoverable: Bool, for limit: Duration? = nil, on adapter: ObjectPath? = nil
    ) async throws(BlueZError) {
        try await set("Discoverable", to: isDiscoverable, for: limit, of: try resolve(adapter))
    }

    /// Lets other devices begin a pairing with an adapter, or not; pairings that this side begins are always possible.
    ///
    /// The daemon also changes this when the first agent comes and the last one goes. Source: BlueZ, `org.bluez.Adapter`,
    /// `Pairable` and `PairableTimeout`.
    ///
    /// - Parameters:
    ///   - isPairable: Whether others may begin a pairing.
    ///   - limit: After how long the daemon ends that by itself, in whole seconds, rounded up; zero for never, `nil` to keep
    ///     the present limit (``Adapter/pairableTimeout``).
    ///   - adapter: The adapter's object; `nil` for the first one that is on.
    /// - Throws: ``BlueZError``: `invalidArguments` for an impossible limit, `noAdapter`, `unknownObject`.
    public func setPairable(
        _ isPairable: Bool, for limit: Duration? = nil, on adapter: ObjectPath? = nil
    ) async throws(BlueZError) {
        try await set("Pairable", to: isPairable, for: limit, of: try resolve(adapter))
    }

    /// Sets a property that the daemon resets after its limit, whose own property is set first.
    private func set(
        _ property: String, to isTrue: Bool, for limit: Duration?, of adapter: ObjectPath
    ) async throws(BlueZError) {
        if let limit {
            let (seconds, fraction) = limit.components
            guard limit >= .zero, let whole = UInt32(exactly: seconds), fraction == 0 || whole < .max else {
                throw BlueZError(.invalidArguments, text: "\(limit) is no limit that the daemon knows")
            }
            try await set("\(property)Timeout", to: .uint32(whole + (fraction > 0 ? 1 : 0)), of: adapter)
        }
        try await set(property, to: .boolean(isTrue), of: adapter)
    }

    private func set(_ property: String, to value: DBusValue, of adapter: ObjectPath) async throws(BlueZError) {
        try await setProperty(property, to: value, of: adapter, Name.adapter, timeout: .seconds(25))
    }

    /// The given adapter; by default the first one that is on, or else the first.
    func resolve(_ adapter: ObjectPath?) throws(BlueZError) -> ObjectPath {
        if let adapter { return adapter }
        try requireDaemon()
        guard let adapter = tree.sortedAdapters.preferred else { throw BlueZError(.noAdapter) }
        return adapter.path
    }
}
