import HelioBroadcast
import HelioTLS

extension RTMPFailure: ServerTrustFailure {}
