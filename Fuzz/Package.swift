// swift-tools-version: 6.2
import PackageDescription

// Coverage-guided fuzzing of what reads the network: `script/fuzz`. The sources under test are compiled here a second
// time, through links, because the fuzzer has to see every branch of theirs.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Optimised, as fuzzing lives from speed, but with assertions, and with memory checked.
let instrumented =
    settings + [
        .unsafeFlags([
            "-O", "-assert-config", "Debug", "-sanitize=address",
            "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table",
        ])
    ]

func target(_ name: String, in floor: String, needs: [Target.Dependency] = ["HelioCore"]) -> Target {
    .target(name: name, dependencies: needs, path: "Sources/\(floor)/\(name)", swiftSettings: instrumented)
}

let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")

let package = Package(
    name: "heliograph-fuzz",
    platforms: [.macOS(.v26)],
    products: [.executable(name: "helio-fuzz", targets: ["HelioFuzz"])],
    dependencies: [.package(url: "https://github.com/apple/swift-collections", from: "1.6.0")],
    targets: [
        target("HelioCore", in: "Core", needs: []),
        target("HelioBitstream", in: "Wire"),
        target("HelioRTP", in: "Wire", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioSDP", in: "Wire"),
        target("HelioRTSP", in: "Wire", needs: ["HelioCore", "HelioRTP"]),
        target("HelioSTUN", in: "Wire"),
        target("HelioMDNS", in: "Wire"),
        target("HelioControlWire", in: "Wire"),
        target("HelioJSON", in: "Wire"),
        target("HelioRemoteWire", in: "Wire", needs: ["HelioCore", "HelioControlWire", "HelioJSON"]),
        target("HelioMPEGTS", in: "Wire", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioRTMP", in: "Wire", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioRelayWire", in: "Wire"),
        target("HelioTransferWire", in: "Wire"),
        target("HelioProtection", in: "Engines"),
        target("HelioBroadcast", in: "Engines", needs: [deque, "HelioCore", "HelioBitstream"]),
        target(
            "HelioSRTLink", in: "Engines", needs: ["HelioCore", "HelioBroadcast", "HelioMPEGTS", "HelioProtection"]),
        target(
            "HelioRTMPLink", in: "Engines",
            needs: ["HelioBroadcast", "HelioCore", "HelioProtection", "HelioRTMP"]),
        target("HelioWHIPLink", in: "Engines", needs: ["HelioBroadcast", "HelioCore", "HelioProtection"]),
        target(
            "HelioRemote", in: "Engines",
            needs: [deque, "HelioCore", "HelioControlWire", "HelioProtection", "HelioRemoteWire"]),
        target("HelioAdmission", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioRTSP"]),
        target("HelioICE", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioSTUN"]),
        target("HelioTURN", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioSTUN"]),
        target(
            "HelioMedia", in: "Engines",
            needs: [deque, "HelioCore", "HelioBitstream", "HelioRTP", "HelioSDP"]),
        target("HelioPatch", in: "Engines", needs: ["HelioCore", "HelioBitstream"]),
        target("HelioSCTP", in: "Engines", needs: [deque, "HelioCore", "HelioProtection"]),
        target("HelioRelay", in: "Engines", needs: [deque, "HelioCore", "HelioBitstream", "HelioRelayWire"]),
        target(
            "HelioTransfer", in: "Engines", needs: [deque, "HelioCore", "HelioProtection", "HelioTransferWire"]),
        target(
            "HelioSession", in: "Engines",
            needs: [
                deque,
                "HelioCore", "HelioBitstream", "HelioRTP", "HelioSDP", "HelioRTSP", "HelioControlWire",
                "HelioRemoteWire", "HelioProtection", "HelioAdmission", "HelioRemote", "HelioMedia",
            ]),
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
                "HelioRemoteWire", "HelioSCTP", "HelioSDP", "HelioSession",
            ]),
        target(
            "HelioFuzzing", in: "Testing",
            needs: [
                deque,
                "HelioCore", "HelioBitstream", "HelioRTP", "HelioSDP", "HelioRTSP", "HelioSTUN", "HelioMDNS",
                "HelioControlWire", "HelioJSON", "HelioRemoteWire", "HelioProtection", "HelioAdmission", "HelioRemote",
                "HelioICE", "HelioTURN", "HelioSCTP", "HelioSession", "HelioRTSPServer", "HelioRTSPClient", "HelioPeer",
                "HelioHost", "HelioMedia", "HelioMPEGTS", "HelioRTMP", "HelioBroadcast", "HelioSRTLink",
                "HelioRTMPLink", "HelioPatch",
                "HelioRelay", "HelioRelayWire", "HelioTransfer", "HelioTransferWire", "HelioWHIPLink",
            ]),
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "HelioFuzz", dependencies: ["HelioFuzzing", "CLibFuzzer"], swiftSettings: settings,
            // Gold, the default, warns about each of the sanitizer's symbols.
            linkerSettings: [.unsafeFlags(["-sanitize=address,fuzzer", "-use-ld=lld"], .when(platforms: [.linux]))]),
    ]
)
