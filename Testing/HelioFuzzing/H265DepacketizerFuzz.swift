import HelioCore

/// Fuzzes the depacketiser with payloads of H.265, in any order and state.
package enum H265DepacketizerFuzz {
    package static func run(_ bytes: [UInt8]) {
        H264DepacketizerFuzz.check(bytes, codec: .h265)
    }
}
