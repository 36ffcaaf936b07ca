/// The result of an offer/answer exchange.
package struct Agreement: Sendable, Hashable {
    /// The transport; `nil` if every section was refused.
    package var transport: NegotiatedTransport?
    package var media: [NegotiatedMedia] = []
    package var data: NegotiatedData?
    package var refused: [RefusedSection] = []

    package func media(_ transceiver: Transceiver.ID) -> NegotiatedMedia? {
        media.first { $0.transceiver == transceiver }
    }
}
