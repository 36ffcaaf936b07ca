internal import HelioAdmission
internal import HelioCore
internal import HelioSharing

extension ProtectionOptions {
    /// The suite for a sink's engine. Throws `invalidArgument` if the target is another program's stream.
    func suiteOptions(for target: ViewTarget) throws(HelioError) -> SuiteOptions {
        if target.isForeign {
            throw HelioError(
                .invalidArgument, "A suite belongs to a Heliograph host, not to another program's stream.",
                remedy: .leaveOutSuite)
        }
        return try suiteOptions()
    }
}
