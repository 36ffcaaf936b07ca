// swift-tools-version: 6.2
import PackageDescription

// Declarations of the part of Darwin's C library that the drivers use, and of the C modules that name its types. With them,
// script/check-darwin type-checks the branches for Darwin without an SDK. No code here is executed.

let package = Package(
    name: "darwin-stubs",
    targets: [
        .target(name: "Darwin"),
        .target(name: "CGround", dependencies: ["Darwin"]),
        .target(name: "CFileStatus", dependencies: ["Darwin"]),
    ]
)
