// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Coverage-guided fuzzing of code that parses network input: `script/fuzz`. The sources under test are compiled a
// second time here, through links, because the fuzzer must instrument all of their branches.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Optimised, since fuzzing needs speed, but with assertions and memory checks.
let instrumented =
    settings + [
        .unsafeFlags([
            "-O", "-assert-config", "Debug", "-sanitize=address",
            "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table",
        ])
    ]

// The table of the package above lists these targets with their dependencies, and explains its grammar. SwiftPM
// evaluates this manifest again only if its own text or the environment has changed, so script/fuzz passes a checksum
// of the table's file in the environment.
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
            // Gold, the default linker, warns about each of the sanitizer's symbols.
            linkerSettings: [.unsafeFlags(["-sanitize=address,fuzzer", "-use-ld=lld"], .when(platforms: [.linux]))]),
    ]
)
