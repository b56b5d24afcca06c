import { createHash } from 'node:crypto'
import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import type { Shop } from '../shop.ts'
import type { World } from '../world.ts'

const BYTES = 'application/octet-stream'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The smallest picture that there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const COLORS = ['#1f5f4a', '#c2185b', '#ffcc00'] as const
const ZONES = ['UTC', 'Europe/Berlin', 'Pacific/Auckland'] as const
const VERSIONS = ['first', 'second', 'third'] as const

async function idsOfFiles(world: World, shop: Shop, rid: string): Promise<string[]> {
  const { body } = await world.staff(shop, 'GET', `/resources/${rid}`)
  return ((body.files ?? []) as { id: string }[]).map(({ id }) => id)
}

/** Returns whether a change was made. The dashboard changes nothing in an archived application. */
function isDone(world: World, shop: Shop, status: number): boolean {
  requireThat(
    status === 200 ? !shop.isArchived : shop.isArchived || world.wasCut || world.hasFailed,
    'reference',
    `a change that staff make answered ${status}`,
  )
  return status === 200
}

/** Turns the order of the files around. The API has the first one. */
async function arrange(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { rid = 'r1' } = given
  const { version = VERSIONS[0] } = given
  const upload = `/resources/${rid}/files?name=${version}.txt&published=true`
  await world.staff(shop, 'POST', upload, `The ${version} part.`, BYTES)
  const ids = (await idsOfFiles(world, shop, rid)).reverse()
  if (ids.length < 2) return NOT_APPLICABLE
  const { status } = await world.staff(shop, 'PUT', `/resources/${rid}/files/order`, { ids })
  if (!isDone(world, shop, status)) return `${status}`
  const now = await idsOfFiles(world, shop, rid)
  requireThat(now.join() === ids.join(), 'reference', 'files are not in the order they were put in')
  const { status: found, body } = await world.call(shop, 'GET', '/r2/download/', { rid })
  const isFirst = found !== 200 || body.id === ids[0]
  requireThat(isFirst, 'agreement', 'the API has another file than the first one')
  return `${ids.length} files`
}

/** Puts other bytes in the place of a file. Its id, and the others, stay as they are. */
async function replace(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { rid = 'r1' } = given
  const ids = await idsOfFiles(world, shop, rid)
  const id = ids.at(-1)
  if (id === undefined) return NOT_APPLICABLE
  const text = `The ${given.version} edition.`
  const path = `/downloads/${id}/file?name=edition.txt`
  const { status } = await world.staff(shop, 'PUT', path, text, BYTES)
  if (!isDone(world, shop, status)) return `${status}`
  const { body } = await world.staff(shop, 'GET', `/downloads/${id}`)
  requireThat(body.sha256 === sha256(text), 'reference', 'a replaced file has other bytes')
  const now = await idsOfFiles(world, shop, rid)
  requireThat(
    now.join() === ids.join(),
    'reference',
    'replacing a file changes which ones there are',
  )
  return 'replaced'
}

/** Uploads a picture, which everybody can see, or takes it away. */
async function picture(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { rid = 'r1' } = given
  const [id] = given.of === 'file' ? await idsOfFiles(world, shop, rid) : []
  if (given.of === 'file' && id === undefined) return NOT_APPLICABLE
  const ofFile = `/downloads/${id}/image`
  const path = given.of === 'logo' ? '/settings/logo' : `/resources/${rid}/image`
  const at = given.of === 'file' ? ofFile : path
  if (given.verb === 'remove') {
    const { status } = await world.staff(shop, 'DELETE', at)
    return isDone(world, shop, status) ? 'removed' : `${status}`
  }
  const { status, body } = await world.staff(shop, 'PUT', at, PICTURE, BYTES)
  if (!isDone(world, shop, status)) return `${status}`
  const address = world.system.url + new URL(body.image as string).pathname
  const shown = await world.send('GET /images/:aid/:name', address)
  requireThat(shown.status === 200, 'agreement', 'a picture that was uploaded is not shown')
  return 'shown'
}

/** Changes what the pages look like. Every page of the application has the color at once. */
async function brand(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { accent = COLORS[0], zone = ZONES[0] } = given
  const input = { accent, time_zone: zone, support_email: 'help@example.com' }
  const { status, body } = await world.staff(shop, 'PATCH', '/settings', input)
  if (!isDone(world, shop, status)) return `${status}`
  requireThat(
    body.accent === accent && body.time_zone === zone,
    'reference',
    'a brand was not saved as it was entered',
  )
  const page = await world.send(
    'GET /checkout/:aid/:rid',
    `${world.system.url}/checkout/${shop.aid}/r1`,
    { headers: { accept: 'text/html' } },
  )
  requireThat(page.text.includes(accent), 'agreement', 'a page has another color than was saved')
  return `${page.status}`
}

const drawVersion: OperationKind['draw'] = (draw) => ({
  args: { ...draw.resource(), version: draw.pick(VERSIONS) },
})

/** Operations that change what readers see of an application. None of them changes who has access. */
export const shopWindowKinds: readonly OperationKind[] = [
  {
    name: 'arrange-files',
    weight: 0.5,
    reaches: ['staff PUT /resources/:rid/files/order'],
    draw: drawVersion,
    play: arrange,
  },
  {
    name: 'replace-file',
    weight: 0.5,
    reaches: ['staff PUT /downloads/:id/file'],
    draw: drawVersion,
    play: replace,
  },
  {
    name: 'picture',
    weight: 0.3,
    reaches: [
      'GET /images/:aid/:name',
      'staff PUT /settings/logo',
      'staff DELETE /settings/logo',
      'staff PUT /resources/:rid/image',
      'staff DELETE /resources/:rid/image',
      'staff PUT /downloads/:id/image',
      'staff DELETE /downloads/:id/image',
    ],
    draw: (draw) => ({
      args: args({
        ...draw.resource(),
        of: draw.pick(['logo', 'resource', 'file']),
        verb: draw.chance(0.3) ? 'remove' : undefined,
      }),
    }),
    play: picture,
  },
  {
    name: 'brand',
    weight: 0.3,
    reaches: ['staff PATCH /settings'],
    draw: (draw) => ({
      args: { app: draw.app(), accent: draw.pick(COLORS), zone: draw.pick(ZONES) },
    }),
    play: brand,
  },
]
