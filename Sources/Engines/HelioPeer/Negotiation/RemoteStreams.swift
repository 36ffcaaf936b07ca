package import HelioCore
import HelioSDP

/// The streams that the peer declares in a section. If it declares none, the `mid` extension of packets shows their
/// section.
package struct RemoteStreams: Sendable, Hashable {
    /// The most SSRCs, and the most names of streams; more are ignored.
    static let maximumSources = 16
    /// The kinds of `a=ssrc-group` that are read.
    private static let semantics: Set = [SourceGroup.flowIdentification, SourceGroup.forwardErrorCorrection]

    /// The SSRCs in the order of their first mention, those of retransmission and parity too.
    package var sources: [SSRC] = []
    /// The SSRC of each stream's retransmission stream, by the stream's own SSRC.
    package var retransmissions: [SSRC: SSRC] = [:]
    /// The SSRC of each stream's parity stream, by the stream's own SSRC.
    package var parities: [SSRC: SSRC] = [:]
    package var cname: String?
    /// The streams of the peer's app that the track is in.
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

    /// Pairs the two streams of a group, by its semantics; the first mention counts.
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
