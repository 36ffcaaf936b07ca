internal import HelioCore
private import HelioSDP

/// The limits of a receiver of H.264, as its `profile-level-id` tells (RFC 6184 section 8.1).
struct ReceiverLimits {
    private let value: H264ProfileLevel

    /// Reads a `profile-level-id`. Throws `invalidArgument`.
    init(_ profileLevelID: String) throws(HelioError) {
        guard let value = H264ProfileLevel(profileLevelID) else {
            throw HelioError(
                .invalidArgument, "'\(profileLevelID)' is no profile-level-id of H.264: six digits such as 42e01f")
        }
        self.value = value
    }

    /// True where the receiver takes 4:4:4. Only one profile has it; all of them have 4:2:0, and that is coded as
    /// Constrained Baseline, which decoders of each take.
    var takesFullChroma: Bool { value.profile == .high444Predictive }

    /// The largest picture of this shape that the level allows.
    func fit(_ size: PixelSize) -> PixelSize {
        var fitting = size
        // In small steps, for sides are rounded to whole macroblocks.
        while Self.macroblocks(fitting) > value.level.mostMacroblocks, fitting.width > 16 || fitting.height > 16 {
            fitting = size.fitted(
                within: PixelSize(width: max(16, fitting.width * 63 / 64), height: max(16, fitting.height * 63 / 64)))
        }
        return fitting
    }

    /// The frame rate at that size: the wanted one, or the most that the level allows.
    func framesPerSecond(_ wanted: Int, of size: PixelSize) -> Int {
        max(1, min(wanted, value.level.mostMacroblocksPerSecond / max(1, Self.macroblocks(size))))
    }

    private static func macroblocks(_ size: PixelSize) -> Int { (size.width + 15) / 16 * ((size.height + 15) / 16) }
}
