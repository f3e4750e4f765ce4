import CALSA
import Glibc
import Sounds

/// Why there is no sound: a phrase for the user.
package struct SoundError: Error, Hashable {
    /// The phrase: "no sound card".
    package let reason: String
}

/// ALSA's default output or input, which also reaches PipeWire and PulseAudio through their plugins.
///
/// A call may block indefinitely: use it only where that does no harm.
package final class ALSADevice {
    private let functions: calsa_functions
    private let device: OpaquePointer

    /// The direction of the samples.
    package enum Direction: Hashable, Sendable {
        /// To a loudspeaker.
        case playback
        /// From a microphone.
        case capture
    }

    /// The latency of the device in microseconds; a higher priority is delayed by it.
    private static let latency: UInt32 = 60_000

    /// Opens the device.
    ///
    /// - Throws: ``SoundError`` when there is none, or it cannot be used.
    package init(_ direction: Direction = .playback) throws(SoundError) {
        var functions = calsa_functions()
        guard calsa_load(&functions) == 0 else { throw SoundError(reason: "libasound2 is not installed") }
        var opened: OpaquePointer?
        let mode: Int32 = 0
        let stream = direction == .playback ? CSND_PCM_STREAM_PLAYBACK : CSND_PCM_STREAM_CAPTURE
        let status = functions.pcm_open(&opened, "default", stream, mode)
        guard status == 0, let opened else { throw SoundError(status, direction, functions) }
        let channels: UInt32 = 1
        let resamples: Int32 = 1
        let format = functions.pcm_set_params(
            opened, CSND_PCM_FORMAT_S16_LE, CSND_PCM_ACCESS_RW_INTERLEAVED, channels, UInt32(Tone.rate), resamples,
            Self.latency)
        guard format == 0 else {
            _ = functions.pcm_close(opened)
            throw SoundError(format, direction, functions)
        }
        (self.functions, device) = (functions, opened)
    }

    deinit { _ = functions.pcm_close(device) }

    /// Writes samples to the device; blocks while its buffer is full.
    ///
    /// - Returns: Whether the device had to restart, because it had run out of samples or the computer slept.
    @discardableResult
    package func write(_ samples: [Int16]) throws(SoundError) -> Bool {
        var hasBegunAgain = false
        var written = 0
        while written < samples.count {
            let status = samples.withUnsafeBufferPointer { samples in
                functions.pcm_writei(
                    device, samples.baseAddress?.advanced(by: written), UInt(samples.count - written))
            }
            if status >= 0 {
                written += status
            } else {
                let isSilent: Int32 = 1
                hasBegunAgain = true
                let recovery = functions.pcm_recover(device, Int32(status), isSilent)
                guard recovery == 0 else { throw SoundError(recovery, .playback, functions) }
            }
        }
        return hasBegunAgain
    }

    /// Reads samples from the device; blocks until they are there.
    ///
    /// Some are lost when the device had to restart.
    ///
    /// - Parameter count: The number of samples.
    package func read(count: Int) throws(SoundError) -> [Int16] {
        var samples = [Int16](repeating: 0, count: count)
        var done = 0
        while done < count {
            let status = samples.withUnsafeMutableBufferPointer { samples in
                functions.pcm_readi(device, samples.baseAddress?.advanced(by: done), UInt(count - done))
            }
            if status > 0 {
                done += status
            } else {
                let isSilent: Int32 = 1
                let recovery = functions.pcm_recover(device, Int32(status), isSilent)
                guard status < 0, recovery == 0 else { throw SoundError(recovery, .capture, functions) }
            }
        }
        return samples
    }

    /// Waits until all samples were played.
    package func drain() {
        _ = functions.pcm_drain(device)
    }
}

extension SoundError {
    fileprivate init(_ status: Int32, _ direction: ALSADevice.Direction, _ functions: calsa_functions) {
        switch -status {
        case ENOENT, ENODEV, ENXIO: reason = direction == .playback ? Speaker.noCard : "no microphone"
        case EBUSY: reason = "another program uses the sound card"
        case EACCES, EPERM: reason = "no permission to use the sound card"
        case ECONNREFUSED, EHOSTDOWN: reason = "no sound server answers"
        default: reason = functions.strerror(status).map { String(cString: $0) } ?? "error \(-status)"
        }
    }
}
