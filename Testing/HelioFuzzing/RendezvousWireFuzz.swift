import HelioRendezvousWire

/// Fuzzes the parsers of the rendezvous' frames, of both sides. A parsed frame must be written as the same bytes, must
/// keep to the limits, and must belong to only one of the sides.
package enum RendezvousWireFuzz {
    package static func run(_ bytes: [UInt8]) {
        let ofClient = try? ClientFrame.parse(bytes.span.bytes)
        let ofServer = try? ServerFrame.parse(bytes.span.bytes)
        precondition(ofClient == nil || ofServer == nil, "a frame belongs to both sides")
        guard let written = ofClient?.serialised() ?? ofServer?.serialised() else { return }
        precondition(written == bytes, "a frame changed on its way")
        precondition(bytes.count <= RendezvousLimits.frame, "a frame is longer than the longest")
    }
}
