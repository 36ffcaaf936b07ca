import HelioAppModels
import SwiftUI

/// The viewer for iPhone, iPad and Mac.
@main
struct ViewerApp: App {
    @State private var flow = ViewerFlow()

    var body: some Scene {
        WindowGroup { ViewerScreen(flow: flow) }
    }
}
