// swift-tools-version: 6.2
import PackageDescription

#if os(macOS)
import Foundation
#endif

// The folder tree is the architecture: a target imports only from floors below its own.
// script/check-architecture proves it in CI.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// A target of a floor: it lives in `Sources/FLOOR/NAME`.
func target(_ name: String, in floor: String, needs: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: needs, path: "Sources/\(floor)/\(name)", swiftSettings: settings)
}

/// A C library of the system, which `script/install-packages` installs: it lives in `Sources/System/NAME`.
func system(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig)
}

/// A program for developers to read: it lives in `Examples/NAME`.
func example(_ name: String, of library: Target.Dependency = "Heliograph") -> Target {
    .executableTarget(name: name, dependencies: [library], path: "Examples/\(name)", swiftSettings: settings)
}

/// What only tests and fuzzers use: it lives in `Testing/NAME`.
func testing(_ name: String, needs: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: needs, path: "Testing/\(name)", swiftSettings: settings)
}

func tests(of name: String, needs: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + needs, path: "Tests/\(name)Tests",
        resources: resources, swiftSettings: settings)
}

let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

let wire: [Target.Dependency] = [
    "HelioBitstream", "HelioRTP", "HelioSDP", "HelioRTSP", "HelioSTUN", "HelioMDNS", "HelioControlWire",
    "HelioJSON", "HelioRelayWire", "HelioRemoteWire", "HelioMPEGTS", "HelioRTMP", "HelioTransferWire",
]
let engines: [Target.Dependency] = [
    "HelioProtection", "HelioMedia", "HelioAdmission", "HelioRemote", "HelioSession",
    "HelioRTSPServer", "HelioRTSPClient", "HelioBroadcast", "HelioSRTLink", "HelioRTMPLink", "HelioWHIPLink",
    "HelioRelay", "HelioTransfer",
]
/// WebRTC, its own library.
let web: [Target.Dependency] = ["HelioICE", "HelioTURN", "HelioSCTP", "HelioPeer"]

// What the benchmarks measure on Linux alone.
#if os(macOS)
let measuredOnLinux: [String] = []
#else
let measuredOnLinux = ["HelioLinuxSink", "HelioLinuxSource"]
#endif

