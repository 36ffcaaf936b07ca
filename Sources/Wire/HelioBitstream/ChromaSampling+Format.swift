import HelioCore

extension ChromaSampling {
    /// Converts `chroma_format_idc`; `nil` for monochrome and 4:2:2, which Heliograph does not support.
    init?(format: UInt8) {
        switch format {
        case 1: self = .yuv420
        case 3: self = .yuv444
        default: return nil
        }
    }
}
