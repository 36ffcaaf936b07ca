import HelioCore
import HelioSDP

/// A place for a section: its `m=` line, which keeps its number as long as the session lasts (RFC 8829 section 5.2.2).
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
    /// One of the section's formats, which a refusal has to name.
    var format: String
    var content: Content
    /// True for port 0: the next offer may reuse the slot.
    var isRefused = false

    var transceiver: Transceiver.ID? { if case .media(let id) = content { id } else { nil } }

    /// The media section that refuses this one: no other attributes are needed (RFC 8829 section 5.3.1).
    var refusal: MediaSection {
        var section = MediaSection(kind, port: 0, transport: transport, formats: [format])
        section.connection = SectionDraft.nowhere
        if let mid { section.attributes.append(MediaID(mid)) }
        section.attributes.append(MediaDirection.inactive)
        return section
    }
}
