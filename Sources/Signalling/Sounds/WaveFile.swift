/// A file of samples that every player can read: RIFF WAVE, one channel of 16 bits.
package enum WaveFile {
    /// The bytes of a file with these samples.
    package static func bytes(_ samples: [Int16]) -> [UInt8] {
        let octetsOfSample = 2
        let size = UInt32(samples.count * octetsOfSample)
        var bytes = Array("RIFF".utf8) + octets(36 + size) + Array("WAVEfmt ".utf8)
        let (linear, channels, bits): (UInt16, UInt16, UInt16) = (1, 1, 16)
        bytes += octets(UInt32(16)) + octets(linear) + octets(channels) + octets(UInt32(Tone.rate))
        bytes += octets(UInt32(Tone.rate * octetsOfSample)) + octets(UInt16(octetsOfSample)) + octets(bits)
        bytes += Array("data".utf8) + octets(size)
        bytes.reserveCapacity(bytes.count + Int(size))
        for sample in samples { bytes += octets(sample) }
        return bytes
    }

    private static func octets(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
