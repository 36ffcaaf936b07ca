package import HelioCore
package import HelioPhoneWire

/// The encodings to try on a phone, from the best one down, and the present one.
///
/// A phone's encoder states its limits, and may refuse what it has stated. Each refusal goes one rung down: first
/// without the settings that an encoder may not know, then at multiples of 16 pixels, then smaller; then the next
/// encoder, software after hardware; then the other codec, if that is allowed.
package struct EncoderLadder: Sendable {
    /// An encoding to try.
    package struct Rung: Sendable, Hashable {
        package var encoder: PhoneEncoder
        package var size: PixelSize
        /// True for the settings alone that every encoder needs.
        package var isPlain: Bool
    }

    /// The longer sides tried after a refusal, in pixels.
    package static let sides = [2560, 1920, 1600, 1280, 1024, 800]

    package let rungs: [Rung]
    private var index = 0

    /// - Parameters:
    ///   - codecs: the codecs that may be used, the preferred one first.
    ///   - limit: the largest picture; `nil` for no limit.
    package init(_ encoders: [PhoneEncoder], of screen: PixelSize, codecs: [VideoCodec], limit: PixelSize?) {
        var rungs: [Rung] = []
        for codec in codecs {
            let ofCodec = encoders.filter { $0.codec == codec }
            for encoder in ofCodec.filter(\.isHardware) + ofCodec.filter({ !$0.isHardware }) {
                rungs += Self.rungs(encoder, screen, limit)
            }
        }
        self.rungs = rungs
    }

    /// The encoding to use now; `nil` after all were refused, or if there is no encoder.
    package var present: Rung? { index < rungs.count ? rungs[index] : nil }

    /// Goes down after a refusal of the present encoding.
    ///
    /// - Parameter encoderIsGone: true if the encoder can't be used at any size.
    package mutating func refuse(encoderIsGone: Bool) {
        guard let refused = present else { return }
        index += 1
        guard encoderIsGone else { return }
        while let present, present.encoder == refused.encoder { index += 1 }
    }

    private static func rungs(_ encoder: PhoneEncoder, _ screen: PixelSize, _ limit: PixelSize?) -> [Rung] {
        let stated = PixelSize(width: max(2, encoder.alignment.width), height: max(2, encoder.alignment.height))
        let coarse = PixelSize(width: max(16, stated.width), height: max(16, stated.height))
        let whole = fitted(fitted(screen, limit), upright(encoder.largest, as: screen))
        var rungs = [
            Rung(encoder: encoder, size: aligned(whole, stated), isPlain: false),
            Rung(encoder: encoder, size: aligned(whole, stated), isPlain: true),
            Rung(encoder: encoder, size: aligned(whole, coarse), isPlain: true),
        ]
        for side in sides where side < max(whole.width, whole.height) {
            let smaller = fitted(whole, PixelSize(width: side, height: side))
            rungs.append(Rung(encoder: encoder, size: aligned(smaller, coarse), isPlain: true))
        }
        var seen: Set<Rung> = []
        return rungs.filter { seen.insert($0).inserted }
    }

    /// The encoder's largest picture for a screen in this orientation: encoders state it for a landscape picture, and
    /// take both.
    private static func upright(_ largest: PixelSize, as screen: PixelSize) -> PixelSize {
        guard screen.height > screen.width, largest.width > largest.height else { return largest }
        return PixelSize(width: largest.height, height: largest.width)
    }

    private static func fitted(_ size: PixelSize, _ limit: PixelSize?) -> PixelSize { size.fitted(within: limit) }

    /// The size with both sides rounded down to the multiple; at least one multiple.
    static func aligned(_ size: PixelSize, _ step: PixelSize) -> PixelSize {
        PixelSize(
            width: max(1, size.width / step.width) * step.width, height: max(1, size.height / step.height) * step.height
        )
    }
}
