import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { deliver, expectFromNow, type Hook, type RoughMode } from '../hooks.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import type { World } from '../world.ts'

const TYPES = ['*', 'user.access_changed', 'access.*', 'payment.*'] as const

/** Creates an endpoint at a path of its own. */
async function create(world: World, given: Args, label: string | undefined): Promise<string> {
  const shop = world.shop(given.app)
  const { types = '*' } = given
  const isRough = given.rough === 'yes'
  const path = `/${isRough ? 'rough' : 'healthy'}/${shop.aid}/${label}`
  const url = world.system.receiver.url + path
  const id =
    given.via === 'cli'
      ? await createByCommand(world, shop.aid, url, types)
      : await createByStaff(world, shop, url, types)
  const isExpected = (id !== undefined) === (given.via === 'cli' || !shop.isArchived)
  requireThat(isExpected || world.wasCut, 'webhooks', 'an endpoint could not be made')
  if (id === undefined) return 'refused'
  const hook: Hook = { shop, id, path, isRough, types, from: undefined }
  // Nothing has happened since it was made, unless others work at the same time.
  await expectFromNow(world, hook)
  world.hooks.set(label as string, hook)
  return 'created'
}

async function createByStaff(
  world: World,
  shop: Hook['shop'],
  url: string,
  types: string,
): Promise<string | undefined> {
  const input = { url, types: [types], description: '' }
  const { body } = await world.staff(shop, 'POST', '/webhooks', input)
  return (body.webhook as { id: string } | undefined)?.id
}

async function createByCommand(
  world: World,
  aid: string,
  url: string,
  types: string,
): Promise<string | undefined> {
  const input = ['--aid', aid, '--url', url, '--types', types, '--json']
  const { code, stdout } = await world.command('webhook', 'create', ...input)
  return code === 0 ? (JSON.parse(stdout) as { id: string }).id : undefined
}

const CHANGES = ['set', 'rotate-secret', 'disable', 'enable', 'delete', 'show'] as const
type Change = (typeof CHANGES)[number]

/** The request of the dashboard for each change. */
const REQUESTS: Readonly<Record<Change, (types: string) => [string, string, object?]>> = {
  set: (types) => ['PATCH', '', { types: [types] }],
  'rotate-secret': () => ['POST', '/rotate', { overlap: 3_600 }],
  disable: () => ['POST', '/disable', {}],
  enable: () => ['POST', '/enable', {}],
  delete: () => ['DELETE', ''],
  show: () => ['GET', ''],
}

/** Changes an endpoint. What it had to get before is sent first, so that it is clear what it must have got. */
async function change(world: World, given: Args): Promise<string> {
  const hook = world.hooks.get(given.hook ?? '')
  const { how = 'show', types = '*', via } = given as Args & { how?: Change }
  if (!hook) return NOT_APPLICABLE
  await deliver(world, 'ok')
  const isDone =
    via === 'cli'
      ? await changeByCommand(world, hook, how, types)
      : await changeByStaff(world, hook, how, types)
  const isExpected = isDone === (via === 'cli' || how === 'show' || !hook.shop.isArchived)
  requireThat(isExpected || world.wasCut, 'webhooks', `an endpoint could not be changed: ${how}`)
  if (!isDone) return 'refused'
  if (how === 'delete') world.hooks.delete(given.hook as string)
  if (how === 'disable') hook.from = undefined
  if (how === 'set') hook.types = types
  if (how === 'set' && hook.from !== undefined) await expectFromNow(world, hook)
  if (how === 'enable' && hook.from === undefined) await expectFromNow(world, hook)
  return how
}

async function changeByStaff(
  world: World,
  { shop, id }: Hook,
  how: Change,
  types: string,
): Promise<boolean> {
  const [method, path, body] = REQUESTS[how](types)
  const { status } = await world.staff(shop, method, `/webhooks/${id}${path}`, body)
  return status === 200
}

async function changeByCommand(
  world: World,
  { id }: Hook,
  how: Change,
  types: string,
): Promise<boolean> {
  const more = how === 'set' ? ['--types', types] : []
  const { code } = await world.command('webhook', how, id, ...more)
  return code === 0
}

