import HelioCore
import HelioSDP

/// The content of this end's offer, needed to interpret the answer.
struct OfferPlan: Sendable {
    struct Section: Sendable {
        struct Codec: Sendable {
            var codec: RTPCodec
            var type: PayloadType
            var retransmission: PayloadType?
        }

        var slot: Slot
        var direction = MediaDirection.inactive
        var codecs: [Codec] = []
        /// The offered payload type of FlexFEC; `nil` if no parity is offered.
        var parity: PayloadType?
        var extensions: [ExtensionMap] = []
        /// True if the section is offered with port 0, as this end has stopped it.
        var isStopped = false
    }

    var sections: [Section] = []
    var transport: LocalTransport
    var payloadTypes: PayloadTypes
    var extensionIDs: ExtensionIDs
    var nextMid: Int
}
