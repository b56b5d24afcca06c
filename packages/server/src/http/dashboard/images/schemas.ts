/** The public URL of an uploaded image; null if it was removed. */
export interface ShownImage {
  /** The URL of the image; null if there is none. */
  image: string | null
}
