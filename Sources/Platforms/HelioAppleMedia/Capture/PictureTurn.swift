/// The turn, clockwise, that sets a captured picture upright.
public enum PictureTurn: Int, Sendable, Hashable {
    /// The picture is upright.
    case none = 0
    /// A turn by 90 degrees.
    case quarter = 90
    /// A turn by 180 degrees.
    case half = 180
    /// A turn by 270 degrees.
    case threeQuarters = 270

    /// Reads the turn from an attachment.
    ///
    /// - Parameter orientation: `CGImagePropertyOrientation` of the sample's attachment `RPVideoSampleOrientationKey`,
    ///   as EXIF counts: 1 up, 3 down, 6 right, 8 left. Their neighbours are mirrored, which no screen is, and count
    ///   like them; `nil` or another number means no turn.
    public init(orientation: Int?) {
        self =
            switch orientation {
            case 3, 4: .half
            case 5, 6: .quarter
            case 7, 8: .threeQuarters
            default: .none
            }
    }
}
