import HelioCore

/// BT.601, BT.709 and BT.2020 by their definitions, in floating point: the reference of the conversion.
enum ReferenceColor {
    static func weights(_ matrix: UInt8) -> (red: Double, blue: Double) {
        switch matrix {
        case 1: (0.2126, 0.0722)
        case 9: (0.2627, 0.0593)
        default: (0.299, 0.114)
        }
    }

    static func encode(_ rgb: [Double], _ color: ColorDescription) -> [UInt8] {
        let (kr, kb) = weights(color.matrix)
        let luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
        let cb = (rgb[2] - luma) / (2 * (1 - kb))
        let cr = (rgb[0] - luma) / (2 * (1 - kr))
        let scaled =
            color.isFullRange
            ? [luma, cb + 128, cr + 128]
            : [16 + luma * 219 / 255, 128 + cb * 224 / 255, 128 + cr * 224 / 255]
        return scaled.map { UInt8(min(255, max(0, $0.rounded()))) }
    }

    static func decode(_ y: UInt8, _ u: UInt8, _ v: UInt8, _ color: ColorDescription) -> [Double] {
        let (kr, kb) = weights(color.matrix)
        let luma = color.isFullRange ? Double(y) : (Double(y) - 16) * 255 / 219
        let scale = color.isFullRange ? 1.0 : 255.0 / 224
        let cb = (Double(u) - 128) * scale
        let cr = (Double(v) - 128) * scale
        let red = luma + 2 * (1 - kr) * cr
        let blue = luma + 2 * (1 - kb) * cb
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        return [red, green, blue].map { min(255, max(0, $0)) }
    }
}
