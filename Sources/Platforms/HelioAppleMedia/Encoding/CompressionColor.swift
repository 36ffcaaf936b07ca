/// The colours that a compression session can be asked to write into the stream: names for code points of ITU-T H.273
/// (rows 90 and 91, defect 14). The range isn't among them: it follows from the pixels' format.
package enum CompressionColor {
    package enum Primaries: UInt8, Sendable, Hashable {
        case bt709 = 1
        case smpteC = 6
    }

    package enum Transfer: UInt8, Sendable, Hashable {
        case bt709 = 1
        case sRGB = 13
    }

    package enum Matrix: UInt8, Sendable, Hashable {
        case bt709 = 1
        case bt601 = 6
    }
}
