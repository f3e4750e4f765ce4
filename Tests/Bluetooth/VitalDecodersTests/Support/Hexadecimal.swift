/// Octets written as hexadecimal pairs with spaces between them, as protocol documents print them.
func octets(_ hexadecimal: String) -> [UInt8] {
    hexadecimal.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}
