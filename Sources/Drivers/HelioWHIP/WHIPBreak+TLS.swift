import HelioTLS
import HelioWHIPLink

extension WHIPBreak: ServerTrustFailure {}
