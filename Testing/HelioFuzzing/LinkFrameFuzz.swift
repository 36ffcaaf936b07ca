import HelioCore
import HelioLinks

/// Fuzzes a bundle of links with the datagrams of somebody who does not know its key: they must change nothing but the
/// counts of drops, whatever the bundle does meanwhile.
package enum LinkFrameFuzz {
    package static func run(_ bytes: [UInt8]) {
        var run = LinkBundleRun((bytes.first ?? 0) & 1 == 0 ? .host : .viewer)
        var steps = FuzzSteps(bytes, from: 1)
        while let (what, argument) = steps.next() {
            let link = LinkID(what >> 4 & 3)
            switch what & 15 {
            case 0...3: forge([0xC0 | what & 3] + steps.takeBytes(argument), on: link, &run)
            case 4: forge(steps.takeBytes(argument), on: link, &run)
            case 5: forge([what] + [UInt8](repeating: what, count: argument * 16), on: link, &run)
            case 6: run.feed(.send(.control, steps.takeBytes(argument)))
            case 7: run.feed(.stream(steps.takeBytes(argument)))
            default: run.pass(.milliseconds(argument))
            }
        }
    }

    private static func forge(_ frame: [UInt8], on link: LinkID, _ run: inout LinkBundleRun) {
        let before = run.bundle.statistics
        let received = run.received
        run.feed(.received(frame, on: link))
        // Media and control are handed over as they are: the session checks them.
        guard ![0xC0, 0xC1].contains(frame.first) else {
            return precondition(run.received <= received + 1, "a datagram was doubled")
        }
        let after = run.bundle.statistics
        precondition(run.received == received, "a forged frame became a datagram")
        precondition(before.links == after.links, "a forged frame changed what is known of a link")
        precondition(before.media == after.media && before.control == after.control, "a forged frame moved the session")
    }
}
