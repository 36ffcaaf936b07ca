package import HelioCore

/// What the packets of a stream are sent as, by agreement with whoever gets them.
package struct SendFormat: Sendable, Hashable {
    package var payloadType: PayloadType
    /// In hertz.
    package var clockRate: UInt32
    package var repair: PacketRepair

    package init(payloadType: PayloadType, clockRate: UInt32 = 90_000, repair: PacketRepair) {
        self.payloadType = payloadType
        self.clockRate = clockRate
        self.repair = repair
    }
}
