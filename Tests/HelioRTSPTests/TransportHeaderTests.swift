import HelioCore
import HelioRTSP
import Testing

struct TransportHeaderTests {
    @Test func everyParameter() throws {
        let text =
            "RTP/SAVPF/UDP;unicast;client_port=5000-5001;server_port=6000;ssrc=0BADCAFE;"
            + "x=\"a;b,c\";y;mode=\"PLAY\""
        let transport = try #require(TransportHeader.list(text)?.first)
        #expect(transport.transport == "RTP/SAVPF/UDP")
        #expect(transport.delivery == .unicast)
        #expect(transport.clientPorts == 5000...5001)
        #expect(transport.serverPorts == 6000...6000)
        #expect(transport.ssrc == SSRC(0x0BAD_CAFE))
        #expect(transport.others == [.init("x", "\"a;b,c\""), .init("y")])
        #expect(transport.mode == "PLAY")
        #expect(transport.value == text)
    }

    @Test func listInOrder() throws {
        let list = try #require(
            TransportHeader.list("RTP/AVP; multicast ;MODE=record , RTP/AVP/TCP;interleaved=0-1"))
        #expect(list.map(\.transport) == ["RTP/AVP", "RTP/AVP/TCP"])
        #expect(list.map(\.delivery) == [.multicast, nil])
        #expect(list[0].mode == "record")
        #expect(list[1].interleaved == 0...1)
        #expect(list.map(\.value) == ["RTP/AVP;multicast;mode=\"record\"", "RTP/AVP/TCP;interleaved=0-1"])
    }

    @Test(arguments: [
        "", ";", ",", "RTP/AVP,", "RTP//AVP", "/", "RTP AVP", "RTP/AVP;", "RTP/AVP;;unicast", "RTP/AVP;unicast=1",
        "RTP/AVP;unicast;multicast", "RTP/AVP;unicast;unicast", "RTP/AVP;client_port", "RTP/AVP;client_port=",
        "RTP/AVP;client_port=2-1", "RTP/AVP;client_port=1-", "RTP/AVP;client_port=-1", "RTP/AVP;client_port=65536",
        "RTP/AVP;client_port=1-2-3", "RTP/AVP;client_port=+1", "RTP/AVP;interleaved=256", "RTP/AVP;ssrc=",
        "RTP/AVP;ssrc=123456789", "RTP/AVP;ssrc=+1", "RTP/AVP;ssrc=xyz", "RTP/AVP;mode", "RTP/AVP;mode=\"",
        "RTP/AVP;mode=a\"b;c\"", "RTP/AVP;x=\"a", "RTP/AVP;x=1;X=2", "RTP/AVP;=1", "RTP/AVP;a b=1",
        Array(repeating: "RTP/AVP", count: 17).joined(separator: ","),
    ])
    func refused(text: String) {
        #expect(TransportHeader.list(text) == nil)
    }

    @Test func session() {
        #expect(RTSPSessionHeader("12345678") == RTSPSessionHeader(id: "12345678"))
        #expect(RTSPSessionHeader("ab-c_d.e ; timeout=60") == RTSPSessionHeader(id: "ab-c_d.e", timeout: 60))
        #expect(RTSPSessionHeader("a;x=1;Timeout=5")?.value == "a;timeout=5")
    }

    @Test(arguments: [
        "", ";timeout=5", "a b", "a;timeout", "a;timeout=", "a;timeout=-5", "a;timeout=5s", "a;timeout=1;timeout=2",
        String(repeating: "a", count: 129),
    ])
    func refusedSession(text: String) {
        #expect(RTSPSessionHeader(text) == nil)
    }
}
