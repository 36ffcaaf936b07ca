import HelioCore
import HelioSDP

/// An `m=` line of the session. Its index never changes, but another section may replace a refused one (RFC 8829
/// section 5.2.2).
struct Slot: Sendable {
    enum Content: Sendable, Equatable {
        case media(Transceiver.ID)
        case data
        /// Empty, as the section was refused.
        case nothing
    }

    var mid: String?
    var kind: MediaKind
    var transport: String
    /// A format of the section; a refused section has to list one, too.
    var format: String
    var content: Content
    /// True if the section has port 0, so that the next offer may reuse the slot.
    var isRefused = false

    var transceiver: Transceiver.ID? { if case .media(let id) = content { id } else { nil } }

    /// The section with port 0 for this slot, with the minimum of attributes (RFC 8829 section 5.3.1).
    var refusal: MediaSection {
        var section = MediaSection(kind, port: 0, transport: transport, formats: [format])
        section.connection = SectionDraft.nowhere
        if let mid { section.attributes.append(MediaID(mid)) }
        section.attributes.append(MediaDirection.inactive)
        return section
    }
}
