package import HelioAppleMedia
package import HelioCore

/// Transfer sessions that scale and rotate pictures by nearest neighbour.
package final class FakeTransfers: PictureTransfers {
    package final class Transfer: PictureTransfer {
        private let owner: FakeTransfers

        fileprivate init(_ owner: FakeTransfers) { self.owner = owner }

        package func scale(_ picture: FakePixels, into result: FakePixels) -> SessionStatus {
            map(picture, into: result) { x, y in
                (x * picture.size.width / result.size.width, y * picture.size.height / result.size.height)
            }
        }

        package func turn(
            _ picture: FakePixels, by rotation: PictureRotation, into result: FakePixels
        ) -> SessionStatus {
            let size = picture.size
            guard result.size == rotation.turned(size) else { return .other(-12904) }
            switch rotation {
            case .none: return map(picture, into: result) { x, y in (x, y) }
            case .quarter: return map(picture, into: result) { x, y in (y, size.height - 1 - x) }
            case .half: return map(picture, into: result) { x, y in (size.width - 1 - x, size.height - 1 - y) }
            case .threeQuarters: return map(picture, into: result) { x, y in (size.width - 1 - y, x) }
            }
        }

        package func invalidate() { owner.invalidated += 1 }

        /// Sets each sample to the one at the position that `place` returns; chroma is that of the top left pixel of
        /// four.
        private func map(
            _ from: FakePixels, into result: FakePixels, _ place: (Int, Int) -> (Int, Int)
        ) -> SessionStatus {
            if !owner.statuses.isEmpty { return owner.statuses.removeFirst() }
            for y in 0..<result.size.height {
                let row = result.first + y * result.firstStride
                for x in 0..<result.size.width {
                    let (fromX, fromY) = place(x, y)
                    row[x] = from.first[fromY * from.firstStride + fromX]
                }
            }
            for y in 0..<result.size.height / 2 {
                let row = result.chroma + y * result.chromaStride
                for x in 0..<result.size.width / 2 {
                    let (fromX, fromY) = place(x * 2, y * 2)
                    let pair = from.chroma + fromY / 2 * from.chromaStride + fromX / 2 * 2
                    (row[x * 2], row[x * 2 + 1]) = (pair[0], pair[1])
                }
            }
            return .done
        }
    }

    package final class Pool: PicturePool {
        private let size: PixelSize
        private let layout: FakePixels.Layout
        private let limit: Int
        private var pictures: [FakePixels] = []

        fileprivate init(_ size: PixelSize, _ layout: FakePixels.Layout, limit: Int) {
            self.size = size
            self.layout = layout
            self.limit = limit
        }

        package func take() -> FakePixels? {
            for index in pictures.indices where isKnownUniquelyReferenced(&pictures[index]) { return pictures[index] }
            if pictures.count >= limit { return nil }
            pictures.append(FakePixels(size, layout))
            return pictures.last
        }
    }

    /// The statuses that the next steps return; later steps succeed.
    package var statuses: [SessionStatus] = []
    package private(set) var made = 0
    package fileprivate(set) var invalidated = 0
    package private(set) var pools: [PixelSize] = []

    package init() {}

    package func makeSession() -> Result<Transfer, SessionFailure> {
        made += 1
        return .success(Transfer(self))
    }

    package func makePool(_ size: PixelSize, like picture: FakePixels, limit: Int) -> Pool? {
        pools.append(size)
        return Pool(size, picture.layout, limit: limit)
    }

    package func size(of picture: FakePixels) -> PixelSize { picture.size }
    package func copyColor(from _: FakePixels, to _: FakePixels) {}
}
