import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The page at every kind of address, in a browser on another machine or on the host itself.
@Suite("In a browser: IPv4, IPv6, both", .serialized, .timeLimit(.minutes(5)), .tags(.quiet))
struct AddressTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var host: [String] = []
        var viewer: [String] = []
        /// The addresses at which the page is opened, that of the link first.
        var places: [String]
        /// True if the browser runs on the host itself.
        var isLocal = false
    }

    private static let cases = [
        Case(testDescription: "IPv4", host: ["10.98.0.1/24"], viewer: ["10.98.0.2/24"], places: ["10.98.0.1"]),
        Case(testDescription: "IPv6", host: ["fd00:98::1/64"], viewer: ["fd00:98::2/64"], places: ["[fd00:98::1]"]),
        Case(
            testDescription: "both", host: ["10.98.0.1/24", "fd00:98::1/64"],
            viewer: ["10.98.0.2/24", "fd00:98::2/64"], places: ["10.98.0.1", "[fd00:98::1]"]),
        Case(
            testDescription: "no IPv4 but loopback", host: ["fd00:98::1/64"], viewer: ["fd00:98::2/64"],
            places: ["[fd00:98::1]", "127.0.0.1", "localhost", "[::1]"], isLocal: true),
    ]

    @Test("the page and its picture, by each of the host's addresses", arguments: cases)
    func picture(_ network: Case) throws {
        let host = try NetworkedHost(network.host, beside: network.viewer)
        let browser = try Browser(on: network.isLocal ? host.host : host.viewer)
        for (index, place) in network.places.enumerated() {
            let link = try host.nextLink()
            let prefix = "http://\(network.places[0]):8080/"
            #expect(link.hasPrefix(prefix + "#"), "\(link)")
            let page = try browser.page()
            try page.open("http://\(place):8080/" + link.dropFirst(prefix.count))
            try WebViewer(page, of: host.size).waitForPicture()
            let problems = try page.problems()
            #expect(problems == [], "place \(index)")
            try page.close()
        }
    }
}
