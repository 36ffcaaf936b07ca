package import HelioCore
package import HelioRTP
package import HelioSDP

/// A header extension that this end supports, with the media kinds and the direction to which it applies.
package struct HeaderExtensionCapability: Sendable, Hashable {
    package var uri: String
    package var kinds: [MediaKind]
    package var direction: MediaDirection
    /// False if this end only accepts the extension in an offer, and does not offer it.
    package var isOffered: Bool

    package init(
        _ uri: String, _ kinds: [MediaKind], direction: MediaDirection = .sendrecv, isOffered: Bool = true
    ) {
        self.uri = uri
        self.kinds = kinds
        self.direction = direction
        self.isOffered = isOffered
    }

    package init<Value: RTPExtensionValue>(
        _ kind: Value.Type, _ kinds: [MediaKind], direction: MediaDirection = .sendrecv, isOffered: Bool = true
    ) {
        self.init(Value.uri, kinds, direction: direction, isOffered: isOffered)
    }

    package static let standard = [
        Self(MediaIDExtension.self, [.video, .audio]), Self(TransportSequence.self, [.video, .audio]),
        Self(AbsoluteSendTime.self, [.video, .audio]), Self(PlayoutDelay.self, [.video]),
        Self(VideoOrientation.self, [.video]), Self(AudioLevel.self, [.audio]),
        // The dependency descriptor is accepted, but not offered. With it, a browser decodes each complete frame whose
        // reference frames it has, or delivers the frame to its page, even after earlier losses.
        Self(DependencyDescriptor.self, [.video], direction: .sendonly, isOffered: false),
    ]
}
