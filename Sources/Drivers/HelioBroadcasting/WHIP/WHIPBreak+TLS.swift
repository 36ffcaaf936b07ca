import HelioBroadcast
import HelioTLS

extension WHIPBreak: ServerTrustFailure {}
