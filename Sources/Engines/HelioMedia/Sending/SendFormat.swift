package import HelioCore

/// The format of a sent stream's packets: payload type, clock rate and repair, as negotiated with the receiver.
package struct SendFormat: Sendable, Hashable {
    package var payloadType: PayloadType
    /// The rate of RTP timestamps, in hertz.
    package var clockRate: UInt32
    package var repair: PacketRepair

    package init(payloadType: PayloadType, clockRate: UInt32 = 90_000, repair: PacketRepair) {
        self.payloadType = payloadType
        self.clockRate = clockRate
        self.repair = repair
    }
}
