import Foundation
import HelioCore
import Testing

@testable import HelioViewing

@Suite("Which host may sleep")
struct WakingConnectorTests {
    private static func unreachable(_ cause: (any Error)? = nil) -> HelioError {
        HelioError(.unreachable, "The host can't be reached.", cause: cause)
    }

    @Test("a host that does not answer may sleep; one whose machine refuses the connection is awake")
    func maySleep() {
        let refused = POSIXError(.ECONNREFUSED)
        let noRoute = POSIXError(.EHOSTUNREACH)
        #expect(WakingConnector.maySleep(Self.unreachable()))
        #expect(WakingConnector.maySleep(Self.unreachable(noRoute)))
        #expect(!WakingConnector.maySleep(Self.unreachable(refused)))
        #expect(!WakingConnector.maySleep(Self.unreachable(Self.unreachable(refused))))
        #expect(WakingConnector.maySleep(Self.unreachable(Self.unreachable())))
    }

    @Test(
        "without a network here, nobody was asked", arguments: [POSIXError.Code.ENETUNREACH, .ENETDOWN, .EADDRNOTAVAIL])
    func noNetwork(code: POSIXError.Code) {
        #expect(!WakingConnector.maySleep(Self.unreachable(POSIXError(code))))
    }

    @Test("the rendezvous server's word that the host is offline comes before that of the address")
    func bothWays() {
        let offline = HelioError(.unreachable, "The host is not online.", reason: HelioError.offline)
        let serverLost = Self.unreachable(POSIXError(.ENETUNREACH))
        func both(_ addresses: POSIXError.Code, _ call: HelioError) -> Bool {
            let failures = HostConnector.Failures(addresses: Self.unreachable(POSIXError(addresses)), call: call)
            return WakingConnector.maySleep(Self.unreachable(failures))
        }
        // Another machine of the same private address, in a foreign network.
        #expect(both(.ECONNREFUSED, offline))
        #expect(both(.ENETUNREACH, offline))
        #expect(!both(.ECONNREFUSED, serverLost))
        #expect(!both(.ENETUNREACH, serverLost))
        #expect(both(.EHOSTUNREACH, serverLost), "the network here is one without the internet")
        #expect(WakingConnector.maySleep(offline), "a host that is only called")
    }

    @Test("a host that has refused or ended the session is awake", arguments: [HelioError.Code.refused, .ended])
    func awake(code: HelioError.Code) {
        #expect(!WakingConnector.maySleep(HelioError(code, "No.")))
    }
}
