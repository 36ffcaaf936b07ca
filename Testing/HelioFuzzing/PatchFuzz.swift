import HelioBitstream
import HelioCore
import HelioPatch

/// Fuzzes `PatchDecoder` with parameter sets and slices in Annex B form; guard bytes around the picture detect writes
/// out of bounds.
package enum PatchFuzz {
    /// The maximum size of a picture in macroblocks, as larger ones only take more time.
    private static let mostBlocks = 400
    private static let guarded = 4096
    private static let mark: UInt8 = 0xA5

    package static func run(_ bytes: [UInt8]) {
        guard let syntax = PatchSyntax(annexB: bytes), syntax.mbWidth * syntax.mbHeight <= mostBlocks else { return }
        let numbers = SliceNumber(bits: syntax.frameNumberBits)
        for chroma in ChromaSampling.allCases {
            let decoder = PatchDecoder(syntax, chroma: chroma)
            AnnexB.forEachNALUnit(in: bytes.span.bytes) { range in
                let nal = bytes.span.bytes.extracting(range)
                guard let number = numbers.read(nal) else { return }
                if decoder.read(nal, frameNumber: number) { write(decoder, syntax, chroma) }
                check(nal, numbers, number)
            }
        }
    }

    /// Checks that a changed `frame_num` is read back, and that changing it back gives a readable slice.
    private static func check(_ nal: RawSpan, _ numbers: SliceNumber, _ number: Int) {
        var unit: [UInt8] = AnnexB.startCode
        nal.withUnsafeBytes { unit.append(contentsOf: $0) }
        var (less, back): ([UInt8], [UInt8]) = ([], [])
        guard numbers.append(unit.span.bytes, less: 1, to: &less) else { return }
        let other = less.span.bytes.extracting(4..<less.count)
        precondition(numbers.read(other) == numbers.number(number, less: 1), "another number")
        precondition(numbers.append(less.span.bytes, less: -1, to: &back), "own slice not read")
    }

    private static func write(_ decoder: PatchDecoder, _ syntax: PatchSyntax, _ chroma: ChromaSampling) {
        let (width, height) = (syntax.mbWidth * 16, syntax.mbHeight * 16)
        let changes = decoder.changes
        let bounds = PixelRect(PixelSize(width: width, height: height))
        precondition(changes.coded.rects.allSatisfy(bounds.contains))
        if let scroll = changes.scroll {
            precondition(scroll.rects.allSatisfy { bounds.contains($0) && bounds.contains($0.moved(y: scroll.motion)) })
        }
        let side = chroma == .yuv420 ? 2 : 1
        let sizes = [width * height, width / side * (height / side), width / side * (height / side)]
        func plane(_ size: Int) -> [UInt8] {
            let edge = [UInt8](repeating: mark, count: guarded)
            return edge + [UInt8](repeating: 0x80, count: size) + edge
        }
        var (luma, cb, cr) = (plane(sizes[0]), plane(sizes[1]), plane(sizes[2]))
        luma.withUnsafeMutableBufferPointer { luma in
            cb.withUnsafeMutableBufferPointer { cb in
                cr.withUnsafeMutableBufferPointer { cr in
                    guard let luma = luma.baseAddress, let cb = cb.baseAddress, let cr = cr.baseAddress else { return }
                    decoder.write(
                        to: PatchPlanes(
                            luma: luma + guarded, cb: cb + guarded, cr: cr + guarded, lumaStride: width,
                            chromaStride: width / side))
                }
            }
        }
        for plane in [luma, cb, cr] {
            precondition(plane.prefix(guarded).allSatisfy { $0 == mark }, "written before the picture")
            precondition(plane.suffix(guarded).allSatisfy { $0 == mark }, "written behind the picture")
        }
    }
}
