internal import HelioCore
private import HelioSDP

/// The limits of an H.264 receiver, from its `profile-level-id` (RFC 6184 section 8.1).
struct ReceiverLimits {
    private let value: H264ProfileLevel

    /// Parses a `profile-level-id`. Throws `invalidArgument` if it is not six hexadecimal digits that name a known
    /// profile and level.
    init(_ profileLevelID: String) throws(HelioError) {
        guard let value = H264ProfileLevel(profileLevelID) else {
            throw HelioError(
                .invalidArgument, "'\(profileLevelID)' is no profile-level-id of H.264: six digits such as 42e01f")
        }
        self.value = value
    }

    /// True if the receiver supports 4:4:4: only the High 4:4:4 Predictive profile includes it. For 4:2:0 the stream is
    /// Constrained Baseline, which every decoder supports.
    var takesFullChroma: Bool { value.profile == .high444Predictive }

    /// Returns the largest size with this aspect ratio that the level allows, at most `size`.
    func fit(_ size: PixelSize) -> PixelSize {
        var fitting = size
        // The size is reduced in small steps, because the level limits the number of whole macroblocks, not of pixels.
        while Self.macroblocks(fitting) > value.level.mostMacroblocks, fitting.width > 16 || fitting.height > 16 {
            fitting = size.fitted(
                within: PixelSize(width: max(16, fitting.width * 63 / 64), height: max(16, fitting.height * 63 / 64)))
        }
        return fitting
    }

    /// Returns the frame rate for pictures of this size: the wanted rate, limited to the level's maximum, but at least
    /// 1.
    func framesPerSecond(_ wanted: Int, of size: PixelSize) -> Int {
        max(1, min(wanted, value.level.mostMacroblocksPerSecond / max(1, Self.macroblocks(size))))
    }

    private static func macroblocks(_ size: PixelSize) -> Int { (size.width + 15) / 16 * ((size.height + 15) / 16) }
}
