package import HelioCore
internal import Synchronization

/// Hands pictures from the thread that decodes to the one that shows: one place, and the newest wins.
///
/// A picture that is replaced before it was taken leaves its damage to its successor.
package final class PictureMailbox: Sendable {
    /// A picture, and what it changes since the last one that was taken (`nil` = everything).
    package struct Item: Sendable {
        package let picture: DecodedPicture
        package let damage: Region?
    }

    private struct State {
        var item: Item?
        var replaced = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Pictures that were never taken.
    package var replaced: Int { state.withLock { $0.replaced } }

    package func put(_ picture: DecodedPicture) {
        state.withLock { state in
            guard let waiting = state.item else {
                state.item = Item(picture: picture, damage: picture.damage)
                return
            }
            state.replaced += 1
            var damage: Region?
            if var both = picture.damage, let earlier = waiting.damage, waiting.picture.size == picture.size {
                both.add(earlier)
                damage = both
            }
            state.item = Item(picture: picture, damage: damage)
        }
    }

    package func take() -> Item? {
        state.withLock { state in
            defer { state.item = nil }
            return state.item
        }
    }
}
