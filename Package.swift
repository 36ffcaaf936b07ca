// swift-tools-version: 6.2
import PackageDescription

// The folder tree is the architecture: a target imports only from floors below its own.
// script/check-architecture proves it in CI.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// A target of floor `floor`, which lives in `Sources/floor/name`.
func target(_ name: String, in floor: String, needs: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: needs, path: "Sources/\(floor)/\(name)", swiftSettings: settings)
}

/// A C library of the system, found by pkg-config and installed by `script/install-packages`.
func system(_ name: String, pkgConfig: String?) -> Target {
    .systemLibrary(name: name, path: "Sources/Platforms/\(name)", pkgConfig: pkgConfig)
}

func tests(of name: String, needs: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + needs, path: "Tests/\(name)Tests",
        resources: resources, swiftSettings: settings)
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]

let package = Package(
    name: "heliograph",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "Heliograph", targets: ["Heliograph"]),
        .executable(name: "heliograph", targets: ["HeliographCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // Core
        target("HelioCore", in: "Core"),
    ]
)
