package import HelioCore
package import HelioRTP
package import HelioSDP

/// A header extension that this end supports, with the media kinds and the direction to which it applies.
package struct HeaderExtensionCapability: Sendable, Hashable {
    package var uri: String
    package var kinds: [MediaKind]
    package var direction: MediaDirection

    package init(_ uri: String, _ kinds: [MediaKind], direction: MediaDirection = .sendrecv) {
        self.uri = uri
        self.kinds = kinds
        self.direction = direction
    }

    package init<Value: RTPExtensionValue>(
        _ kind: Value.Type, _ kinds: [MediaKind], direction: MediaDirection = .sendrecv
    ) {
        self.init(Value.uri, kinds, direction: direction)
    }

    package static let standard = [
        Self(MediaIDExtension.self, [.video, .audio]), Self(TransportSequence.self, [.video, .audio]),
        Self(AbsoluteSendTime.self, [.video, .audio]), Self(PlayoutDelay.self, [.video]),
        Self(VideoOrientation.self, [.video]), Self(AudioLevel.self, [.audio]),
    ]
}
