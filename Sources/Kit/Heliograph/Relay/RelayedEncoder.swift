internal import HelioCore
internal import HelioRelayDriver
internal import HelioRelayWire
private import Synchronization

/// The encoder of an extension, as the session sees it: passes on that a keyframe is needed, and what bitrate and size the
/// viewers' paths and screens take.
final class RelayedEncoder: VideoSourcePlugin {
    private struct State {
        weak var server: RelayServer?
        /// The size that the extension likes, as far as is known: what it coded when nothing smaller was wanted.
        var liked: PixelSize?
        var isNew = true
        /// The smaller size that was agreed on.
        var largest: PixelSize?
        /// What the slowest path takes, and the most that was agreed on, in bits a second.
        var suggested: Int?
        var agreed: Int?

        var wish: RelayWish {
            let bitrate = [suggested, agreed].compactMap(\.self).min()
            return RelayWish(bitrate: bitrate.map { UInt32(clamping: max(1, $0)) }, largest: largest)
        }
    }

    private let state = Mutex(State())

    func begin(_ server: RelayServer) { change { $0.server = server } }

    func keyframeNeeded(reason _: String) { state.withLock { $0.server }?.requestKeyframe() }

    func bitrateSuggested(_ bitsPerSecond: Int) { change { $0.suggested = bitsPerSecond } }

    func attributesChanged(_ agreed: MediaAttributes) {
        let size = PixelSize(width: agreed.width, height: agreed.height)
        change { state in
            // Before an extension has come, nobody knows what would be less.
            state.largest = state.liked == nil || size == state.liked ? nil : size
            state.agreed = agreed.bitrate
        }
    }

    /// Takes note of another extension, which may like another size.
    func joined() { state.withLock { $0.isNew = true } }

    /// The size that an extension likes which codes this one from now on: where it has been asked for a smaller one, only the
    /// orientation tells of it.
    func liked(coding size: PixelSize) -> PixelSize {
        state.withLock { state in
            defer { state.isNew = false }
            guard !state.isNew, state.largest != nil, let liked = state.liked else {
                state.liked = size
                return size
            }
            let isTurned = (size.height > size.width) != (liked.height > liked.width)
            let result = isTurned ? PixelSize(width: liked.height, height: liked.width) : liked
            state.liked = result
            return result
        }
    }

    private func change(_ body: (inout State) -> Void) {
        // With the lock held, so that what is said last is how it is.
        state.withLock { state in
            body(&state)
            state.server?.wish(state.wish)
        }
    }
}
