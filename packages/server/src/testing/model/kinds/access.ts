import { writeFileSync } from 'node:fs'
import { args } from '../draw.ts'
import { catchUp } from '../event-oracles.ts'
import { requireThat } from '../failure.ts'
import { FOREVER } from '../holdings.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Person } from '../reference.ts'
import type { Args } from '../script.ts'
import { DAY, type Shop } from '../shop.ts'
import { syncModel } from '../sync-model.ts'
import type { World } from '../world.ts'

const LATEST_SECOND = 253_402_300_799

interface Granted {
  status: number
  uid: string | undefined
  expires: number | undefined
}

type GrantMethod = (world: World, shop: Shop, input: GrantInput) => Promise<Granted>

interface GrantInput {
  rid: string
  email: string
  user_ref: string | undefined
  expires: number | undefined
  tags: string | undefined
}

const GRANT_METHODS: Record<string, GrantMethod> = {
  async api(world, shop, { expires, ...input }) {
    const given = { ...input, expiration: expires }
    const { status, body } = await world.call(shop, 'POST', '/r2/access/grant', given)
    const record = body as { uid?: string; expires?: number }
    return { status, uid: record.uid, expires: record.expires }
  },
  async dashboard(world, shop, { expires, ...input }) {
    const given = { ...input, ...(expires === undefined ? {} : { expires }) }
    const { status, body } = await world.staff(shop, 'POST', '/access/grant', given)
    const record = body as { uid?: string; expires?: number | null }
    return { status, uid: record.uid, expires: record.expires ?? undefined }
  },
  async cli(world, { aid }, { rid, email, user_ref, expires, tags }) {
    const option = (name: string, value: unknown) =>
      value === undefined ? [] : [name, String(value)]
    const { code, stdout } = await world.command(
      ...['access', 'grant', '--aid', aid, '--rid', rid, '--email', email, '--json'],
      ...option('--user-ref', user_ref),
      ...option('--expires', expires),
      ...option('--tags', tags),
    )
    if (code !== 0) return { status: 402, uid: undefined, expires: undefined }
    const record = JSON.parse(stdout) as { uid: string; expires?: number }
    return { status: 200, uid: record.uid, expires: record.expires }
  },
}

async function grant(world: World, given: Args, label: string | undefined): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  if (given.ref !== undefined && userRef === undefined) return NOT_APPLICABLE
  const { rid = 'r1', email = '', days } = given
  const expires = days === undefined ? undefined : world.now + Number(days) * DAY
  const input: GrantInput = { rid, email, user_ref: userRef, expires, tags: given.tags }
  const done = await (GRANT_METHODS[given.via ?? 'api'] as GrantMethod)(world, shop, input)
  if (userRef !== undefined) shop.names.add(userRef)
  if (shop.isArchived) return `${done.status}`
  const expected = shop.reference.grant(rid, email, userRef, expires ?? FOREVER)
  requireThat(
    world.wasCut || done.status === expected.status,
    'reference',
    `a grant must be a ${expected.status}`,
    () => ({
      input,
      done,
    }),
  )
  if (expected.person) noteUid(world, shop, expected.person, done.uid, label)
  return `${done.status} ${(done.expires ?? LATEST_SECOND) - world.now}`
}

/** Requires that the response names the person whom the model expects, or somebody new. */
function noteUid(
  world: World,
  shop: Shop,
  person: Person,
  uid: string | undefined,
  label: string | undefined,
): void {
  if (uid === undefined) return
  const isSame = person.uid === undefined ? !shop.reference.isUid(uid) : person.uid === uid
  requireThat(isSame, 'reference', 'a grant went to another user than its names say', () => ({
    expected: person.uid ?? 'a new user',
    uid,
  }))
  person.uid = uid
  shop.names.add(uid)
  if (label !== undefined) world.uids.set(label, uid)
}

async function search(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const filter = {
    rid: given.rid,
    email: given.email,
    user_ref: world.text(given.ref),
    tag: given.tag,
    show_expired: given.expired === 'yes',
  }
  const { status, body } = await world.call(shop, 'GET', '/r2/access/search', filter)
  requireThat(shop.isArchived || status === 200, 'status', `a search answered ${status}`)
  const { total, data } = body as { total?: number; data?: { rid: string }[] }
  requireThat(total === data?.length, 'agreement', 'a search counts other records than it shows')
  return `${total} ${(data ?? []).map(({ rid }) => rid).sort()}`
}

/** The last line of the response to an import. */
const resultOf = (text: string): { rows: number; refused: number } =>
  JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').done

