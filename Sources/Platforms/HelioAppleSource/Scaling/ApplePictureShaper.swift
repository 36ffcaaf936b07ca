package import HelioAppleMedia

/// Scales and turns captured pictures on Apple's systems, by sessions of VideoToolbox.
package typealias ApplePictureShaper = PictureShaper<ApplePictureTransfers>
