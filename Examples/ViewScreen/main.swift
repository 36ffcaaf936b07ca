// Shows a shared screen in a window, and nothing else: ViewScreen LINK
// It links no video encoder: see what of Heliograph is in it by HelioViewing.
import HelioViewing

guard CommandLine.arguments.count == 2 else { fatalError("usage: ViewScreen LINK") }
do {
    try Viewer(link: CommandLine.arguments[1], onNote: { print($0) }).run()
} catch {
    fatalError(error.message)
}
