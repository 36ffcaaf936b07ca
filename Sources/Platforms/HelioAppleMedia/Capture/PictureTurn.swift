/// The clockwise rotation that makes a captured picture upright.
public enum PictureTurn: Int, Sendable, Hashable {
    /// The picture is upright.
    case none = 0
    /// A turn by 90 degrees.
    case quarter = 90
    /// A turn by 180 degrees.
    case half = 180
    /// A turn by 270 degrees.
    case threeQuarters = 270

    /// Converts the orientation in a sample's attachment.
    ///
    /// - Parameter orientation: the `CGImagePropertyOrientation` in the attachment `RPVideoSampleOrientationKey`, with
    ///   EXIF's values: 1 up, 3 down, 6 right, 8 left. The mirrored orientations, which no screen has, are treated like
    ///   the unmirrored ones; `nil` or any other value means no rotation.
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
