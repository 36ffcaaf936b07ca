// swift-tools-version: 6.2
import PackageDescription

// `swift run -c release helio-bench`, on Linux with libsrtp2-dev.

/// The measured modules have `package` access, so the benchmarks must be compiled as part of the package above: with
/// its identity, which is its folder's name in lower case with other characters replaced by `_`.
let above = Context.packageDirectory.split(separator: "/").dropLast().last ?? "heliograph"
let identity = String(
    above.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-package-name", identity]),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v26)],
    products: [.executable(name: "helio-bench", targets: ["HelioBench"])],
    dependencies: [
        .package(name: "heliograph", path: ".."), .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(name: "CSRTP", pkgConfig: "libsrtp2", providers: [.apt(["libsrtp2-dev"])]),
        .target(name: "CMallocCount"),
        // The checks count the allocations of these targets: the manifest above has the same ones, under HELIO_CHECKS.
        .target(
            name: "HelioBudgets",
            dependencies: ["CSRTP", "CMallocCount", .product(name: "HelioInternals", package: "heliograph")],
            packageAccess: false, swiftSettings: settings),
        .executableTarget(
            name: "HelioBench",
            dependencies: [
                "HelioBudgets", "CMallocCount", .product(name: "HelioInternals", package: "heliograph"),
                .product(name: "HelioWebRTC", package: "heliograph"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            // Disables SwiftPM's own package name, which would follow the one in the settings and override it.
            packageAccess: false,
            swiftSettings: settings),
    ]
)
