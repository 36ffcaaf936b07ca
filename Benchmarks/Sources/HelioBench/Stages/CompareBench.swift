import HelioBudgets
import HelioCore

/// The time to compare a picture with the one before, by what of it differs: nothing, the last row of each tile, all.
struct CompareBench {
    static let names = ["equal", "last rows", "all"]

    let size: PixelSize
    let rounds: Int

    func run() -> [(stage: String, milliseconds: Double)] {
        let (stride, count) = (size.width * 4, size.area * 4)
        let older = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
        let newer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
        defer {
            older.deallocate()
            newer.deallocate()
        }
        for pixels in [older, newer] { pixels.initializeMemory(as: UInt8.self, repeating: 7, count: count) }
        let equal = median(newer, older)
        let last = TileComparison.height - 1
        for y in Swift.stride(from: last, to: size.height, by: TileComparison.height) {
            for x in 0..<size.width { newer.storeBytes(of: 9, toByteOffset: y * stride + x * 4, as: UInt8.self) }
        }
        let rows = median(newer, older)
        newer.initializeMemory(as: UInt8.self, repeating: 9, count: count)
        return Array(zip(Self.names, [equal, rows, median(newer, older)])).map { (stage: $0.0, milliseconds: $0.1) }
    }

    private func median(_ newer: UnsafeRawPointer, _ older: UnsafeRawPointer) -> Double {
        let (clock, stride) = (ContinuousClock(), size.width * 4)
        let times = (0..<rounds).map { _ in
            var changed = Region()
            let start = clock.now
            TileComparison.compare(
                PixelRect(size), of: TileComparison.Picture(newer, stride: stride),
                with: TileComparison.Picture(older, stride: stride), addingTo: &changed)
            return Double(start.duration(to: clock.now).components.attoseconds) / 1e15
        }
        return Table.median(times)
    }
}
