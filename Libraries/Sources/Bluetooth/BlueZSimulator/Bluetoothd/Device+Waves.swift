import DBus
import VitalDecoders

// What a sensor sends by itself, many samples at a time.
extension Device {
    /// Frames that are late by more than this, in seconds, are left out, as by a radio that had no turn.
    private static let greatestDelay = 5.0

    /// Carries out a command at the control point of Polar Measurement Data.
    func commandStream(_ octets: [UInt8], at characteristic: RemoteCharacteristic) {
        guard let settings = peripheral.vitals.electrocardiogram else { return }
        let before = Set(peripheral.streams.running.map(\.kind))
        let answer = peripheral.streams.answer(octets, at: world.clock.now, settings)
        let after = Set(peripheral.streams.running.map(\.kind))
        for kind in before.symmetricDifference(after) {
            world.air.log.add("\(peripheral.name) \(kind.name) \(after.contains(kind) ? "streams" : "stopped")")
        }
        // Without indications the command is carried out, and never answered.
        whileUnchanged(after: world.air.packets(0.02)) { $0.send(answer, to: characteristic) }
        streamIfWanted()
    }

    /// Makes the running streams send to those who listen.
    func streamIfWanted() {
        guard case .up(let link) = link, armedStreamData != nil else { return }
        for stream in peripheral.streams.running where link.sending.insert(stream.kind.name).inserted {
            schedule(stream.nextFrame(at: world.clock.now), of: stream)
        }
    }

    /// Where the streams are sent, while somebody listens; another object after the services have moved.
    private var armedStreamData: RemoteCharacteristic? {
        characteristics.first { $0.isArmed && $0.definition.content == .polarData }
    }

    private func schedule(_ number: Int, of stream: PolarStreams.Stream) {
        let epoch = epoch
        world.clock.at(stream.due(number)) { [weak self] in
            guard let self, self.epoch == epoch, case .up(let link) = self.link else { return }
            let present = self.peripheral.streams.running.first { $0.kind == stream.kind && $0.begin == stream.begin }
            guard let present, let data = self.armedStreamData else {
                link.sending.remove(stream.kind.name)
                // It may have been started again meanwhile.
                return self.streamIfWanted()
            }
            self.send(number, of: present, from: data)
            let isLate = self.world.clock.now > present.due(number + 1) + Self.greatestDelay
            self.schedule(isLate ? present.nextFrame(at: self.world.clock.now) : number + 1, of: present)
        }
    }

    private func send(_ number: Int, of stream: PolarStreams.Stream, from data: RemoteCharacteristic) {
        guard peripheral.isTalking, peripheral.waveFaults.arrives() else { return }
        for repetition in 0..<peripheral.waveFaults.repetitions {
            var stream = stream
            if repetition > 0 {
                peripheral.streams.runAhead(stream.kind)
                stream.lead += Double(repetition) * stream.frameSeconds
            }
            send(peripheral.frame(number, of: stream), to: data)
        }
    }
}

// Waves in the language of scenarios.
extension Device {
    /// How often beats are looked for that a wave reports, in seconds.
    private static let beatSeconds = 0.25

    /// Makes the waves of characteristics send to those who listen.
    func waveIfWanted() {
        guard case .up(let link) = link else { return }
        for characteristic in characteristics where characteristic.isArmed {
            guard let wave = characteristic.definition.wave, link.sending.insert(characteristic.shortUUID).inserted
            else { continue }
            send(0, of: wave, begun: world.clock.now, ahead: 0, from: characteristic.definition.uuid)
        }
    }

    /// Waits for a frame, sends it, and goes on.
    ///
    /// - Parameters:
    ///   - number: The number of the frame.
    ///   - wave: The wave.
    ///   - begin: When the wave began; of a wave of beats, up to when all beats were reported.
    ///   - ahead: How many frames too many were sent.
    ///   - uuid: The characteristic that sends it.
    private func send(
        _ number: Int, of wave: WaveDescription, begun begin: Double, ahead: Int,
        from uuid: BluetoothUUID
    ) {
        let epoch = epoch
        let due: Double
        switch wave.rate {
        case .frequency(let rate): due = begin + Double((number + 1) * wave.count) / rate
        case .beats: due = max(begin, world.clock.now) + Self.beatSeconds
        }
        world.clock.at(due) { [weak self] in
            guard let self, self.epoch == epoch, case .up(let link) = self.link else { return }
            guard let characteristic = self.characteristics.first(where: { $0.definition.uuid == uuid && $0.isArmed })
            else {
                link.sending.remove(uuid.description.lowercased())
                return
            }
            let now = self.world.clock.now
            var (next, begin, ahead) = (number + 1, begin, ahead)
            switch wave.rate {
            case .frequency(let rate):
                let times = (1 - wave.count...0).map { due + Double($0) / rate }
                ahead = self.repeatedly(number, ahead, from: characteristic) {
                    self.peripheral.frame($0, of: wave, at: times, intervals: [])
                }
                // What is very late is left out.
                if now > due + Self.greatestDelay { next = Int((now - begin) * rate) / wave.count }
            case .beats:
                let beats = self.peripheral.pulses(after: begin, through: due).prefix(wave.count)
                if beats.count < wave.count {
                    next = number
                } else {
                    begin = (beats.last?.seconds ?? 0) + Plethysmogram.transit
                    ahead = self.repeatedly(number, ahead, from: characteristic) {
                        self.peripheral.frame(
                            $0, of: wave, at: beats.map { $0.seconds + Plethysmogram.transit },
                            intervals: beats.map(\.interval))
                    }
                }
            }
            self.send(next, of: wave, begun: begin, ahead: ahead, from: uuid)
        }
    }

    /// Sends a frame as often as the sensor's faults say.
    ///
    /// - Returns: How many frames too many were sent by now.
    private func repeatedly(
        _ number: Int, _ ahead: Int, from characteristic: RemoteCharacteristic, _ frame: (Int) -> [UInt8]
    ) -> Int {
        guard peripheral.isTalking, peripheral.waveFaults.arrives() else { return ahead }
        let more = peripheral.waveFaults.repetitions - 1
        for repetition in 0...more {
            send(frame(number + ahead + repetition), to: characteristic, pieces: characteristic.definition.pieces)
        }
        return ahead + more
    }
}
