// What went wrong, in words that say what to do. Reasons are those of docs/web/protocol.md; one that is not known is
// shown as it is.

const REFUSALS = {
    "wrong-proof":
        "The code is not the one that the host shows now. Each code lets one viewer in; then there is a new one.",
    "link-used": "This link has been used: each lets one viewer in. The host shows a new one.",
    "damaged-link": "The link is not whole. Copy it again from the host, or type the code that it shows.",
    "unknown-device": "The host does not know this browser any more. Type its code, or pair again.",
    "too-many-tries": "The host has seen too many wrong tries. Wait a minute, then try again.",
    "too-many-viewers": "As many watch already as the host allows. Try again when somebody has left.",
    "pairing-off": "Nobody is at the host to compare codes. Type the code that it shows.",
    "pairing-busy": "The host is pairing with somebody else. Try again in a minute.",
    "pairing-too-many-tries": "The host has seen too many tries. Wait a minute, then try again.",
    "pairing-too-many-devices": "The host knows as many devices as it can. One has to be revoked there first.",
    "pairing-mismatch": "The two ends did not see the same: somebody may be in between. Nothing was stored.",
    "pairing-malformed": "The host has refused what came in. Nothing was stored.",
    "pairing-out-of-order": "The host has refused what came in. Nothing was stored.",
    "pairing-denied": "The person at the host has said no.",
    "pairing-timed-out": "Nobody has said yes in time. Try again with both screens in sight.",
    "other-certificate": "This connection is not the one that was let in: somebody may be in between.",
};

const BYES = {
    "ended": "The host has stopped sharing.",
    "other-codec": "The host has gone on to a codec that this browser can't show.",
    "put-out": "The host has put you out.",
    "revoked": "This browser's pairing was revoked at the host.",
};

/**
 * @param {import("./session.js").Ending} ending
 * @returns {{title: string, text: string}}
 */
export function wordsFor({kind, reason = "", what = ""}) {
    switch (kind) {
    case "refused": return {title: "Not let in", text: REFUSALS[reason] ?? `The host refused: ${reason}.`};
    case "bye": return {title: "Ended", text: BYES[reason] ?? `The host has ended the session: ${reason}.`};
    case "restarted": return {title: "Sharing began anew", text: "The host was started again and shows a new code."};
    case "impostor": return {
        title: "Not the host",
        text: "Who answers here does not know the host's secret: somebody may be in between. The connection was ended.",
    };
    case "violation": return {
        title: "Not understood",
        text: `What answers here does not speak this page's language: ${what}. `
            + "Reload the page if the host was updated.",
    };
    case "declined": return {title: "The host hung up", text: `It says: ${what}.`};
    case "unreachable": return {
        title: "Host not reached", text: "Nothing answers. The host may be off, asleep or on another network.",
    };
    case "no-path": return {
        title: "No way through",
        text: "The host let this browser in, but no picture can reach it. "
            + "A firewall or VPN may block UDP between the two.",
    };
    case "lost": return {title: "Connection lost", text: "The host does not answer any more."};
    case "no-codec": return {
        title: "No H.264 here",
        text: "This browser can't show H.264 video. Try Chrome, Edge or Safari; "
            + "in Firefox, let it install OpenH264 and reload.",
    };
    case "no-webrtc": return {
        title: "WebRTC is off",
        text: "This browser has no WebRTC, or an extension or setting turns it off. "
            + "Turn it on for this page and reload.",
    };
    default: return {title: "Ended", text: "You have left."};
    }
}
