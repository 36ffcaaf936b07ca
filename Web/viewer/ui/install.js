// The page as an app of its own: browsers install pages that name a manifest, and none that came by plain HTTP. Those
// don't name it, so that nothing is fetched in vain.

/** @param {Document} page @param {boolean} isSecure `isSecureContext` */
export function offerInstallation(page, isSecure) {
    if (!isSecure) return;
    const link = page.createElement("link");
    link.rel = "manifest";
    link.href = "manifest.webmanifest";
    page.head.append(link);
}
