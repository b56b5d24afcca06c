import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import { rememberLink } from '../reader-links.ts'
import type { Args } from '../script.ts'
import { visit } from '../visit.ts'
import type { World } from '../world.ts'

async function publish(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { rid = 'r1' } = given
  const path = `/resources/${rid}/files?name=issue.txt&published=true`
  const { status } = await world.staff(
    shop,
    'POST',
    path,
    'The whole issue.',
    'application/octet-stream',
  )
  return `${status}`
}

/** A link that is bound to somebody's access must deliver exactly while that person has access. */
async function download(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  const { rid = 'r1' } = given
  if (userRef === undefined) return NOT_APPLICABLE
  const at = given.spelling === 'other' ? '/r2/download' : '/r2/download/'
  const shown = await world.call(shop, 'GET', at, { rid })
  const input = { rid, user_ref: userRef, lifetime: 600 }
  const path = given.spelling === 'other' ? '/r2/download/url' : '/r2/downloads/url'
  const { status, body } = await world.call(shop, 'GET', path, input)
  if (status !== 200) return `${shown.status} ${status}`
  const check = await world.call(shop, 'GET', '/r2/access', { rid, user_ref: userRef })
  rememberLink(world, shop, check.body.uid as string | undefined, body.url as string)
  const file = await world.send('GET /d/:token', body.url as string)
  const isRight = (file.status === 200) === (check.status === 200)
  requireThat(
    isRight,
    'agreement',
    'a bound link delivers to whom a check refuses, or the reverse',
    () => ({
      rid,
      userRef,
      check: check.status,
      file: file.status,
    }),
  )
  return `${shown.status} ${file.status}`
}

/** The page with a reader's files must have them exactly while that person has access. */
async function readerFiles(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  const { rid = 'r1' } = given
  if (userRef === undefined) return NOT_APPLICABLE
  const options = ['--aid', shop.aid, '--rid', rid, '--user-ref', userRef]
  const { code, stdout } = await world.command('download', 'page', ...options)
  const check = await world.call(shop, 'GET', '/r2/access', { rid, user_ref: userRef })
  if (code !== 0) return `${check.status}`
  // A command does not know at which port the service of a test listens.
  const link = world.system.url + new URL(stdout.trim()).pathname
  rememberLink(world, shop, check.body.uid as string | undefined, link)
  const page = await world.send('GET /files/:token', link, { headers: { accept: 'text/html' } })
  const isRight = (page.status === 200) === (check.status === 200)
  requireThat(isRight, 'agreement', 'the page of files opens to whom a check refuses', () => ({
    ...{ rid, userRef, check: check.status, page: page.status },
  }))
  const [, file] = /action="[^"/]+\/([A-Za-z0-9]+)"/.exec(page.text) ?? []
  if (file === undefined) return `${check.status} ${page.status}`
  const one = await visit(world, 'GET /files/:token/:id', `${link}/${file}`)
  const { location } = await visit(world, 'POST /files/:token/:id', `${link}/${file}`, {})
  const sent = await world.send('GET /d/:token', location ?? '')
  requireThat(sent.status === 200, 'agreement', 'a file that is on the page is not delivered')
  return `${check.status} ${page.status} ${one.status} ${sent.status}`
}

export const fileKinds: readonly OperationKind[] = [
  {
    name: 'publish',
    weight: 1,
    reaches: ['staff POST /resources/:rid/files'],
    draw: (draw) => ({ args: { ...draw.resource() } }),
    play: publish,
  },
  {
    name: 'download',
    weight: 2,
    reaches: [
      'GET /r2/download/',
      'GET /r2/download',
      'GET /r2/downloads/url',
      'GET /r2/download/url',
      'GET /d/:token',
    ],
    draw: (draw) => ({
      args: args({
        ...draw.resource(),
        ref: draw.ref(),
        spelling: draw.chance(0.3) ? 'other' : undefined,
      }),
    }),
    play: download,
  },
  {
    name: 'reader-files',
    weight: 1,
    reaches: [
      'gatehouse download page',
      'GET /files/:token',
      'GET /files/:token/:id',
      'POST /files/:token/:id',
    ],
    draw: (draw) => ({ args: args({ ...draw.resource(), ref: draw.ref() }) }),
    play: readerFiles,
  },
]
