import SwiftUI

/// The place of the picture and of the input over it: the view of HelioAppleSink goes here.
struct PicturePlace: View {
    var body: some View { Color.black.ignoresSafeArea() }
}
