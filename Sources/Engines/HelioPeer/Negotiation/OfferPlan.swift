import HelioCore
import HelioSDP

/// What an offer of this end's holds, to read the answer by.
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
        var extensions: [ExtensionMap] = []
        /// Offered with port 0, for this end stopped it.
        var isStopped = false
    }

    var sections: [Section] = []
    var transport: LocalTransport
    var payloadTypes: PayloadTypes
    var extensionIDs: ExtensionIDs
    var nextMid: Int
}
