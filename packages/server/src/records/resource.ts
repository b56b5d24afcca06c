import type { ResourceRow } from '../domain/resources/resources.ts'

/** A resource for the dashboard. */
export function resourceItem(row: ResourceRow) {
  const { rid, name, url, description, image, created, archived } = row
  return { rid, name, url, description, image, created, archived }
}

/** The same for the command line, in the form that it always had. */
export function resourceDetails(row: ResourceRow) {
  const { rid, name, url, created } = resourceItem(row)
  return { aid: row.aid, rid, name, url, created }
}
