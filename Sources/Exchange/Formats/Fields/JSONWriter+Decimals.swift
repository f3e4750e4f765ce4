import JSON
import VitalDecoders

extension JSONWriter {
    /// Writes a decimal number exactly, without trailing zeros.
    public mutating func decimal(_ number: DecimalNumber) {
        verbatimNumber { number.appendText(to: &$0) }
    }

    /// Writes an integer of hundredths as a number, such as `37.6` for 3760.
    public mutating func hundredths(_ number: Int) {
        decimal(DecimalNumber(Int64(number), exponent: -2))
    }

    /// Writes an integer of thousandths as a number, such as `12.5` for 12500.
    public mutating func thousandths(_ number: Int) {
        decimal(DecimalNumber(Int64(number), exponent: -3))
    }
}