let package = Package(
    name: "heliograph",
    // The lowest that the code allows: InlineArray, which keeps keys' nonces and the replay window off the heap, came with
    // these. Without it Mutex and Atomic (Synchronization) would want macOS 15 and iOS 18, Duration macOS 13 and iOS 16; Span
    // runs on all of them. Linux knows no such bound.
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "Heliograph", targets: ["Heliograph"]),
        // The viewing half of Heliograph: links no encoder.
        .library(name: "HelioViewing", targets: ["HelioViewing"]),
        .library(name: "HelioWebRTC", targets: ["HelioWebRTC"]),
        // What the screens of Apps/ show and do.
        .library(name: "HelioAppModels", targets: ["HelioAppModels"]),
        // What the screens of the host, and of a broadcast, have done.
        .library(name: "HelioHostFlow", targets: ["HelioHostFlow"]),
        .library(name: "HelioBroadcastFlow", targets: ["HelioBroadcastFlow"]),
        .library(name: "HelioViewerFlow", targets: ["HelioViewerFlow"]),
        // What a broadcast extension links: hands pictures and sound to its app. Neither SwiftNIO nor Foundation.
        .library(name: "HelioExtension", targets: ["HelioExtension"]),
        .executable(name: "heliograph", targets: ["HeliographCommand"]),
        .executable(name: "helio-extension", targets: ["HelioExtensionCommand"]),
        // For the benchmarks, which are a package of their own; no promise to anybody else.
        .library(
            name: "HelioInternals",
            targets: [
                "HelioAdmission", "HelioCore", "HelioICE", "HelioMedia", "HelioOpenSSL", "HelioPeer", "HelioProtection",
                "HelioRTP",
                "HelioRemoteWire", "HelioSCTP", "HelioSDP", "HelioSession", "HelioSimulation",
            ] + measuredOnLinux),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // Core
        target("HelioCore", in: "Core"),

        // Wire: formats only
        target("HelioBitstream", in: "Wire", needs: ["HelioCore"]),
        target("HelioRTP", in: "Wire", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioSDP", in: "Wire", needs: ["HelioCore"]),
        target("HelioRTSP", in: "Wire", needs: ["HelioCore", "HelioRTP"]),
        target("HelioSTUN", in: "Wire", needs: ["HelioCore"]),
        target("HelioMDNS", in: "Wire", needs: ["HelioCore"]),
        target("HelioControlWire", in: "Wire", needs: ["HelioCore"]),
        target("HelioJSON", in: "Wire", needs: ["HelioCore"]),
        target("HelioRemoteWire", in: "Wire", needs: ["HelioCore", "HelioControlWire", "HelioJSON"]),
        target("HelioMPEGTS", in: "Wire", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioRelayWire", in: "Wire", needs: ["HelioCore"]),
        target("HelioRTMP", in: "Wire", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioTransferWire", in: "Wire", needs: ["HelioCore"]),

        // Engines: sans-IO state machines
        target("HelioProtection", in: "Engines", needs: ["HelioCore"]),
        target(
            "HelioMedia", in: "Engines",
            needs: [deque, "HelioCore", "HelioBitstream", "HelioRTP", "HelioSDP"]),
        target("HelioICE", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioSTUN"]),
        target("HelioTURN", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioSTUN"]),
        target(
            "HelioRemote", in: "Engines",
            needs: [deque, "HelioCore", "HelioControlWire", "HelioProtection", "HelioRemoteWire"]),
        target(
            "HelioTransfer", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioTransferWire"]),
        target("HelioAdmission", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioRTSP"]),
        target("HelioBroadcast", in: "Engines", needs: [deque, "HelioCore", "HelioBitstream"]),
        target(
            "HelioSRTLink", in: "Engines",
            needs: ["HelioCore", "HelioBroadcast", "HelioMPEGTS", "HelioProtection"]),
        target(
            "HelioRTMPLink", in: "Engines",
            needs: ["HelioBroadcast", "HelioCore", "HelioProtection", "HelioRTMP"]),
        target("HelioWHIPLink", in: "Engines", needs: ["HelioBroadcast", "HelioCore", "HelioProtection"]),
        target("HelioSCTP", in: "Engines", needs: [deque, "HelioCore", "HelioProtection"]),
        target("HelioPatch", in: "Engines", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioRelay", in: "Engines", needs: [deque, "HelioCore", "HelioBitstream", "HelioRelayWire"]),
        target(
            "HelioSession", in: "Engines",
            needs: [
                deque, "HelioCore", "HelioProtection", "HelioMedia", "HelioAdmission", "HelioRemote", "HelioTransfer",
            ] + wire),
        target(
            "HelioRTSPServer", in: "Engines",
            needs: [
                deque,
                "HelioCore", "HelioAdmission", "HelioMedia", "HelioProtection", "HelioRTP", "HelioRTSP",
            ]),
        target(
            "HelioRTSPClient", in: "Engines",
            needs: [
                deque,
                "HelioCore", "HelioAdmission", "HelioMedia", "HelioProtection", "HelioRTP", "HelioRTSP", "HelioSDP",
                "HelioSession",
            ]),
        target(
            "HelioPeer", in: "Engines",
            needs: [
                deque,
                "HelioCore", "HelioBitstream", "HelioICE", "HelioMedia", "HelioProtection",
                "HelioRTP", "HelioSCTP", "HelioSDP", "HelioSTUN", "HelioTURN",
            ]),
        target(
            "HelioHost", in: "Engines",
            needs: [
                deque,
                "HelioAdmission", "HelioCore", "HelioMedia", "HelioPeer", "HelioProtection", "HelioRTP", "HelioRemote",
                "HelioRemoteWire", "HelioSCTP", "HelioSDP", "HelioSession", "HelioTransfer", "HelioTransferWire",
            ]),

        // System: C libraries, and what of the system Swift can't say
        system("CAlarm"),
        system("CAvahi", pkgConfig: "avahi-client"),
        system("CDatagram"),
        system("CFileStatus"),
        system("CMalloc"),
        system("COpenSSL", pkgConfig: "openssl"),
        system("CX264", pkgConfig: "x264"),
        system("CXCB", pkgConfig: "xcb"),
        system("CYUV"),
        system("CLibYUV"),
        .target(name: "CKeyGuard", dependencies: ["CXCB"], path: "Sources/System/CKeyGuard"),
        system("CFFmpeg", pkgConfig: "libavcodec"),
        system("CAVFormat", pkgConfig: "libavformat"),
        system("CSDL2", pkgConfig: "sdl2"),
        system("CQREncode", pkgConfig: "libqrencode"),
        system("CPulse", pkgConfig: "libpulse"),
        system("COpus", pkgConfig: "opus"),
        system("CSRT", pkgConfig: "srt"),

        // Drivers: where engines meet the world
        target("HelioOpenSSL", in: "Drivers", needs: ["HelioCore", "HelioProtection", "COpenSSL"]),
        target(
            "HelioTLS", in: "Drivers", needs: ["HelioCore", "HelioOpenSSL", "COpenSSL", nio]),
        target(
            "HelioDiscovery", in: "Drivers",
            needs: ["HelioCore", "HelioAdmission", "HelioMDNS", "CAvahi"]),
        target(
            "HelioLoop", in: "Drivers",
            needs: [
                "HelioCore", "CAlarm", "CDatagram", nio, nioPosix,
                deque,
            ]),
        // For extensions, too: no NIO.
        target("HelioHeartbeat", in: "Drivers", needs: ["HelioBroadcast", "HelioCore"]),
        target(
            "HelioSRT", in: "Drivers",
            needs: [
                "HelioBroadcast", "HelioCore", "HelioLocalSocket", "HelioLoop", "HelioMPEGTS", "HelioProtection",
                "HelioSRTLink", "CSRT",
            ]),
        target(
            "HelioRTMPSending", in: "Drivers",
            needs: ["HelioBroadcast", "HelioCore", "HelioLoop", "HelioRTMPLink", "HelioTLS", nio, nioPosix]),
        target("HelioSound", in: "Drivers", needs: ["HelioCore", "HelioLoop", "HelioMedia"]),
        target(
            "HelioRecording", in: "Drivers",
            needs: [deque, "HelioBitstream", "HelioCore", "HelioLoop", "CAVFormat"]),
        target(
            "HelioStores", in: "Drivers",
            needs: ["HelioAdmission", "HelioCore", "HelioOpenSSL", "HelioProtection", "CFileStatus"]),
        target("HelioLocalSocket", in: "Drivers", needs: ["HelioCore", "CFileStatus"]),
        target(
            "HelioFileFolder", in: "Drivers",
            needs: [deque, "HelioCore", "HelioLocalSocket", "HelioTransfer", "HelioTransferWire", "CFileStatus"]),
        target(
            "HelioExtension", in: "Drivers",
            needs: ["HelioBitstream", "HelioCore", "HelioLocalSocket", "HelioRelay", "HelioRelayWire"]),
        target(
            "HelioRelayDriver", in: "Drivers",
            needs: ["HelioCore", "HelioLocalSocket", "HelioRelay", "HelioRelayWire"]),
        // Of no session, RTSP or control: WebRTC alone.
        target(
            "HelioPeerPort", in: "Drivers",
            needs: [
                "HelioCore", "HelioICE", "HelioLoop", "HelioMDNS", "HelioOpenSSL", "HelioPeer", "HelioProtection",
                "HelioSTUN", "HelioTLS", "HelioTURN", "CDatagram", nio, nioPosix,
            ]),
        target(
            "HelioWHIP", in: "Drivers",
            needs: [
                "HelioBroadcast", "HelioCore", "HelioICE", "HelioLoop", "HelioMedia", "HelioOpenSSL", "HelioPeer",
                "HelioPeerPort", "HelioProtection", "HelioRTP", "HelioSDP", "HelioSTUN", "HelioTLS", "HelioWHIPLink",
                nio,
                nioPosix,
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        target(
            "HelioServing", in: "Drivers",
            needs: [
                "HelioAdmission", "HelioCore", "HelioControlWire", "HelioHost", "HelioLoop", "HelioOpenSSL",
                "HelioPeer",
                "HelioPeerPort", "HelioRemote", "HelioProtection", "HelioRemoteWire", "HelioRTP", "HelioRTSP",
                "HelioRTSPClient",
                "HelioRTSPServer", "HelioSCTP", "HelioSDP", "HelioSession", "HelioStores", "HelioTLS",
                "HelioTransferWire", nio, nioPosix,
            ]),

        target(
            "HelioSignaling", in: "Drivers",
            needs: [
                "HelioCore", "HelioLoop", "HelioOpenSSL", "HelioStores", "HelioTLS",
                nio,
                nioPosix,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),

        // Web: the page for browsers, compiled in
        .target(name: "CWebPages", path: "Web/CWebPages", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "HelioWebPages", dependencies: ["CWebPages"], path: "Web/HelioWebPages", swiftSettings: settings),

        // Platforms
        target("HelioSoundCodecs", in: "Platforms", needs: ["HelioCore", "COpus"]),
        target("HelioLinuxWaiting", in: "Platforms", needs: ["HelioCore", "CXCB"]),
        target(
            "HelioLinuxSound", in: "Platforms",
            needs: ["HelioCore", "HelioBitstream", "HelioSoundCodecs", "CPulse", "CFFmpeg"]),
        target("HelioLinuxClipboard", in: "Platforms", needs: ["HelioLinuxWaiting", "HelioCore", "CXCB"]),
        target(
            "HelioLinuxSource", in: "Platforms",
            needs: [
                "HelioLinuxClipboard", "HelioLinuxSound", "HelioLinuxWaiting",
                "HelioCore", "HelioBitstream", "HelioPatch", "CKeyGuard", "CXCB", "CX264", "CYUV", "CFFmpeg",
                "CQREncode",
            ]),
        target(
            "HelioLinuxSink", in: "Platforms",
            needs: [
                "HelioLinuxClipboard", "HelioLinuxSound", "HelioLinuxWaiting", "HelioCore", "HelioBitstream",
                "HelioPatch",
                "CFFmpeg", "CSDL2", "CLibYUV",
            ]),
        // What of Apple's platforms is no call into a framework of theirs: built and tested everywhere.
        target(
            "HelioAppleMedia", in: "Platforms",
            needs: ["HelioCore", "HelioBitstream", "HelioMedia", "HelioRemoteWire", "HelioSoundCodecs"]),

        // Kit
        target(
            "HelioViewing", in: "Kit",
            needs: [
                "HelioAdmission", "HelioBitstream", "HelioControlWire", "HelioCore", "HelioDiscovery", "HelioLoop",
                "HelioMDNS", "HelioMedia", "HelioProtection", "HelioRTP", "HelioRTSPClient", "HelioRTSPServer",
                "HelioRecording", "HelioRemote",
                "HelioRemoteWire", "HelioServing", "HelioSession", "HelioSound", "HelioStores", "HelioTransferWire",
                "HelioFileFolder", "HelioLocalSocket", "HelioOpenSSL", "HelioTransfer",
                "HelioLinuxSink", deque, nio,
                nioPosix,
            ]),
        target(
            "Heliograph", in: "Kit",
            needs: [
                "HelioAdmission", "HelioBitstream", "HelioBroadcast", "HelioControlWire", "HelioCore", "HelioDiscovery",
                "HelioHeartbeat", "HelioHost", "HelioLoop", "HelioMedia", "HelioMDNS", "HelioOpenSSL", "HelioPeer",
                "HelioPeerPort", "HelioProtection", "HelioRTMPLink", "HelioRTMPSending", "HelioRTP",
                "HelioRTSPClient", "HelioRTSPServer", "HelioRecording", "HelioRelay", "HelioRelayDriver",
                "HelioRelayWire", "HelioRemote", "HelioRemoteWire", "HelioSDP", "HelioSRT", "HelioSRTLink",
                "HelioWHIP", "HelioWHIPLink",
                "HelioServing", "HelioSession", "HelioSignaling", "HelioSound", "HelioStores", "HelioTransferWire",
                "HelioViewing",
                "HelioWebPages",
                "HelioLinuxSource",
                nio, nioPosix,
            ]),

        // The screens of the apps, without a framework that draws them.
        target("HelioAppModels", in: "Kit", needs: ["HelioBroadcast", "HelioCore", "HelioRemote"]),
        // The viewer app's way through its screens.
        target(
            "HelioViewerFlow", in: "Kit",
            needs: [
                "HelioAppModels", "HelioControlWire", "HelioCore", "HelioRemote", "HelioRemoteWire", "HelioViewing",
            ]),

        // What the host's screens have done, and what a broadcast's have: the app's half and the extension's.
        target("HelioHostFlow", in: "Kit", needs: ["HelioAppModels", "HelioCore", "Heliograph"]),
        target(
            "HelioBroadcastFlow", in: "Kit",
            needs: ["HelioAppModels", "HelioAppleMedia", "HelioCore", "HelioExtension", "Heliograph"]),

        target(
            "HelioWebRTC", in: "Kit",
            needs: [
                "HelioCore", "HelioLoop", "HelioOpenSSL", "HelioPeerPort", "HelioProtection", "HelioRTP", "HelioSDP",
                nio,
                nioPosix,
                deque,
            ] + web),

        // App
        .executableTarget(
            name: "HeliographCommand",
            dependencies: [
                "Heliograph", "HelioCore", "HelioOpenSSL", "HelioStores", "HelioWebRTC",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/App/HeliographCommand", swiftSettings: settings),

        // A stand-in of a broadcast extension, for its budget of memory.
        .executableTarget(
            name: "HelioExtensionCommand",
            dependencies: ["HelioCore", "HelioExtension", "CLibYUV", "CMalloc", "CX264"],
            path: "Sources/App/HelioExtensionCommand", swiftSettings: settings),

        // Examples
        example("SendFile"),
        example("ViewScreen", of: "HelioViewing"),
        example("WriteFile"),

        // Testing
        testing("HelioSimulation", needs: [deque, "HelioCore", "HelioProtection", "HelioRTP", "HelioSTUN"]),
        testing("HelioFuzzing", needs: [deque, "HelioCore", "HelioHost", "HelioPatch"] + wire + engines + web),

        .target(
            name: "ForeignPeers", path: "Tests/ForeignPeers", exclude: ["Programs"], swiftSettings: settings),

        // Tests
        // Programs that no one here wrote, for any test.
        .target(
            name: "HelioTestPrograms", dependencies: ["HelioCore", "HelioSimulation", "CXCB"],
            path: "Tests/HelioTestPrograms",
            swiftSettings: settings),
        tests(of: "HelioTestPrograms", needs: ["HelioCore", "HelioSimulation"]),
        // Apple's sessions and screen with real codecs, for any test.
        .target(
            name: "HelioAppleFakes",
            dependencies: [
                "HelioAppleMedia", "HelioBitstream", "HelioCore", "HelioLoop",
                .target(name: "HelioTestPrograms", condition: .when(platforms: [.linux])),
                .target(name: "HelioLinuxSource", condition: .when(platforms: [.linux])),
                .target(name: "HelioLinuxSink", condition: .when(platforms: [.linux])),
                .target(name: "HelioPatch", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/HelioAppleFakes", swiftSettings: settings),
        tests(
            of: "HelioAppleFakes",
            needs: [
                "HelioAppleMedia", "HelioCore", "HelioLoop", "HelioTestPrograms", "HelioViewing", "Heliograph",
                "HeliographCommand",
                .target(name: "HelioLinuxSource", condition: .when(platforms: [.linux])),
                .target(name: "HelioLinuxSink", condition: .when(platforms: [.linux])),
            ]),
        tests(of: "HelioFuzzing"),
        tests(of: "HelioCore"),
        tests(of: "HelioBitstream", needs: ["HelioCore"]),
        tests(of: "HelioRTP", needs: ["HelioCore", "HelioBitstream", "HelioSimulation"]),
        tests(of: "HelioSDP", needs: ["HelioCore", "HelioFuzzing"]),
        tests(of: "HelioRTSP", needs: ["HelioCore", "HelioFuzzing"]),
        tests(of: "HelioSTUN", needs: ["HelioCore", "HelioOpenSSL", "HelioProtection"]),
        tests(of: "HelioMDNS", needs: ["HelioCore"]),
        tests(of: "HelioDiscovery", needs: ["HelioCore", "HelioMDNS", "HelioTestPrograms"]),
        tests(of: "HelioControlWire", needs: ["HelioCore", "HelioFuzzing"]),
        tests(of: "HelioJSON", needs: ["HelioCore"]),
        tests(of: "HelioRemoteWire", needs: ["HelioCore", "HelioControlWire", "HelioJSON"]),
        tests(of: "HelioMPEGTS", needs: ["HelioBitstream", "HelioCore", "HelioFuzzing", "HelioTestPrograms"]),
        tests(of: "HelioRelayWire", needs: ["HelioCore"]),
        tests(of: "HelioTransferWire", needs: ["HelioCore"]),
        tests(of: "HelioTransfer", needs: ["HelioCore", "HelioProtection", "HelioTransferWire"]),
        tests(
            of: "HelioFileFolder", needs: ["HelioCore", "HelioOpenSSL", "HelioTransfer", "HelioTransferWire"]),
        tests(of: "HelioRelay", needs: ["HelioCore", "HelioRelayWire"]),
        tests(
            of: "HelioRelayDriver",
            needs: [
                "HelioCore", "HelioExtension", "HelioExtensionCommand", "HelioLocalSocket", "HelioRelay",
                "HelioRelayWire", "HelioTestPrograms",
            ]),
        tests(of: "HelioRTMP", needs: ["HelioBitstream", "HelioCore"]),
        tests(of: "HelioProtection", needs: ["HelioCore", "HelioOpenSSL", "HelioFuzzing"]),
        tests(
            of: "HelioOpenSSL",
            needs: ["HelioCore", "HelioProtection", "HelioSimulation", "HelioTestPrograms", "COpenSSL"]),
        tests(
            of: "HelioTLS",
            needs: [
                "HelioCore", "HelioOpenSSL", "HelioProtection", "HelioTestPrograms", "COpenSSL", nio, nioPosix,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests(of: "HelioMedia", needs: ["HelioCore", "HelioRTP", "HelioBitstream", "HelioSimulation"]),
        tests(
            of: "HelioICE", needs: ["HelioCore", "HelioOpenSSL", "HelioProtection", "HelioSimulation", "HelioSTUN"]),
        tests(
            of: "HelioTURN",
            needs: [
                "HelioCore", "HelioOpenSSL", "HelioProtection", "HelioSimulation", "HelioSTUN", "HelioTestPrograms",
            ]),
        tests(of: "HelioAdmission", needs: ["HelioCore"]),
        tests(of: "HelioRemote", needs: ["HelioCore", "HelioControlWire", "HelioRemoteWire"]),
        tests(of: "HelioPatch"),
        .executableTarget(
            name: "HeartbeatProgram", dependencies: ["HelioBroadcast", "HelioHeartbeat"],
            path: "Tests/HeartbeatProgram",
            swiftSettings: settings),
        tests(
            of: "HelioHeartbeat", needs: ["HelioBroadcast", "HelioCore", "HelioTestPrograms", "HeartbeatProgram"]),
        tests(of: "HelioBroadcast", needs: ["HelioBitstream", "HelioCore", "HelioFuzzing"]),
        tests(
            of: "HelioSRTLink",
            needs: ["HelioBroadcast", "HelioCore", "HelioFuzzing", "HelioMPEGTS", "HelioProtection"]),
        tests(
            of: "HelioRTMPLink",
            needs: ["HelioBitstream", "HelioBroadcast", "HelioCore", "HelioProtection", "HelioRTMP"]),
        tests(of: "HelioWHIPLink", needs: ["HelioBroadcast", "HelioCore", "HelioProtection"]),
        tests(of: "HelioSCTP", needs: [deque, "HelioCore", "HelioOpenSSL", "HelioSimulation"]),
        tests(
            of: "HelioLoop",
            needs: [
                "HelioCore", "HelioOpenSSL", "HelioProtection", "HelioRemote", "HelioSession", "HelioTestPrograms",
            ]),
        tests(
            of: "HelioSRT",
            needs: [
                "HelioBitstream", "HelioBroadcast", "HelioCore", "HelioLoop", "HelioMPEGTS", "HelioProtection",
                "HelioSRTLink", "HelioTestPrograms",
            ]),
        // A program for its tests: it is killed while it records.
        .executableTarget(
            name: "RecordingWriter", dependencies: ["HelioCore", "HelioBitstream", "HelioLoop", "HelioRecording"],
            path: "Tests/RecordingWriter", swiftSettings: settings),
        tests(
            of: "HelioRecording",
            needs: ["HelioBitstream", "HelioCore", "HelioLoop", "HelioTestPrograms", "RecordingWriter"]),
        tests(
            of: "HelioRTMPSending",
            needs: [
                "HelioBitstream", "HelioBroadcast", "HelioCore", "HelioLoop", "HelioProtection", "HelioRTMP",
                "HelioRTMPLink", "HelioTestPrograms", nio, nioPosix,
            ]),
        tests(
            of: "HelioWHIP",
            needs: [
                "HelioBitstream", "HelioBroadcast", "HelioCore", "HelioLoop", "HelioPeerPort", "HelioProtection",
                "HelioTestPrograms", "HelioWHIPLink", nioPosix,
            ]),
        tests(of: "HelioStores", needs: ["HelioAdmission", "HelioCore", "HelioProtection", "HelioSession"]),
        tests(
            of: "HelioPeerPort",
            needs: [
                "HelioCore", "HelioICE", "HelioOpenSSL", "HelioPeer", "HelioProtection", "HelioSCTP", "HelioSTUN",
                "HelioTestPrograms", nio, nioPosix,
            ]),
        tests(
            of: "HelioServing",
            needs: [
                "HelioCore", "HelioLoop", "HelioMedia", "HelioRTSPClient", "HelioRTSPServer", "HelioStores", "HelioTLS",
                "HelioTestPrograms", nio, nioPosix,
            ]),
        tests(
            of: "HelioSignaling",
            needs: [
                "HelioCore", "HelioLoop", "HelioStores", "HelioTLS", "HelioTestPrograms", nio, nioPosix,
            ]),
        tests(of: "HelioWebPages"),
        tests(of: "HelioSimulation", needs: ["HelioCore"]),
        tests(
            of: "HelioSession",
            needs: ["HelioCore"]),
        tests(
            of: "HelioHost",
            needs: [
                deque, "HelioAdmission", "HelioControlWire", "HelioCore", "HelioICE", "HelioMedia", "HelioOpenSSL",
                "HelioPeer", "HelioProtection", "HelioRTP", "HelioRTSP", "HelioRemote", "HelioRemoteWire", "HelioSCTP",
                "HelioSDP", "HelioSession", "HelioSimulation", "HelioTransferWire",
            ]),
        tests(
            of: "HelioRTSPServer",
            needs: [
                "HelioCore", "HelioAdmission", "HelioMedia", "HelioOpenSSL", "HelioProtection", "HelioRTP", "HelioRTSP",
                "HelioSDP",
                "HelioSession", "HelioSimulation",
            ]),
        tests(
            of: "HelioRTSPClient",
            needs: [
                "HelioCore", "HelioAdmission", "HelioMedia", "HelioOpenSSL", "HelioProtection", "HelioRTP", "HelioRTSP",
                "HelioRTSPServer", "HelioSDP", "HelioSession", "HelioSimulation",
            ]),
        tests(
            of: "HelioPeer",
            needs: [
                "HelioCore", "HelioBitstream", "HelioICE", "HelioMedia", "HelioOpenSSL",
                "HelioProtection", "HelioRTP", "HelioSCTP", "HelioSDP", "HelioSimulation", "HelioSTUN", "HelioTURN",
            ]),
        // Reads screens of the apps as text, for any test.
        .target(
            name: "HelioScreenReading", dependencies: ["HelioAppModels"], path: "Tests/HelioScreenReading",
            swiftSettings: settings),
        tests(of: "HelioAppModels", needs: ["HelioScreenReading"], resources: [.copy("Screens")]),
        tests(
            of: "HelioHostFlow",
            needs: ["HelioAppModels", "HelioCore", "HelioScreenReading", "HelioTestPrograms", "Heliograph"],
            resources: [.copy("Screens")]),
        tests(
            of: "HelioBroadcastFlow",
            needs: [
                "HelioAppModels", "HelioAppleMedia", "HelioCore", "HelioExtension", "HelioScreenReading",
                "HelioTestPrograms", "Heliograph", "HelioLinuxSource", "HelioPatch",
            ],
            resources: [.copy("Screens")]),
        tests(
            of: "HelioViewerFlow",
            needs: ["HelioAppModels", "HelioCore", "HelioViewing", "Heliograph"], resources: [.copy("Screens")]),
        tests(
            of: "HelioWebRTC",
            needs: [
                "HelioCore", "ForeignPeers", "HelioPeer", "HelioPeerPort", "HelioSCTP",
                "HelioSoundCodecs", "HelioTestPrograms", "HelioTURN",
                nio, nioPosix, .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests(
            of: "ForeignPeers",
            needs: ["HelioCore", "HelioPeer", "HelioRTP", "HelioSDP", "HelioTestPrograms", "HeliographCommand"]),
        tests(
            of: "Heliograph",
            needs: [
                "HelioBitstream", "HelioCore", "HelioExtension", "HelioExtensionCommand", "HelioLinuxSink",
                "HelioLinuxSource", "HelioLoop", "HelioMedia", "HelioSession", "HelioSimulation", "HelioSound",
                "HelioTestPrograms", "HelioViewing", "HeliographCommand", "SendFile", "ViewScreen", "WriteFile",
            ]),
        // The page of Web/, in a real browser.
        .testTarget(
            name: "WebViewerTests",
            dependencies: [
                "HelioCore", "HelioAdmission", "HelioExtensionCommand", "HelioHost", "HelioLoop", "HelioServing",
                "HelioSession", "HelioSimulation", "HelioStores", "HelioTestPrograms", "Heliograph",
                "HelioAppleFakes", "HelioAppleMedia",
                "HeliographCommand",
                "HelioSoundCodecs",
                "HelioProtection", nio, nioPosix,
            ],
            path: "Tests/WebViewerTests", swiftSettings: settings),
        tests(
            of: "HelioLinuxSound",
            needs: [
                "HelioBitstream", "HelioBroadcast", "HelioCore", "HelioSRTLink", "HelioSound", "HelioSoundCodecs",
                "HelioTestPrograms", "COpus",
            ]),
        tests(
            of: "HelioLinuxClipboard",
            needs: ["HelioCore", "HelioTestPrograms", "HelioTransfer", "HelioTransferWire", "CXCB"]),
        tests(
            of: "HelioLinuxSource",
            needs: [
                "HelioCore", "HelioBitstream", "HelioLinuxSink", "HelioLinuxWaiting", "HelioPatch", "HelioTestPrograms",
                "CKeyGuard", "CXCB",
                "CX264", "CYUV", "CFFmpeg", "CQREncode",
            ]),
        tests(
            of: "HelioLinuxSink",
            needs: [
                "HelioCore", "HelioBitstream", "HelioLinuxWaiting", "HelioPatch", "HelioTestPrograms", "CFFmpeg",
                "CSDL2",
                "CLibYUV",
            ]),
        tests(
            of: "HelioAppleMedia",
            needs: [
                "HelioAppleFakes", "HelioCore", "HelioBitstream", "HelioMedia", "HelioSoundCodecs",
                // Real codecs for the fakes.
                .target(name: "HelioLinuxSource", condition: .when(platforms: [.linux])),
                .target(name: "HelioLinuxSound", condition: .when(platforms: [.linux])),
                .target(name: "HelioLinuxSink", condition: .when(platforms: [.linux])),
                .target(name: "CFFmpeg", condition: .when(platforms: [.linux])),
                .target(name: "CSDL2", condition: .when(platforms: [.linux])),
                .target(name: "CLibYUV", condition: .when(platforms: [.linux])),
            ]),
    ]
)

// Apple's frameworks are there on Apple's systems alone, and what only Linux has is not. Elsewhere script/check-apple
// type-checks Apple's targets against Testing/AppleStubs, and looks at what this makes of the package.
#if os(macOS)
extension Target.Dependency {
    /// The target's name; `nil` for a product of another package.
    var targetName: String? {
        switch self {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
    }
}

package.targets += [
    target(
        "HelioAppleSound", in: "Platforms", needs: ["HelioAppleMedia", "HelioBitstream", "HelioCore", "HelioMedia"]),
    target("HelioAppleSource", in: "Platforms", needs: ["HelioAppleMedia", "HelioAppleSound", "HelioCore"]),
    target("HelioAppleSink", in: "Platforms", needs: ["HelioAppleMedia", "HelioAppleSound", "HelioCore"]),
]
let places = ["HelioLinuxSource": "HelioAppleSource", "HelioLinuxSink": "HelioAppleSink"]
for target in package.targets where ["HelioViewing", "Heliograph"].contains(target.name) {
    target.dependencies = target.dependencies.map { one in
        one.targetName.flatMap { places[$0] }.map { .byName(name: $0) } ?? one
    }
}
// What Linux alone has, and what can't do without it.
var gone: Set = [
    "CAvahi", "CFFmpeg", "CKeyGuard", "CLibYUV", "CMalloc", "CPulse", "CQREncode", "CSDL2", "CX264", "CXCB", "CYUV",
    "HelioLinuxSink", "HelioLinuxSound", "HelioLinuxSource",
]
// These have another way, in `#if`.
let otherwise: Set = ["HelioAppleMediaTests", "HelioDiscovery"]
while let next = package.targets.first(where: { target in
    !gone.contains(target.name) && !otherwise.contains(target.name)
        && target.dependencies.contains { gone.contains($0.targetName ?? "") }
}) {
    gone.insert(next.name)
}
package.targets.removeAll { gone.contains($0.name) }
for target in package.targets {
    target.dependencies.removeAll { gone.contains($0.targetName ?? "") }
}
package.products.removeAll { $0.name == "helio-extension" }
// What script/build-apple-libraries has built stands in the place of what the system has: on iOS there is nothing else.
for name in ["CAVFormat", "COpenSSL", "COpus", "CSRT"] {
    let built = "Apps/Apple/Libraries/\(name).xcframework"
    guard FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + built) else { continue }
    package.targets.removeAll { $0.name == name }
    package.targets.append(.binaryTarget(name: name, path: built))
}
// What a broadcast extension codes its pictures by.
package.products.append(.library(name: "HelioAppleSource", targets: ["HelioAppleSource"]))
#endif
