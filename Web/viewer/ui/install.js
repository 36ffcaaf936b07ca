// Adds the manifest that lets browsers install the page as an app. It is added to secure pages only, because browsers install
// no others, and would fetch it in vain.

/** @param {Document} page @param {boolean} isSecure `isSecureContext` */
export function offerInstallation(page, isSecure) {
    if (!isSecure) return;
    const link = page.createElement("link");
    link.rel = "manifest";
    link.href = "manifest.webmanifest";
    page.head.append(link);
}
