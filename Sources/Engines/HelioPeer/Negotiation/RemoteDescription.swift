import HelioCore
import HelioSDP

/// The peer's parsed description. The checks made here need no state of the negotiation.
struct RemoteDescription: Sendable {
    var sections: [RemoteSection] = []
    /// The `mid`s of the first BUNDLE group; `nil` if there is no such group.
    var bundle: [String]?
    var isLite: Bool

    init(_ session: SessionDescription) throws(NegotiationError) {
        isLite = session.attributes.has(ICELite.self)
        for (index, media) in session.media.enumerated() {
            sections.append(try RemoteSection(media, index: index, session: session.attributes))
        }
        let names = sections.compactMap(\.mid)
        for section in sections {
            if let mid = section.mid, sections[..<section.index].contains(where: { $0.mid == mid }) {
                throw .duplicateMediaID(section: section.index)
            }
        }
        if let group = session.attributes.values(of: MediaGroup.self).first(where: { $0.semantics == MediaGroup.bundle }
        ) {
            guard group.names.allSatisfy(names.contains) else { throw .unknownMediaIDInBundle }
            var bundle: [String] = []
            for name in group.names where !bundle.contains(name) { bundle.append(name) }
            self.bundle = bundle
        }
        try settleCollisions()
    }

    func isBundled(_ section: RemoteSection) -> Bool {
        section.mid.map { bundle?.contains($0) ?? false } ?? false
    }

    /// Ensures that payload types and extension IDs are unique within a bundle (RFC 9143 sections 7.1.3 and 9).
    ///
    /// Throws `payloadTypeCollision` if a payload type is used for two codecs. An ID of two header extensions is no
    /// error, as aiortc assigns IDs anew in each section: the first extension keeps the ID, and later sections lose
    /// theirs.
    private mutating func settleCollisions() throws(NegotiationError) {
        var codecs: [PayloadType: CodecIdentity] = [:]
        var extensions: [UInt8: String] = [:]
        for index in sections.indices {
            let section = sections[index]
            guard isBundled(section), !section.isRefused else { continue }
            for codec in section.codecs {
                guard let identity = codec.identity else { continue }
                let type = codec.map.payloadType
                guard codecs[type, default: identity] == identity else {
                    throw .payloadTypeCollision(section: section.index, payloadType: type.rawValue)
                }
                codecs[type] = identity
            }
            sections[index].extensions.removeAll { extensions[$0.id, default: $0.uri] != $0.uri }
            for map in sections[index].extensions { extensions[map.id] = map.uri }
        }
    }
}
