package import HelioCore
import HelioSDP

/// The streams that the peer declares in a section. Without a declaration, packets are assigned to sections by their
/// `mid` extension or payload type.
package struct RemoteStreams: Sendable, Hashable {
    /// The maximum number of SSRCs and of stream names; further ones are ignored.
    static let maximumSources = 16
    /// The semantics of `a=ssrc-group` that are parsed.
    private static let semantics: Set = [SourceGroup.flowIdentification, SourceGroup.forwardErrorCorrection]

    /// The SSRCs in the order of their first mention, including those of retransmission and parity streams.
    package var sources: [SSRC] = []
    /// The SSRC of the retransmission stream for each media SSRC.
    package var retransmissions: [SSRC: SSRC] = [:]
    /// The SSRC of the parity stream for each media SSRC.
    package var parities: [SSRC: SSRC] = [:]
    package var cname: String?
    /// The names of the peer's media streams with this track (`a=msid`).
    package var streams: [String] = []
    package var track: String?

    init() {}

    init(_ attributes: AttributeList) {
        for attribute in attributes.all {
            switch attribute.name {
            case SourceAttribute.attributeName:
                guard let source = SourceAttribute(attributeValue: attribute.value) else { continue }
                note(source.ssrc)
                if source.name == "cname", cname == nil { cname = source.value }
            case SourceGroup.attributeName:
                guard let group = SourceGroup(attributeValue: attribute.value), group.sources.count == 2,
                    Self.semantics.contains(group.semantics)
                else { continue }
                for source in group.sources { note(source) }
                if group.sources.allSatisfy(sources.contains) { pair(group) }
            case MediaStreamID.attributeName:
                guard let name = MediaStreamID(attributeValue: attribute.value), streams.count < Self.maximumSources
                else { continue }
                if name.stream != "-" { streams.append(name.stream) }
                track = track ?? name.track
            default: break
            }
        }
    }

    /// Stores the pair of SSRCs of a group according to its semantics; the first group of a media SSRC counts.
    private mutating func pair(_ group: SourceGroup) {
        let (stream, other) = (group.sources[0], group.sources[1])
        if group.semantics == SourceGroup.flowIdentification {
            if retransmissions[stream] == nil { retransmissions[stream] = other }
        } else {
            if parities[stream] == nil { parities[stream] = other }
        }
    }

    private mutating func note(_ ssrc: SSRC) {
        if sources.count < Self.maximumSources, !sources.contains(ssrc) { sources.append(ssrc) }
    }
}
