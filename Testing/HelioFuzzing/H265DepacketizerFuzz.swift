import HelioCore

/// Fuzzes the RTP depacketiser with sequences of H.265 payloads, and packetises and reassembles a frame.
package enum H265DepacketizerFuzz {
    package static func run(_ bytes: [UInt8]) {
        H264DepacketizerFuzz.check(bytes, codec: .h265)
    }
}
