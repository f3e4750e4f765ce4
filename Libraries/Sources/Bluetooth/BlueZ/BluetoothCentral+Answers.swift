import DBus
import EventLoops

// Whether bus and daemon answer while nothing comes.
extension BluetoothCentral {
    /// Asks the daemon, and the bus, for an answer whenever nothing has come from the daemon for a while; `nil` for never.
    ///
    /// A missing answer is reported as `BusState.silent` or `DaemonState.silent`, half a second after the question.
    /// Notifications between that and the report that it answers again may have waited.
    ///
    /// - Parameter quiet: How long nothing must have come.
    public func watchAnswers(after quiet: Duration?) {
        guard quiet != answerQuiet else { return }
        answerQuiet = quiet
        if quiet == nil {
            answers.pause()
            followAnswerTimer()
        } else if daemon.state?.isRunning == true {
            startWatchingAnswers(at: .now())
        }
    }

    /// Begins to watch a daemon whose objects are known.
    func startWatchingAnswers(at timestamp: Timestamp) {
        guard let answerQuiet else { return }
        answers.begin(quiet: answerQuiet.nanoseconds, at: timestamp.monotonicNanoseconds)
        followAnswerTimer()
    }

    /// Ends the watch of a daemon that has gone, or cannot be reached.
    func stopWatchingAnswers() {
        answers.end()
        followAnswerTimer()
    }

    /// Handles a stall of this loop.
    func restartAnswerWatch() {
        answers.restart(at: Timestamp.monotonicNow())
        followAnswerTimer()
    }

    /// Handles a message of the daemon; the fast path of every notification.
    func heardDaemon(at timestamp: Timestamp) {
        let due = answers.due
        answers.heard(at: timestamp.monotonicNanoseconds)
        if answers.due != due { followAnswerTimer() }
    }

    /// The number of gaps in the daemon's serial numbers, for recognising copies of values.
    ///
    /// Messages that waited come all at once, so copies cannot be told from samples: then the number counts as
    /// unchanged.
    func countedSerialGaps(_ gaps: Int) -> Int {
        if !answers.isSilent { countedGaps = gaps }
        return countedGaps
    }

    private func followAnswerTimer() {
        guard let due = answers.due else {
            if let answerTimer { loop.cancel(answerTimer) }
            answerTimer = nil
            return
        }
        if let answerTimer, loop.move(answerTimer, to: due) { return }
        answerTimer = loop.schedule(at: due) { [weak self] in
            self?.assumeIsolated { bluez in
                bluez.answerTimer = nil
                let actions = bluez.answers.timerFired(at: Timestamp.monotonicNow())
                bluez.followAnswerTimer()
                for action in actions { bluez.perform(action) }
            }
        }
    }

    private func perform(_ action: AnswerWatch.Action) {
        switch action {
        case .ask(let peer, let number):
            Task(executorPreference: loop) { await self.ask(peer, number: number) }
        case .silent(.bus): changeBus(to: .silent, at: .now())
        case .silent(.daemon):
            let now = Timestamp.now()
            // In this order, so that it is never said that all is well again.
            announce(.silent, at: now)
            if bus.state == .silent { changeBus(to: .connected, at: now) }
        case .answers: endSilence()
        }
    }

    private func endSilence() {
        let now = Timestamp.now()
        if bus.state == .silent { changeBus(to: .connected, at: now) }
        if daemon.state == .silent { announce(.running, at: now) }
    }

    private func ask(_ peer: AnswerWatch.Peer, number: Int) async {
        guard let connection, let owner = daemon.owner else { return }
        let epoch = daemon.epoch
        await ping(peer == .bus ? Name.bus : owner, on: connection, timeout: .seconds(1 << 30))
        guard self.connection === connection, epoch == daemon.epoch else { return }
        answers.answered(peer, number: number, at: Timestamp.monotonicNow())
        followAnswerTimer()
    }

    /// Waits until someone on the bus answers; its answer follows everything that it had sent before.
    func ping(_ name: String, on connection: DBusConnection, timeout: Duration) async {
        _ = try? await connection.call(name, .root, "org.freedesktop.DBus.Peer", "Ping", timeout: timeout)
    }
}
