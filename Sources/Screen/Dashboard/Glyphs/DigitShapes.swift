/// The shapes of the large digits as bits: one row of pixels each, the leftmost pixel in the highest used bit.
struct DigitShapes: Sendable {
    /// The width of a digit in pixels.
    let columns: Int
    /// The height in pixels.
    let rows: Int
    let digits: [[UInt8]]
    /// The row of the dash for "no value".
    let dash: [UInt8]
    /// The letters of the words that replace a number, if this size has any.
    var letters: [Unicode.Scalar: [UInt8]] = [:]

    /// The pixel rows of a character; `nil` for one without a shape.
    func rows(of character: Unicode.Scalar) -> [UInt8]? {
        switch character {
        case "0"..."9": digits[Int(character.value) - 48]
        case "-": dash
        default: letters[character]
        }
    }

    /// Three by five pixels: the smallest legible size.
    static let small = DigitShapes(
        columns: 3, rows: 5,
        digits: [
            [0b111, 0b101, 0b101, 0b101, 0b111], [0b010, 0b110, 0b010, 0b010, 0b111],
            [0b111, 0b001, 0b111, 0b100, 0b111], [0b111, 0b001, 0b011, 0b001, 0b111],
            [0b101, 0b101, 0b111, 0b001, 0b001], [0b111, 0b100, 0b111, 0b001, 0b111],
            [0b111, 0b100, 0b111, 0b101, 0b111], [0b111, 0b001, 0b001, 0b010, 0b010],
            [0b111, 0b101, 0b111, 0b101, 0b111], [0b111, 0b101, 0b111, 0b001, 0b111],
        ],
        dash: [0, 0, 0b111, 0, 0],
        letters: [
            "A": [0b010, 0b101, 0b111, 0b101, 0b101], "E": [0b111, 0b100, 0b111, 0b100, 0b111],
            "F": [0b111, 0b100, 0b111, 0b100, 0b100], "H": [0b101, 0b101, 0b111, 0b101, 0b101],
            "I": [0b111, 0b010, 0b010, 0b010, 0b111],
            "L": [0b100, 0b100, 0b100, 0b100, 0b111], "N": [0b110, 0b101, 0b101, 0b101, 0b101],
            "O": [0b111, 0b101, 0b101, 0b101, 0b111], "S": [0b111, 0b100, 0b111, 0b001, 0b111],
            "T": [0b111, 0b010, 0b010, 0b010, 0b010], "U": [0b101, 0b101, 0b101, 0b101, 0b111],
        ])

    /// Five by seven pixels.
    static let medium = DigitShapes(
        columns: 5, rows: 7,
        digits: [
            [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
            [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
            [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
            [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
            [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
            [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
            [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
            [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b00100, 0b00100],
            [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
            [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        ],
        dash: [0, 0, 0, 0b01110, 0, 0, 0])

    /// Seven by ten pixels with strokes two pixels wide, to be read at a distance.
    static let heavy = DigitShapes(
        columns: 7, rows: 10,
        digits: [
            [0x3E, 0x7F, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63, 0x7F, 0x3E],
            [0x0C, 0x1C, 0x3C, 0x0C, 0x0C, 0x0C, 0x0C, 0x0C, 0x3F, 0x3F],
            [0x3E, 0x7F, 0x63, 0x03, 0x07, 0x1E, 0x38, 0x60, 0x7F, 0x7F],
            [0x3E, 0x7F, 0x63, 0x03, 0x1E, 0x1E, 0x03, 0x63, 0x7F, 0x3E],
            [0x06, 0x0E, 0x1E, 0x36, 0x66, 0x66, 0x7F, 0x7F, 0x06, 0x06],
            [0x7F, 0x7F, 0x60, 0x60, 0x7E, 0x7F, 0x03, 0x63, 0x7F, 0x3E],
            [0x1E, 0x3E, 0x60, 0x60, 0x7E, 0x7F, 0x63, 0x63, 0x7F, 0x3E],
            [0x7F, 0x7F, 0x03, 0x06, 0x06, 0x0C, 0x0C, 0x18, 0x18, 0x18],
            [0x3E, 0x7F, 0x63, 0x63, 0x3E, 0x3E, 0x63, 0x63, 0x7F, 0x3E],
            [0x3E, 0x7F, 0x63, 0x63, 0x7F, 0x3F, 0x03, 0x03, 0x3E, 0x3C],
        ],
        dash: [0, 0, 0, 0, 0x3E, 0x3E, 0, 0, 0, 0])
}
