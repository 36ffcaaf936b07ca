package import HelioAppleMedia
import Synchronization

/// The pointer of a system that tells nothing of it, but counts how often it was asked. Any thread.
package final class NoPointer: CursorReading, Sendable {
    private let count = Atomic(0)

    package init() {}

    /// How often its place was asked for.
    package var looks: Int { count.load(ordering: .relaxed) }

    package var place: DesktopPoint? {
        count.add(1, ordering: .relaxed)
        return nil
    }

    package func image() -> CursorImage? { nil }
}
