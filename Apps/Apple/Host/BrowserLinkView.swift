import HelioAppModels
import SwiftUI

/// The link for browsers, as text to copy and as a QR code for a phone's camera.
struct BrowserLinkView: View {
    let page: BrowserPage

    var body: some View {
        if let link = page.link {
            Text(Phrase(.menuBrowser).localized)
            Text(link).font(.footnote).textSelection(.enabled)
            if let code = QRImage.make(link) {
                Image(decorative: code, scale: 1).interpolation(.none).resizable().frame(width: 160, height: 160)
            }
        }
    }
}
