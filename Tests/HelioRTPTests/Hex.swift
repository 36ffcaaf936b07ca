/// The bytes that a string of hexadecimal digits stands for; spaces are for the eye.
func hex(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    precondition(values.count % 2 == 0, "half a byte in '\(digits)'")
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
