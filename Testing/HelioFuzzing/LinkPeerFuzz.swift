import HelioCore
import HelioLinks

/// Fuzzes a bundle of links with frames of a peer that knows the key and keeps to nothing: probes with any fields, SCTP
/// packets with any chunks, sealed messages of any length and frames on the wrong link, while links come and go.
package enum LinkPeerFuzz {
    package static func run(_ bytes: [UInt8]) {
        var run = LinkBundleRun((bytes.first ?? 0) & 1 == 0 ? .host : .viewer)
        var steps = FuzzSteps(bytes, from: 1)
        while let (what, argument) = steps.next() {
            let link = LinkID(what >> 4 & 3)
            switch what & 15 {
            case 0: run.feed(sealed: steps.takeBytes(argument), 0xC3, on: link)
            case 1: run.feed(sealed: probe(argument, steps.takeBytes(5)), 0xC3, on: link)
            case 2: run.feed(sealed: steps.takeBytes(argument), 0xC2, on: link)
            case 3, 4: run.feed(chunks: steps.takeBytes(argument), on: link)
            case 5: run.feed(.received([0xC0 | what >> 6] + steps.takeBytes(argument), on: link))
            case 6: run.feed(.send(argument & 1 == 0 ? .media : .control, steps.takeBytes(argument)))
            case 7: run.feed(.stream([UInt8](repeating: what, count: argument * 64)))
            case 8: run.feed(.up(link, LinkBundleRun.links[link] ?? LinkTraits(kind: .relayed)))
            case 9: run.feed(.down(link))
            case 10: run.feed(.changed(link, LinkTraits(kind: .narrow, width: .kilobits(argument))))
            case 11: run.feed(.holdStream(argument & 1 == 0))
            case 12: if argument > 200 { run.feed(.end) }
            default: run.pass(.milliseconds(argument * argument / 4))
            }
        }
    }

    /// A probe with fields near those that the bundle expects.
    private static func probe(_ argument: Int, _ fields: [UInt8]) -> [UInt8] {
        func field(_ index: Int) -> UInt64 { UInt64(index < fields.count ? fields[index] : 0) }
        // The kinds are 1 ... 4; one beside them.
        var bytes: [UInt8] = [UInt8(argument % 5 + 1), UInt8(argument / 5 & 3)]
        bytes.append(bigEndian: field(0) == 255 ? .max : field(0))
        bytes.append(bigEndian: UInt32(field(1)))
        bytes.append(bigEndian: field(2) == 255 ? .max : field(2))
        bytes.append(bigEndian: field(3) == 255 ? .max : UInt32(field(3)))
        bytes.append(bigEndian: field(4) == 255 ? .max : UInt32(field(4)))
        return bytes
    }
}
