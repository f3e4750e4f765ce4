import Monitoring

extension SoundCategory {
    /// The melody of five notes that IEC 60601-1-8:2006 proposes for this category.
    var melody: [Note] {
        switch self {
        case .cardiac: [.c4, .e4, .g4, .g4, .c5]
        case .oxygen: [.c5, .b4, .a4, .g4, .f4]
        case .temperature: [.c4, .d4, .e4, .f4, .g4]
        case .equipment: [.c5, .c4, .c4, .c4, .c5]
        case .general: [.c4, .c4, .c4, .c4, .c4]
        case .infusion: [.c5, .d4, .g4, .c5, .d4]
        case .ventilation: [.c4, .a4, .f4, .a4, .f4]
        }
    }
}

/// A note of the equal temperament, in semitones above A4.
enum Note: Int, Sendable {
    case c4 = -9
    case d4 = -7
    case e4 = -5
    case f4 = -4
    case g4 = -2
    case a4 = 0
    case b4 = 2
    case c5 = 3

    /// Its frequency in hertz.
    var frequency: Double { Pitch.frequency(semitonesAboveA4: Double(rawValue)) }
}

/// The equal temperament.
enum Pitch {
    private static let semitone = 1.059_463_094_359_295_3
    private static let hundredthOfSemitone = 1.000_577_789_506_554_9

    /// The frequency of a pitch, to a hundredth of a semitone.
    static func frequency(semitonesAboveA4 semitones: Double) -> Double {
        let hundredths = Int((semitones * 100).rounded())
        var frequency = 440.0
        for _ in 0..<(hundredths / 100).magnitude {
            frequency = hundredths < 0 ? frequency / semitone : frequency * semitone
        }
        for _ in 0..<(hundredths % 100).magnitude {
            frequency = hundredths < 0 ? frequency / hundredthOfSemitone : frequency * hundredthOfSemitone
        }
        return frequency
    }
}
