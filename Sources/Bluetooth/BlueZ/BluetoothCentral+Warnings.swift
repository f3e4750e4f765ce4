import DBus

// What is wrong with what comes from the bus.
extension BluetoothCentral {
    /// What was ignored until now.
    public var ignored: IgnoredInput { tree.log.ignored }

    /// The first ignored input of each kind, for one reader, from the beginning; however much comes, it is reported once.
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

    /// Ignores a message of somebody else.
    func ignoreForeign(_ place: String?) {
        tree.log.recordForeign(place, isDaemonKnown: daemon.owner != nil)
        reportWarnings()
    }

    func reportWarnings() {
        for warning in tree.log.takeUnreported() { warningBroadcast.send(warning) }
    }
}
