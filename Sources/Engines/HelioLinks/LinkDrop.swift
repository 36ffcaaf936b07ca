/// The reason for dropping a datagram.
package enum LinkDrop: String, CaseIterable, Hashable, Sendable {
    /// A datagram on a link that is not in the bundle.
    case unknownLink = "unknown-link"
    /// A link beyond the limit of links, or a change of one that is not in the bundle.
    case refusedLink = "refused-link"
    /// A datagram whose first byte is not one of the bundle's.
    case unknownFrame = "unknown-frame"
    case truncated
    case tooLong = "too-long"
    /// A sealed frame with a wrong tag: forged, changed, or this end's own, reflected.
    case authenticationFailed = "authentication-failed"
    /// A sealed frame that was received before.
    case replayed
    /// A sealed frame older than the replay window.
    case tooOld = "too-old"
    /// A sealed frame of one link that arrived on another.
    case wrongLink = "wrong-link"
    /// An authentic probe with a field that is invalid.
    case badProbe = "bad-probe"
    /// A datagram for which no link was up.
    case noLink = "no-link"
    /// Media beyond the width of a narrow link.
    case mediaBeyondWidth = "media-beyond-width"
    /// Control beyond the width of a narrow link.
    case controlBeyondWidth = "control-beyond-width"
    /// Bytes given to the stream after its end, or while the bundle is ending.
    case streamEnded = "stream-ended"
    /// A frame that could not be sealed.
    case sealFailed = "seal-failed"
    /// An input after the end of the bundle.
    case ended
}
