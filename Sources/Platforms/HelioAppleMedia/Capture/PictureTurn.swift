/// The turn, clockwise, that sets a captured picture upright.
public enum PictureTurn: Int, Sendable, Hashable {
    /// It is upright.
    case none = 0
    /// By 90 degrees.
    case quarter = 90
    /// By 180 degrees.
    case half = 180
    /// By 270 degrees.
    case threeQuarters = 270

    /// The turn that an attachment tells.
    ///
    /// - Parameter orientation: `CGImagePropertyOrientation` of the sample's attachment `RPVideoSampleOrientationKey`, as
    ///   EXIF counts: 1 up, 3 down, 6 right, 8 left; even or odd neighbours are mirrored, which no screen is. `nil` or
    ///   another number: as it is.
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
