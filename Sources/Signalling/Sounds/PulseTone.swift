import Vitals

/// The tone of a measured pulse, whose pitch encodes the oxygen saturation.
///
/// The pitch falls by a semitone for each percent, from A5 at 100 %: listeners distinguish more steps of a logarithmic
/// scale than of a linear one. Below 97 % the tone has a tremolo, and below 90 % it is also harsh, so that the range is
/// audible without comparing pitches (Paterson et al. 2016).
package struct PulseTone: Hashable, Sendable {
    /// The saturation below which there is a tremolo.
    package static let tremoloLimit = VitalValue(whole: 97)
    /// The saturation below which the tone is harsh.
    package static let brightLimit = VitalValue(whole: 90)
    /// The lowest saturation with its own pitch, close to the lowest for which sensors state an accuracy.
    package static let lowest = VitalValue(whole: 70)

    /// The oxygen saturation.
    package var saturation: VitalValue

    /// Creates the tone for a saturation.
    package init(saturation: VitalValue) {
        self.saturation = saturation
    }

    private static let highest = VitalValue(whole: 100)
    private static let length = 160
    private static let ramp = 24
    private static let tremolo = 25.0

    /// The tone itself.
    package var tone: Tone {
        let shown = min(max(saturation, Self.lowest), Self.highest)
        let percentBelow = Double(Self.highest.hundredths - shown.hundredths) / 100
        return Tone(
            frequency: Pitch.frequency(semitonesAboveA4: 12 - percentBelow),
            length: Tone.samples(milliseconds: Self.length), ramp: Tone.samples(milliseconds: Self.ramp),
            timbre: saturation < Self.brightLimit ? .bright : .soft,
            tremolo: saturation < Self.tremoloLimit ? Self.tremolo : 0)
    }
}
