/// The reason for which a viewer requests another transport, sent to the host in a header of SETUP.
package enum TransportReason: String, Sendable, CaseIterable {
    /// Nothing has ever arrived by UDP.
    case blocked
    /// Datagrams no longer arrive by UDP.
    case silent
    /// UDP loses more than can be repaired.
    case lossy
    /// The viewer's user has chosen the transport.
    case chosen
    /// UDP carries datagrams again.
    case carries
    /// The connection stalls, and carries less than UDP despite UDP's losses.
    case stalled

    static let headerName = "Heliograph-Transport-Reason"

    /// True if the path has degraded: the bitrate is then halved once.
    var isDegradation: Bool { self == .silent || self == .lossy }

    /// The change as a sentence, for the viewer's user.
    package var viewerSentence: String {
        switch self {
        case .blocked: "UDP is blocked here: the picture comes over TCP."
        case .silent: "UDP is blocked now: the picture comes over TCP."
        case .lossy: "Too much is lost by UDP: the picture comes over TCP."
        case .chosen: "The picture comes over TCP."
        case .carries: "UDP works again: the picture comes by it."
        case .stalled: "TCP carries less than UDP with its losses: the picture comes by UDP."
        }
    }

    /// The change as a sentence, for the host's user.
    ///
    /// - Parameter viewer: a name or an address.
    package func hostSentence(about viewer: String) -> String {
        switch self {
        case .blocked: "UDP is blocked on the way to \(viewer): its picture goes over TCP."
        case .silent: "UDP is blocked now on the way to \(viewer): its picture goes over TCP."
        case .lossy: "Too much is lost by UDP on the way to \(viewer): its picture goes over TCP."
        case .chosen: "The picture of \(viewer) goes over TCP, as it wants."
        case .stalled: "TCP carries less than UDP with its losses on the way to \(viewer): its picture goes by UDP."
        case .carries: "UDP works again on the way to \(viewer): its picture goes by it."
        }
    }
}
