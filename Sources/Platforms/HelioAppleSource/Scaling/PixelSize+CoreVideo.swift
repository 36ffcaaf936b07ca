import CoreVideo
import HelioCore

extension PixelSize {
    init(_ picture: CVPixelBuffer) {
        self.init(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    }
}
