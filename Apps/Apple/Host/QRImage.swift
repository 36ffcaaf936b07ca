import CoreGraphics
import CoreImage
import Foundation

/// Draws QR codes.
enum QRImage {
    /// Returns the QR code of a text, one pixel a module, with its quiet zone; `nil` if the text is too long.
    static func make(_ text: String) -> CGImage? {
        let filter = CIFilter(name: "CIQRCodeGenerator", parameters: ["inputMessage": Data(text.utf8)])
        guard let image = filter?.outputImage else { return nil }
        return CIContext().createCGImage(image, from: image.extent)
    }
}
