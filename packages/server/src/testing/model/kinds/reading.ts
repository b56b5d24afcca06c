import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import { RESOURCES, type Shop } from '../shop.ts'
import type { World } from '../world.ts'

/** The arguments of a command: the application, and if needed a resource and a person. */
type Options = (shop: Shop, rid: string, userRef: string) => string[]

const ofApp: Options = ({ aid }) => ['--aid', aid]
const ofRecord: Options = ({ aid }, rid, userRef) => [
  ...['--aid', aid, '--rid', rid, '--user-ref', userRef],
]
const ofResource: Options = ({ aid }, rid) => ['--aid', aid, '--rid', rid]
const ofPerson: Options = ({ aid }, _rid, userRef) => [userRef, '--aid', aid, '--user-ref']
const plain: Options = () => []

/** Commands that only read. In every state, each must succeed or refuse with a message of one line. */
const COMMANDS: Readonly<Record<string, Options>> = {
  'access show': ofRecord,
  'access why': ofRecord,
  'access search': ofApp,
  'access history': ofRecord,
  'access export': ofApp,
  'app list': plain,
  'app show': ({ aid }) => [aid],
  'clock show': plain,
  'download list': ofApp,
  'download show': ofResource,
  'link create': ofResource,
  'download deliveries': ofApp,
  'mail list': ofApp,
  'payment list': ofApp,
  'price list': ofApp,
  'resource list': ofApp,
  'resource show': ofResource,
  'staff list': plain,
  'token list': plain,
  'webhook list': ofApp,
  'subscription list': ofApp,
  'subscription show': ofRecord,
  'subscription link': ofRecord,
  'user show': ofPerson,
  'user export': ofPerson,
}

async function read(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  const { command = 'access why', rid = 'r1' } = given
  const options = COMMANDS[command]
  if (userRef === undefined || !options) return NOT_APPLICABLE
  const { code, stderr } = await world.command(
    ...command.split(' '),
    ...options(shop, rid, userRef),
  )
  const isPlain = code === 0 || /^gatehouse: [^\n]*\n$/.test(stderr)
  requireThat(isPlain, 'status', `gatehouse ${command} does not say what is wrong`, () => stderr)
  return `${code}`
}

/** The request that makes up nearly all traffic; the oracles send it too. */
async function check(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  if (userRef === undefined) return NOT_APPLICABLE
  shop.names.add(userRef)
  const input = { rid: given.rid, user_ref: userRef, show_expired: given.expired === 'yes' }
  const { status } = await world.call(shop, 'GET', '/r2/access', input)
  return `${status}`
}

interface Explained {
  checks: { granted: boolean; sources: { kind: string; id: string }[] }[]
}

const ACTIONS: Readonly<Record<string, string>> = {
  grant: 'revoke',
  purchase: 'refund',
  subscription: 'cancel',
}

/** Asks why, and what an action on one of the sources would change. The action must not be carried out. */
async function explain(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const userRef = world.text(given.ref)
  if (userRef === undefined) return NOT_APPLICABLE
  const ask = (more = {}) =>
    world.call(shop, given.by === 'post' ? 'POST' : 'GET', '/r2/access/check', {
      ...{ user_ref: userRef, rids: RESOURCES.join(' '), ...more },
    })
  const before = await ask()
  if (before.status !== 200) return `${before.status}`
  const { checks } = before.body as unknown as Explained
  const source = checks.find(({ granted }) => granted)?.sources.at(-1)
  if (source === undefined) return 'refused'
  const previewed = await ask({ if: `${ACTIONS[source.kind]}:${source.id}` })
  const isPlain = previewed.status === 200 || previewed.status === 402
  requireThat(isPlain, 'status', `a preview answered ${previewed.status}`, () => previewed.text)
  const after = await ask()
  const isSame =
    JSON.stringify((after.body as unknown as Explained).checks) === JSON.stringify(checks)
  requireThat(
    isSame || isTicking(before, after),
    'agreement',
    'a preview changed something',
    () => ({
      ...{ before: before.text, previewed: previewed.text, after: after.text },
    }),
  )
  return `${previewed.status}`
}

/** Whether a second passed between two answers, in which something may have ended. */
const isTicking = (one: { body: unknown }, other: { body: unknown }) =>
  (one.body as { now: number }).now !== (other.body as { now: number }).now

export const readingKinds: readonly OperationKind[] = [
  {
    name: 'check',
    weight: 2,
    reaches: ['GET /r2/access', 'gatehouse doctor'],
    draw: (draw) => ({
      args: args({
        ...draw.resource(),
        ref: draw.ref(0.5),
        expired: draw.chance(0.3) ? 'yes' : undefined,
      }),
    }),
    play: check,
  },
  {
    name: 'explain',
    weight: 1,
    reaches: ['GET /r2/access/check', 'POST /r2/access/check', 'GET /r2/access/list'],
    draw: (draw) => ({
      args: args({
        app: draw.app(),
        ref: draw.ref(0.2),
        by: draw.chance(0.5) ? 'post' : undefined,
      }),
    }),
    play: explain,
  },
  {
    name: 'read',
    weight: 1,
    reaches: Object.keys(COMMANDS).map((command) => `gatehouse ${command}`),
    draw: (draw) => ({
      args: args({
        app: draw.app(),
        command: draw.pick(Object.keys(COMMANDS)),
        rid: draw.rid(),
        ref: draw.ref(),
      }),
    }),
    play: read,
  },
]
