package import HelioCore
package import HelioRTP

extension RTCPPacket {
    /// Returns the bytes of a receiver report with the given cumulative loss of a stream.
    package static func loss(of ssrc: SSRC, lost: Int32 = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        RTCPPacket.receiverReport(
            ReceiverReport(
                ssrc: SSRC(77),
                reports: [
                    ReportBlock(
                        ssrc: ssrc, fractionLost: 0, cumulativeLost: lost, highestSequence: 0, jitter: 0,
                        lastSenderReport: 0, delaySinceLastSenderReport: 0)
                ])
        ).write(into: &bytes)
        return bytes
    }
}
