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
        guard case .up(let link) = link,
            let data = characteristics.first(where: { $0.definition.content == .polarData }), data.isArmed
        else { return }
        for stream in peripheral.streams.running where link.sending.insert(stream.kind.name).inserted {
            schedule(stream.nextFrame(at: world.clock.now), of: stream, from: data)
        }
    }

    private func schedule(_ number: Int, of stream: PolarStreams.Stream, from data: RemoteCharacteristic) {
        let epoch = epoch
        world.clock.at(stream.due(number)) { [weak self] in
            guard let self, self.epoch == epoch, case .up(let link) = self.link else { return }
            let present = self.peripheral.streams.running.first { $0.kind == stream.kind && $0.begin == stream.begin }
            guard let present, data.isArmed else {
                link.sending.remove(stream.kind.name)
                // It may have been started again meanwhile.
                return self.streamIfWanted()
            }
            self.send(number, of: present, from: data)
            let isLate = self.world.clock.now > present.due(number + 1) + Self.greatestDelay
            self.schedule(isLate ? present.nextFrame(at: self.world.clock.now) : number + 1, of: present, from: data)
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
