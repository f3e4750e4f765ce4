import DBus

// Invalid input from the bus.
extension BluetoothCentral {
    /// All input that was ignored until now.
    public var ignored: IgnoredInput { tree.log.ignored }

    /// The first ignored input of each kind since the start, for one reader.
    ///
    /// The sequence ends with ``stop()``.
    public func warnings() -> BroadcastSequence<InputWarning> {
        warningBroadcast.subscribe(startingWith: tree.log.warnings)
    }

    /// Ignores input of the daemon.
    func ignore(_ kind: InputWarning.Kind, _ place: String?) {
        tree.log.record(kind, place)
        reportWarnings()
    }

    /// Counts an ignored message of another program.
    func ignoreForeign(_ place: String?) {
        tree.log.recordForeign(place, isDaemonKnown: daemon.owner != nil)
        reportWarnings()
    }

    func reportWarnings() {
        for warning in tree.log.takeUnreported() { warningBroadcast.send(warning) }
    }
}
