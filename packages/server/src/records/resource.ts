import type { ResourceRow } from '../domain/resources/resources.ts'
import { imageUrl } from '../image-url.ts'

/** Wide enough for a card on a sharp screen. */
const IMAGE_WIDTH = 800

/** A resource for the dashboard. */
export function resourceItem(site: { fileAddress(): string }, row: ResourceRow) {
  const { aid, rid, name, url, description, image: linked_image, image_id, created, archived } = row
  const image = image_id === null ? linked_image : imageUrl(site, aid, image_id, IMAGE_WIDTH)
  return { rid, name, url, description, image, linked_image, created, archived }
}

/** The same for the command line, in the form that it always had. */
export function resourceDetails(row: ResourceRow) {
  const { aid, rid, name, url, created } = row
  return { aid, rid, name, url, created }
}