/** Sends a test, or an event that was sent before once more. */
async function resend(world: World, given: Args): Promise<string> {
  const hook = world.hooks.get(given.hook ?? '')
  if (!hook || hook.from === undefined || hook.shop.isArchived) return NOT_APPLICABLE
  const { shop, id, path } = hook
  const sent = world.system.receiver.received.filter((one) => one.path === path).at(-1)
  if (given.what === 'test' || !sent) {
    const { status } = await world.staff(shop, 'POST', `/webhooks/${id}/test`, {})
    requireThat(status === 200, 'webhooks', `a test of an endpoint answered ${status}`)
    return 'tested'
  }
  const resendPath = `/webhooks/${id}/deliveries/${sent.id}/resend`
  const { status } = await world.staff(shop, 'POST', resendPath, {})
  return `${status}`
}

/** Creates a token of the management API, which works until it is revoked. */
async function useToken(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const input = ['--name', 'CMS', '--role', given.role ?? 'support', '--aid', shop.aid, '--json']
  const { stdout } = await world.command('token', 'create', ...input)
  const { id, token } = JSON.parse(stdout) as { id: string; token: string }
  const ask = async (aid: string) => {
    const at = `/management/v1/production/applications/${aid}/access`
    const headers = { authorization: `Bearer ${token}` }
    return (await world.send('GET management access', world.system.url + at, { headers })).status
  }
  requireThat((await ask(shop.aid)) === 200, 'status', 'a token does not work')
  const other = Object.values(world.shops).find((one) => one !== shop) as Hook['shop']
  requireThat((await ask(other.aid)) >= 400, 'status', 'a token reads another application')
  const { code } = await world.command('token', 'revoke', id)
  requireThat(code === 0, 'status', "a token can't be revoked")
  requireThat((await ask(shop.aid)) === 401, 'status', 'a revoked token works')
  return 'revoked'
}

export const webhookKinds: readonly OperationKind[] = [
  {
    name: 'webhook',
    weight: 1,
    reaches: ['staff POST /webhooks', 'gatehouse webhook create'],
    draw: (draw) => ({
      label: draw.label('hook'),
      args: args({
        app: draw.app(),
        types: draw.pick(TYPES),
        rough: draw.chance(0.4) ? 'yes' : undefined,
        via: draw.chance(0.1) ? 'cli' : undefined,
      }),
    }),
    play: create,
  },
  {
    name: 'change-webhook',
    weight: 1,
    reaches: [
      'staff PATCH /webhooks/:id',
      'staff DELETE /webhooks/:id',
      'staff POST /webhooks/:id/rotate',
      'staff POST /webhooks/:id/disable',
      'staff POST /webhooks/:id/enable',
      ...CHANGES.map((how) => `gatehouse webhook ${how}`),
    ],
    draw(draw) {
      const { hook } = draw.labels
      if (hook.length === 0) return undefined
      const how = draw.pick(CHANGES)
      const types = how === 'set' ? draw.pick(TYPES) : undefined
      const via = draw.chance(0.15) ? 'cli' : undefined
      return { args: args({ hook: draw.pick(hook), how, types, via }) }
    },
    play: change,
  },
  {
    name: 'resend',
    weight: 0.5,
    reaches: ['staff POST /webhooks/:id/test', 'staff POST /webhooks/:id/deliveries/:event/resend'],
    draw(draw) {
      const { hook } = draw.labels
      if (hook.length === 0) return undefined
      const what = draw.chance(0.3) ? 'test' : undefined
      return { args: args({ hook: draw.pick(hook), what }) }
    },
    play: resend,
  },
  {
    name: 'deliver',
    weight: 4,
    reaches: ['GET /r2/event/search'],
    draw: (draw) => ({
      args: args({ mode: draw.pick(['ok', 'ok', 'refuse', 'refuse', 'refuse', 'gone']) }),
    }),
    async play(world, { mode = 'ok' }) {
      await deliver(world, world.system.isConcurrent ? 'ok' : (mode as RoughMode))
      return 'sent'
    },
  },
  {
    name: 'token',
    weight: 0.3,
    reaches: ['gatehouse token create', 'gatehouse token revoke'],
    draw: (draw) => ({
      args: args({ app: draw.app(), role: draw.pick(['developer', 'support', 'viewer']) }),
    }),
    play: useToken,
  },
]
