/** The limits of uploaded images. In a file of their own, because the web app checks them before it sends an image. */

export const MAX_IMAGE_BYTES = 10_000_000

/** The types that can be chosen in a file dialog. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml'
