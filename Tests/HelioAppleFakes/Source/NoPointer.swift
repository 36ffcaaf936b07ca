package import HelioAppleMedia
import Synchronization

/// A pointer reader that reports no pointer, and counts its queries. Callable from any thread.
package final class NoPointer: CursorReading, Sendable {
    private let count = Atomic(0)

    package init() {}

    /// The number of position queries.
    package var looks: Int { count.load(ordering: .relaxed) }

    package var place: DesktopPoint? {
        count.add(1, ordering: .relaxed)
        return nil
    }

    package func image() -> CursorImage? { nil }
}
