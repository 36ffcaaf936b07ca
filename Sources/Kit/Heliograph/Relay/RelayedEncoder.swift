internal import HelioCore
internal import HelioRelayDriver
internal import HelioRelayWire
private import Synchronization

/// The plugin for a broadcast extension's encoder: sends the extension requests for keyframes, and the bitrate and size
/// that the viewers' paths and screens allow.
final class RelayedEncoder: VideoSourcePlugin {
    private struct State {
        weak var server: RelayServer?
        /// The extension's preferred size, which is the size that it encoded while no smaller size was requested; `nil`
        /// until the size is known.
        var liked: PixelSize?
        var isNew = true
        /// The agreed size, if it differs from the preferred size; `nil` for no limit.
        var largest: PixelSize?
        /// The bitrate of the slowest viewer's path, and the agreed maximum, in bits per second; `nil` until known.
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
            // An extension's preferred size is not known before it has joined, so no limit can be derived.
            state.largest = state.liked == nil || size == state.liked ? nil : size
            state.agreed = agreed.bitrate
        }
    }

    /// Marks the preferred size as unknown until the next format message, because another extension has joined.
    func joined() { state.withLock { $0.isNew = true } }

    /// Returns the preferred size of an extension that encodes `size` from now on. While a smaller size is requested,
    /// only the orientation of `size` counts: the preferred size is then the known one, turned if necessary.
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
        // The wish is sent with the lock held, so that the last wish sent is the current one.
        state.withLock { state in
            body(&state)
            state.server?.wish(state.wish)
        }
    }
}
