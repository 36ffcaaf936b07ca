import HelioRTMPLink
import HelioTLS

extension RTMPFailure: ServerTrustFailure {}
