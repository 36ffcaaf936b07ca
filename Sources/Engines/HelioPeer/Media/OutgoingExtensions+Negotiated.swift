import HelioCore
import HelioMedia
import HelioRTP
import HelioSDP

extension OutgoingExtensions {
    /// The maximum length of a `mid` sent in packets, in bytes. With a longer `mid`, the peer finds the section by the
    /// SSRC in the description.
    private static let longestMid = 16

    /// Makes the header extensions negotiated for the section.
    ///
    /// - Parameter playoutDelay: the playout delay to request from the peer. With `none`, the peer shows each picture
    ///   at once, without waiting for audio; with `nil`, the peer chooses the delay.
    init(_ media: NegotiatedMedia, orientation: VideoOrientation?, playoutDelay: PlayoutDelay?) {
        let longest = Self.elements(media, orientation: VideoOrientation(quarterTurns: 0), PlayoutDelay.none)
        // Only the one-byte form can carry elements that differ from packet to packet.
        let dependencyID = media.kind == .video ? Self.id(DependencyDescriptor.self, media) : nil
        let isOneByte = (longest.map(\.id) + [dependencyID].compactMap(\.self)).allSatisfy { $0 < 15 }
        self.init(
            Self.elements(media, orientation: orientation, playoutDelay), longest: longest,
            sendTimeID: Self.id(AbsoluteSendTime.self, media),
            transportSequenceID: media.isTransportWide ? Self.id(TransportSequence.self, media) : nil,
            dependencyID: isOneByte ? dependencyID : nil)
    }

    private static func elements(
        _ media: NegotiatedMedia, orientation: VideoOrientation?, _ playoutDelay: PlayoutDelay?
    ) -> [RTPHeaderExtension.Element] {
        var elements: [RTPHeaderExtension.Element] = []
        func add(_ value: (some RTPExtensionValue)?) {
            guard let value, let id = id(type(of: value), media) else { return }
            elements.append(value.element(id: id))
        }
        add(AbsoluteSendTime(ticks: 0))
        if media.isTransportWide { add(TransportSequence(0)) }
        if let mid = media.mid, (1...longestMid).contains(mid.utf8.count) { add(MediaIDExtension(mid)) }
        if media.kind == .video {
            add(playoutDelay)
            add(orientation)
        }
        return elements
    }

    private static func id(_ kind: (some RTPExtensionValue).Type, _ media: NegotiatedMedia) -> UInt8? {
        media.headerExtension(kind.uri).flatMap { $0.canSend && $0.id > 0 ? $0.id : nil }
    }
}
