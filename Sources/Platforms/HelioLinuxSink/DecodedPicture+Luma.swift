internal import HelioCore

extension DecodedPicture {
    package func meanLuma(everyRow step: Int) -> Double {
        guard let luma = plane(0), size.area > 0 else { return 0 }
        var (sum, rows) = (0, 0)
        for y in Swift.stride(from: 0, to: size.height, by: max(1, step)) {
            for sample in UnsafeBufferPointer(start: luma + y * stride(0), count: size.width) { sum += Int(sample) }
            rows += 1
        }
        return Double(sum) / Double(rows * size.width)
    }
}
