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
        // The error of an attempt by the address and by the rendezvous server.
        #expect(!WakingConnector.maySleep(Self.unreachable(Self.unreachable(refused))))
        #expect(WakingConnector.maySleep(Self.unreachable(Self.unreachable())))
    }

    @Test("a host that has refused or ended the session is awake", arguments: [HelioError.Code.refused, .ended])
    func awake(code: HelioError.Code) {
        #expect(!WakingConnector.maySleep(HelioError(code, "No.")))
    }
}
