import CYUV
import HelioCore

/// The fixed-point coefficients (1/32768) that convert R'G'B' to Y'CbCr, for the colour description of the stream's VUI
/// (ITU-T H.273 section 8.3).
struct YUVMatrix {
    let coefficients: helio_yuv_matrix

    /// Throws `unsupported` if the matrix is not BT.709, BT.601 (code points 5 and 6) or unspecified (treated as
    /// BT.709).
    init(_ color: ColorDescription) throws(HelioError) {
        let (kr, kb): (Double, Double)
        switch color.matrix {
        case 1, 2: (kr, kb) = (0.2126, 0.0722)
        case 5, 6: (kr, kb) = (0.299, 0.114)
        default:
            throw HelioError(.unsupported, "Matrix \(color.matrix) of H.273 is not supported; use BT.709 or BT.601.")
        }
        let lumaScale = (color.isFullRange ? 255 : 219) / 255.0 * 32768
        let chromaScale = (color.isFullRange ? 255 : 224) / 255.0 * 32768
        func fixed(_ x: Double) -> Int16 { Int16(x.rounded()) }
        var m = helio_yuv_matrix()
        m.y_b = fixed(kb * lumaScale)
        m.y_r = fixed(kr * lumaScale)
        // Green gets the remainder of the rounded weights, so that white becomes exactly white.
        m.y_g = Int16((lumaScale).rounded() - Double(m.y_b) - Double(m.y_r))
        m.u_b = Int16(clamping: Int((0.5 * chromaScale).rounded()))
        m.u_r = fixed(-0.5 * kr / (1 - kb) * chromaScale)
        m.u_g = -m.u_b - m.u_r  // Grey has no colour, exactly.
        m.v_r = Int16(clamping: Int((0.5 * chromaScale).rounded()))
        m.v_b = fixed(-0.5 * kb / (1 - kr) * chromaScale)
        m.v_g = -m.v_r - m.v_b
        m.y_offset = color.isFullRange ? 0 : 16
        coefficients = m
    }
}
