// swift-tools-version: 6.2
import Foundation
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

// Which targets these are and what they need is said in the table of the package above; its grammar is said there, too.
// SwiftPM reads this manifest anew only when its own text or the environment is another, so script/fuzz puts a checksum of
// the table's file there.
let above = Context.packageDirectory + "/../Package.swift"
guard let text = try? String(contentsOfFile: above, encoding: .utf8) else { fatalError("\(above) can't be read") }
let table = text.split(separator: "\n").drop { $0 != "let table = \"\"\"" }.dropFirst().prefix { $0 != "\"\"\"" }
guard !table.isEmpty else { fatalError("\(above) has no table") }
let rows = table.filter { !$0.hasPrefix("#") }.reduce(into: [String]()) { rows, line in
    if line.hasPrefix(" ") { rows[rows.count - 1] += line } else { rows.append(String(line)) }
}

let fuzzed = rows.compactMap { row -> Target? in
    let words = row.prefix { $0 != "|" }.split(separator: " ").map(String.init)
    let (name, floor) = (words[0], words[1].prefix { $0 != "/" })
    guard ["Core", "Wire", "Engines"].contains(floor) || ["HelioFuzzing", "HelioReceivers"].contains(name) else {
        return nil
    }
    let needs = words.dropFirst(2).map { word -> Target.Dependency in
        word == "DequeModule"
            ? .product(name: word, package: "swift-collections")
            : .byName(name: word.hasPrefix("Helio") ? word : "Helio" + word)
    }
    return .target(name: name, dependencies: needs, path: "Sources/\(floor)/\(name)", swiftSettings: instrumented)
}

let package = Package(
    name: "heliograph-fuzz",
    platforms: [.macOS(.v26)],
    products: [.executable(name: "helio-fuzz", targets: ["HelioFuzz"])],
    dependencies: [.package(url: "https://github.com/apple/swift-collections", from: "1.6.0")],
    targets: fuzzed + [
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "HelioFuzz", dependencies: ["HelioFuzzing", "CLibFuzzer"], swiftSettings: settings,
            // Gold, the default, warns about each of the sanitizer's symbols.
            linkerSettings: [.unsafeFlags(["-sanitize=address,fuzzer", "-use-ld=lld"], .when(platforms: [.linux]))]),
    ]
)
