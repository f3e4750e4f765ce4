import JSON
import Vitals
import Waves

// Waves, which are lines only where somebody asked for them.
extension WatchEncoder {
    /// Writes the line of samples, or of the state of a stream.
    ///
    /// - Parameters:
    ///   - update: What came.
    ///   - moment: When, for the state of a stream; samples have their own time.
    public mutating func write(_ update: WaveUpdate, at moment: Moment) {
        switch update {
        case .block(let block): write(block)
        case .state(let sensor, let kind, let state):
            begin("wave", moment, sensor)
            text("wave", kind.rawValue)
            text("state", state.word)
            if case .refused(let sentence) = state { text("reason", sentence) }
            end()
        }
    }

    /// Writes samples: a number each, or a list where one sample has several values; `null` for one that did not come.
    private mutating func write(_ block: WaveBlock) {
        begin("wave", block.startMoment, block.sensor)
        text("wave", block.kind.rawValue)
        text("unit", block.kind.traits.unit.rawValue)
        json.key("rate_hz")
        json.hundredths(Int(saturating: block.rate * 100))
        number("lost", block.lost == 0 ? nil : block.lost)
        json.key("continues")
        json.bool(block.isContinuing)
        json.key("samples")
        json.beginArray()
        let channels = block.kind.traits.channels
        for index in 0..<block.count {
            if channels > 1 { json.beginArray() }
            for value in block.samples[index * channels..<(index + 1) * channels] {
                if value == WavePiece.missing { json.null() } else { json.integer(value) }
            }
            if channels > 1 { json.endArray() }
        }
        json.endArray()
        if !block.beats.isEmpty {
            json.key("beats")
            json.beginArray()
            for beat in block.beats { json.integer(beat) }
            json.endArray()
        }
        end()
    }
}