async function importBy(
  world: World,
  shop: Shop,
  csv: string,
  { via, events }: Args,
): Promise<{ status: number; refused: number }> {
  if (via !== 'cli') {
    const type = 'application/octet-stream'
    const path = `/access/import${events === 'yes' ? '?events=true' : ''}`
    const { status, text } = await world.staff(shop, 'POST', path, csv, type)
    return { status, refused: status === 200 ? resultOf(text).refused : 0 }
  }
  const file = world.system.newFile('csv')
  writeFileSync(file, csv)
  const told = events === 'yes' ? ['--events'] : []
  const { code } = await world.command('access', 'import', file, '--aid', shop.aid, ...told)
  return { status: 200, refused: code === 0 ? 0 : 1 }
}

/** Imports a file with one grant, as staff upload it. */
async function importRows(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { rid = 'r1', email = '', days } = given
  const userRef = world.text(given.ref)
  if (given.ref !== undefined && userRef === undefined) return NOT_APPLICABLE
  const expires = days === undefined ? undefined : world.now + Number(days) * DAY
  const csv = `rid,email,user_ref,expires\n${rid},${email},${userRef ?? ''},${expires ?? ''}\n`
  await catchUp(world, shop)
  const { status, refused } = await importBy(world, shop, csv, given)
  if (userRef !== undefined) shop.names.add(userRef)
  if (status !== 200) return `${status}`
  const expected = shop.reference.grant(rid, email, userRef, expires ?? FOREVER)
  const isAsExpected = (refused === 0) === (expected.status === 200)
  const kind = 'an import takes what a grant would refuse, or refuses what it takes'
  requireThat(isAsExpected, 'reference', kind, () => ({ given, refused }))
  await syncModel(world)
  const uid = expected.person?.uid
  if (given.events !== 'yes' && uid !== undefined) shop.consumer.importedSilently.add(uid)
  return `${status} ${refused}`
}

/** Exports all access, and previews the import of that file. */
async function exportAndImport(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { status, text } = await world.staff(shop, 'GET', '/access/export.csv')
  if (status !== 200) return `${status}`
  const type = 'application/octet-stream'
  const again = await world.staff(shop, 'POST', '/access/import?dry_run=true', text, type)
  if (again.status !== 200) return `${again.status}`
  const { rows, refused } = resultOf(again.text)
  return `${again.status} ${rows} ${refused}`
}

const tagged = (chance: boolean, tag: string) => (chance ? tag : undefined)

export const accessKinds: readonly OperationKind[] = [
  {
    name: 'grant',
    weight: 14,
    reaches: ['POST /r2/access/grant', 'gatehouse access grant', 'staff POST /access/grant'],
    draw: (draw) => ({
      label: draw.label('person'),
      args: args({
        ...draw.resource(),
        email: draw.email(),
        ref: draw.chance(0.5) ? draw.ref() : undefined,
        days: draw.chance(0.5) ? draw.pick(['-1', '3', '30', '90']) : undefined,
        tags: tagged(draw.chance(0.2), draw.pick(['gold', 'gold,press'])),
        via: draw.chance(0.25)
          ? draw.pick(['dashboard', 'dashboard', 'dashboard', 'cli'])
          : undefined,
      }),
    }),
    play: grant,
  },
  {
    name: 'search',
    weight: 3,
    reaches: ['GET /r2/access/search'],
    draw: (draw) => ({
      args: args({
        app: draw.app(),
        rid: draw.chance(0.3) ? draw.rid() : undefined,
        email: draw.chance(0.2) ? draw.email() : undefined,
        ref: draw.chance(0.3) ? draw.ref() : undefined,
        tag: tagged(draw.chance(0.2), 'gold'),
        expired: draw.chance(0.3) ? 'yes' : undefined,
      }),
    }),
    play: search,
  },
  {
    name: 'import',
    weight: 2,
    reaches: ['staff POST /access/import', 'gatehouse access import'],
    draw: (draw) => ({
      args: args({
        ...draw.resource(),
        email: draw.email(),
        ref: draw.chance(0.5) ? draw.ref() : undefined,
        days: draw.chance(0.5) ? '30' : undefined,
        via: draw.chance(0.1) ? 'cli' : undefined,
        events: draw.chance(0.6) ? 'yes' : undefined,
      }),
    }),
    play: importRows,
  },
  {
    name: 'export',
    weight: 1,
    reaches: ['staff GET /access/export.csv'],
    draw: (draw) => ({ args: { app: draw.app() } }),
    play: exportAndImport,
  },
]
