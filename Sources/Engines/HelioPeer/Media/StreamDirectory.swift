import HelioCore
import HelioMedia
import HelioRTP
import HelioSDP

/// The map from received packets to sections, by `mid` extension, SSRC or payload type (RFC 9143 section 9.2).
///
/// SSRCs are learnt from packets, as descriptions need not list them. Packets are passed in only after authentication,
/// so nobody but the peer can fill the table. If the table is full, the least recently used SSRC is evicted.
struct StreamDirectory: Sendable {
    private struct Source: Sendable {
        var ssrc: SSRC
        var section: Transceiver.ID
        var lastHeard: Instant
    }

    private static let mostSources = 64

    private var midExtension: UInt8?
    private var mids: [(name: [UInt8], section: Transceiver.ID)] = []
    /// The sections in which this end receives.
    private var receiving: Set<Transceiver.ID> = []
    /// The section of each payload type; `nil` if several sections use the type.
    private var types: [PayloadType: Transceiver.ID?] = [:]
    private var sources: [Source] = []

    /// Applies the negotiated sections. Learnt SSRCs stay as long as their sections receive.
    mutating func agree(_ media: [NegotiatedMedia], now: Instant) {
        midExtension = media.lazy.compactMap { $0.headerExtension(MediaIDExtension.uri) }.first { $0.canReceive }?.id
        mids = media.compactMap { section in section.mid.map { (Array($0.utf8), section.transceiver) } }
        receiving = Set(media.filter(\.direction.receives).map(\.transceiver))
        types = [:]
        for section in media where section.direction.receives {
            var expected = section.receivable.map(\.receivePayloadType)
            expected += section.receivable.compactMap(\.receiveRetransmissionType)
            if let parity = section.parity { expected.append(parity.receivePayloadType) }
            for type in expected {
                if let known = types[type], known != section.transceiver {
                    types[type] = .some(nil)
                } else {
                    types[type] = section.transceiver
                }
            }
        }
        sources.removeAll { !receiving.contains($0.section) }
        for section in media where section.direction.receives {
            for ssrc in section.remote.sources { learn(ssrc, section.transceiver, now) }
        }
    }

    /// Returns the section of a packet, and stores it for the packet's SSRC.
    mutating func section(of header: RTPHeader, in packet: RawSpan, now: Instant) -> Result<Transceiver.ID, Unknown> {
        if let midExtension, let range = RTPHeaderExtension.find(id: midExtension, of: header, in: packet) {
            guard let section = mids.first(where: { Self.equal($0.name, packet, range) })?.section,
                receiving.contains(section)
            else { return .failure(Unknown(.unknownMediaID)) }
            learn(header.ssrc, section, now)
            return .success(section)
        }
        if let index = sources.firstIndex(where: { $0.ssrc == header.ssrc }) {
            sources[index].lastHeard = now
            return .success(sources[index].section)
        }
        guard case .some(.some(let section)) = types[header.payloadType] else {
            return .failure(Unknown(.unknownStream))
        }
        learn(header.ssrc, section, now)
        return .success(section)
    }

    struct Unknown: Error {
        let drop: MediaDrop

        init(_ drop: MediaDrop) { self.drop = drop }
    }

    private mutating func learn(_ ssrc: SSRC, _ section: Transceiver.ID, _ now: Instant) {
        if let index = sources.firstIndex(where: { $0.ssrc == ssrc }) {
            sources[index].section = section
            sources[index].lastHeard = now
            return
        }
        if sources.count >= Self.mostSources,
            let stalest = sources.indices.min(by: { sources[$0].lastHeard < sources[$1].lastHeard })
        {
            sources.remove(at: stalest)
        }
        sources.append(Source(ssrc: ssrc, section: section, lastHeard: now))
    }

    private static func equal(_ name: [UInt8], _ packet: RawSpan, _ range: Range<Int>) -> Bool {
        guard name.count == range.count else { return false }
        for (offset, byte) in name.enumerated() where packet.uint8(at: range.lowerBound + offset) != byte {
            return false
        }
        return true
    }
}
