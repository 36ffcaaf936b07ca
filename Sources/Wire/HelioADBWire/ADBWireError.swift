/// A violation of adb's protocol by its server or by a device.
package enum ADBWireError: String, Error, Sendable, Hashable, CaseIterable {
    /// An answer is neither `OKAY` nor `FAIL`.
    case unknownStatus = "adb-unknown-status"
    /// A length is not of hexadecimal digits, or above the limit.
    case wrongLength = "adb-wrong-length"
    /// An answer within a transfer of files is not one of those that may come.
    case unexpectedAnswer = "adb-unexpected-answer"
}
