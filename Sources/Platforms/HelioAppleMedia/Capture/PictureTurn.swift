/// The turn, clockwise, that sets a captured picture upright.
package enum PictureTurn: Int, Sendable, Hashable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// - Parameter orientation: `CGImagePropertyOrientation` of the sample's attachment `RPVideoSampleOrientationKey`, as
    ///   EXIF counts: 1 up, 3 down, 6 right, 8 left; even or odd neighbours are mirrored, which no screen is. `nil` or
    ///   another number: as it is.
    package init(orientation: Int?) {
        self =
            switch orientation {
            case 3, 4: .half
            case 5, 6: .quarter
            case 7, 8: .threeQuarters
            default: .none
            }
    }
}
