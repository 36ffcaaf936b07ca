// swift-tools-version: 6.2
import PackageDescription

// Declarations of the parts of Apple's frameworks that the Apple adapters use. With them, script/check-apple
// type-checks the adapters without an SDK. No code here is executed.

let settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error)]

func module(_ name: String, needs: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: ["AppleBase"] + needs, swiftSettings: settings)
}

let modules = [
    module("CoreAudioTypes"),
    module("CoreAudio", needs: ["CoreAudioTypes"]),
    module("AudioToolbox", needs: ["CoreAudioTypes"]),
    module("AVFAudio", needs: ["CoreAudioTypes"]),
    module("Metal"),
    module("CoreGraphics"),
    module("QuartzCore", needs: ["CoreGraphics", "Metal"]),
    module("CoreImage", needs: ["CoreGraphics"]),
    module("AppKit", needs: ["CoreGraphics", "QuartzCore"]),
    module("UIKit", needs: ["QuartzCore"]),
    module("CoreVideo", needs: ["Metal"]),
    module("CoreMedia", needs: ["CoreAudio", "CoreAudioTypes", "CoreVideo"]),
    module("ApplicationServices", needs: ["CoreGraphics"]),
    module("ReplayKit", needs: ["CoreMedia", "UIKit"]),
    module("ScreenCaptureKit", needs: ["CoreGraphics", "CoreMedia"]),
    module("Network"),
    module("Security"),
    module("dnssd"),
    module("os"),
    module("VideoToolbox", needs: ["CoreMedia", "CoreVideo"]),
    module("ServiceManagement"),
    module("SwiftUI", needs: ["CoreGraphics", "UIKit"]),
]

let package = Package(
    name: "apple-stubs",
    // All modules are in one product, whose name must differ from those of Apple's frameworks.
    products: [.library(name: "AppleStubs", targets: modules.map(\.name))],
    targets: [.target(name: "AppleBase", swiftSettings: settings)] + modules
)
