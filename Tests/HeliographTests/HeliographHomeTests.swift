import Testing

@testable import HelioSharing

@Suite("The folder of keys and pairings")
struct HeliographHomeTests {
    @Test(
        "lies in $HOME, or in the home that the system knows where that is no folder",
        arguments: [("/elsewhere", "/elsewhere"), (nil, "/root"), ("", "/root"), ("here", "/root"), ("/", "/root")]
            as [(String?, String)])
    func home(variable: String?, folder: String) {
        #expect(HeliographHome.userFolder(variable, "/root") == folder)
    }
}
