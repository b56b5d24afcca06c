/** The public URL of an uploaded image; null if it was removed. */
export interface ShownImage {
  image: string | null
}
