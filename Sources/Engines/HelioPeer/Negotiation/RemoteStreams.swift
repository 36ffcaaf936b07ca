package import HelioCore
import HelioSDP

/// The streams that the peer says it sends in a section. A peer may say nothing: then `mid` in the packets tells which
/// section they belong to.
package struct RemoteStreams: Sendable, Hashable {
    /// The most SSRCs, and the most names of streams; others are passed over.
    static let maximumSources = 16

    /// The SSRCs in the order of their first mention, those of retransmission too.
    package var sources: [SSRC] = []
    /// The retransmission stream of each stream.
    package var retransmissions: [SSRC: SSRC] = [:]
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
                    group.semantics == SourceGroup.flowIdentification
                else { continue }
                for source in group.sources { note(source) }
                if group.sources.allSatisfy(sources.contains), retransmissions[group.sources[0]] == nil {
                    retransmissions[group.sources[0]] = group.sources[1]
                }
            case MediaStreamID.attributeName:
                guard let name = MediaStreamID(attributeValue: attribute.value), streams.count < Self.maximumSources
                else { continue }
                if name.stream != "-" { streams.append(name.stream) }
                track = track ?? name.track
            default: break
            }
        }
    }

    private mutating func note(_ ssrc: SSRC) {
        if sources.count < Self.maximumSources, !sources.contains(ssrc) { sources.append(ssrc) }
    }
}
