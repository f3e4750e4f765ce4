import VitalDecoders

// A ring whose nights are fetched.
extension Device {
    /// Lets a ring answer what was written to it.
    ///
    /// - Returns: The ATT error with which it refuses the write.
    func answerRing(_ octets: [UInt8]) -> UInt8? {
        guard let before = peripheral.conversation.nights else { return nil }
        let usual = world.air.packets(StoredNights.delay)
        var error: UInt8?
        for reaction in peripheral.nightReactions(to: octets, at: world.clock.now) {
            switch reaction {
            case .rules(let request): error = follow(.written(request, to: before.ring.requests)) ?? error
            case .answer(let answer, let delay):
                whileUnchanged(after: usual + delay) { device in
                    guard device.peripheral.isTalking else { return }
                    device.send(answer, from: before.ring.answers, pieces: before.ring.piece)
                }
            case .silence: break
            case .breakLink: whileUnchanged(after: usual) { $0.losesLink(to: .connectionAborted) }
            case .die: whileUnchanged(after: usual) { $0.ringDies() }
            }
        }
        logFiles(since: before.counts)
        return error
    }

    private func logFiles(since before: StoredNights.Counts) {
        guard let counts = peripheral.conversation.nights?.counts else { return }
        if counts.opened > before.opened { world.air.log.add("\(peripheral.name) file opened") }
        if counts.closed > before.closed { world.air.log.add("\(peripheral.name) file closed") }
        for command in counts.forbidden.dropFirst(before.forbidden.count) {
            let digits = Hexadecimal.text(UInt64(command), digits: 2)
            world.air.log.add("\(peripheral.name) forbidden command \(digits)")
        }
    }

    /// A ring that was sent what nobody may send is never heard again.
    private func ringDies() {
        world.air.log.add("\(peripheral.name) dead")
        peripheral.isAdvertising = false
        losesLink(to: .connectionAborted)
        adapter?.advertisementChanged(peripheral)
    }
}
