// swift-tools-version: 6.2
import PackageDescription

// Declarations of what the Apple adapters use of Apple's frameworks, so that they are type-checked where there is no SDK:
// script/check-apple. Nothing here runs.

let settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error)]

func module(_ name: String, needs: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: ["AppleBase"] + needs, swiftSettings: settings)
}

let modules = [
    module("CoreVideo"),
    module("CoreMedia", needs: ["CoreVideo"]),
    module("ReplayKit", needs: ["CoreMedia", "UIKit"]),
    module("ServiceManagement"),
    module("SwiftUI", needs: ["UIKit"]),
    module("UIKit"),
]

let package = Package(
    name: "apple-stubs",
    // All of them, under a name that is none of Apple's.
    products: [.library(name: "AppleStubs", targets: modules.map(\.name))],
    targets: [.target(name: "AppleBase", swiftSettings: settings)] + modules
)
