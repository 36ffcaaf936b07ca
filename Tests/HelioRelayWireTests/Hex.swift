import HelioCore

/// The bytes that a string of hexadecimal digits stands for; spaces are for the eye.
func hex(_ digits: String) -> [UInt8] { Hexadecimal.bytes(digits.filter { !$0.isWhitespace })! }
