// Shows a shared screen in a window, and nothing else: ViewScreen LINK
// HelioViewing is the half of Heliograph that watches: this program links no video encoder.
import HelioViewing

guard CommandLine.arguments.count == 2 else { fatalError("usage: ViewScreen LINK") }
do {
    try Viewer(link: CommandLine.arguments[1], onNote: { print($0) }).run()
} catch {
    fatalError(error.message)
}
