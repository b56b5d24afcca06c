import { sweepEvents } from '../../../domain/events/retention.ts'
import { args } from '../draw.ts'
import { catchUp } from '../event-oracles.ts'
import { requireThat } from '../failure.ts'
import { expectFromNow } from '../hooks.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Args } from '../script.ts'
import { RESOURCES, type Shop } from '../shop.ts'
import { syncModel } from '../sync-model.ts'
import type { World } from '../world.ts'

async function archive(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { rid = 'r1' } = given
  const verb = given.back === 'yes' ? 'restore' : 'archive'
  const { status } = await world.staff(shop, 'POST', `/resources/${rid}/${verb}`, {})
  if (status !== 200) return `${status}`
  if (verb === 'archive') shop.reference.archived.add(rid)
  else shop.reference.archived.delete(rid)
  return `${status}`
}

async function archiveApplication(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const { code } = await world.command('app', 'archive', shop.aid)
  // The change came from outside the server, which reloads its keys within a minute.
  world.system.moveClock(60)
  await world.system.env.keyring.refresh()
  requireThat(code === 0 || shop.isArchived, 'status', "an application can't be archived")
  if (code === 0) shop.isArchived = true
  return `${code}`
}

async function rotateKey(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const privateKey = await (given.via === 'cli' ? rotateByCommand : rotateByStaff)(world, shop)
  if (privateKey !== undefined) shop.privateKey = privateKey
  return privateKey === undefined ? 'refused' : 'rotated'
}

async function rotateByStaff(world: World, shop: Shop): Promise<string | undefined> {
  const { body } = await world.staff(shop, 'POST', '/keys/rotate', { overlap: 3_600 })
  return body.private_key as string | undefined
}

async function rotateByCommand(world: World, { aid }: Shop): Promise<string | undefined> {
  const { code, stdout } = await world.command(
    'app',
    'rotate-key',
    aid,
    '--overlap',
    '1h',
    '--json',
  )
  if (code !== 0) return undefined
  return (JSON.parse(stdout) as { private_key: string }).private_key
}

async function backup(world: World, _given: Args, label: string | undefined): Promise<string> {
  const file = world.system.newFile('backup')
  const { code, stderr } = await world.command('backup', file)
  requireThat(code === 0, 'status', 'a backup failed', () => stderr)
  world.system.keepMasterKey(file)
  const shops = Object.values(world.shops).map(({ privateKey, reference, isArchived }) => ({
    ...{ privateKey, isArchived, reference: reference.copy() },
  }))
  const learned = new Set(world.learned)
  world.backups.set(label as string, { file, shops, learned })
  return 'written'
}

/** Restores an older state. Only the provider knows what was sold since, and the reference model can't predict what the
 * service makes of that. */
async function restore(world: World, given: Args): Promise<string> {
  const snapshot = world.backups.get(given.backup as string)
  if (!snapshot) return NOT_APPLICABLE
  if (given.site === 'reads') await readAll(world)
  world.system.moveClock(RESTORE_S)
  await world.system.restore(snapshot.file)
  world.wasRestored = true
  // A backup doesn't know which links were ended after it.
  world.links = []
  // Some of them are not in the backup: repeated, they would take effect again, as they should.
  world.writes.all.length = 0
  // Their endpoints are gone, or may get events again.
  world.hooks.clear()
  for (const [i, shop] of Object.values(world.shops).entries()) {
    const { reference, ...rest } = snapshot.shops[i] as (typeof snapshot.shops)[number]
    Object.assign(shop, { ...rest, reference: reference.copy() })
    // The sites keep what they have heard of the time that is undone.
    shop.consumer.mayRepeat = true
    // What was shown since the backup may not be there any more.
    shop.shown.clear()
    markSalesUnsure(world, shop)
  }
  world.learned = new Set(snapshot.learned)
  if (given.site === 'reads-on-hold') await readAll(world)
  await resumeIfHeld(world)
  await world.work()
  return 'restored'
}

/** A restore takes a while. */
const RESTORE_S = 60

/** Lets all sites read what there is. */
async function readAll(world: World): Promise<void> {
  for (const shop of Object.values(world.shops)) await catchUp(world, shop)
}

/** Charges after the backup may be found again, and may then grant access. */
function markSalesUnsure(world: World, { reference }: Shop): void {
  for (const person of reference.people) {
    for (const rid of RESOURCES)
      reference.holding(person, rid).isUnsure ||= world.checkouts.size > 0
  }
}

/** Longer than the lease of a reconciliation. */
const LEASE_S = 600

/** A restored installation sends nothing out until it is resumed. If the provider fails, that is tried again. */
async function resumeIfHeld(world: World): Promise<void> {
  for (;;) {
    world.hasFailed = false
    const { code, stderr } = await world.command('resume', '--yes')
    if (code === 0) return
    if (stderr.includes('another reconciliation is under way')) {
      // The lease of one that was interrupted has to end first.
      world.system.moveClock(LEASE_S)
      continue
    }
    requireThat(world.hasFailed, 'status', "a restored installation can't be resumed", () => stderr)
  }
}

const KEPT_DAYS = 30

const SPANS = ['60', '600', '3600', '7200', '86400', '259200', '432000', '864000']

/** Runs `gatehouse payment reconcile`, which compares our records with the provider's. Not applicable if the command line
 * lacks this command. */
async function reconcile(world: World): Promise<string> {
  const { stdout } = await world.command('payment', '--help')
  if (!/^ {2}reconcile\b/m.test(stdout)) return NOT_APPLICABLE
  const { code, stderr } = await world.command('payment', 'reconcile')
  requireThat(code === 0 || world.hasFailed, 'status', 'reconciling failed', () => stderr)
  await syncModel(world)
  return `${code}`
}

/** Encrypts all private keys with a new master key, while the server runs. */
async function rotateMaster(world: World): Promise<string> {
  const { code, stderr } = await world.command('key', 'rotate-master')
  requireThat(code === 0, 'status', "the master key can't be rotated", () => stderr)
  return `${code}`
}

/** Replaces the keys that sign readers' links, while the server runs. Links so far work longer than any history lasts. */
async function rotateLinks(world: World): Promise<string> {
  const { code, stderr } = await world.command('key', 'rotate-links', '--overlap', '3650d')
  const isSecond = stderr.includes('two live keys')
  requireThat(code === 0 || isSecond, 'status', "the keys of links can't be rotated", () => stderr)
  return isSecond ? 'refused' : 'rotated'
}

/** Deletes old events after every site has read them. An endpoint that has not got them by then never will. */
async function sweep(world: World): Promise<string> {
  for (const shop of Object.values(world.shops)) await catchUp(world, shop)
  await world.system.sendWebhooks()
  const { database, realTime } = world.system.env
  let hasSwept = false
  while ((await sweepEvents(database, KEPT_DAYS, realTime())) > 0) hasSwept = true
  for (const hook of world.hooks.values()) {
    if (hasSwept && hook.from !== undefined) await expectFromNow(world, hook)
  }
  return 'swept'
}

export const runningKinds: readonly OperationKind[] = [
  {
    name: 'archive',
    weight: 2,
    reaches: ['staff POST /resources/:rid/archive', 'staff POST /resources/:rid/restore'],
    draw: (draw) => ({
      args: args({ ...draw.resource(), back: draw.chance(0.7) ? 'yes' : undefined }),
    }),
    play: archive,
  },
  {
    name: 'archive-app',
    weight: 0.03,
    reaches: ['gatehouse app archive'],
    draw: () => ({ args: { app: 'b' } }),
    play: archiveApplication,
  },
  {
    name: 'rotate-key',
    weight: 1,
    reaches: ['staff POST /keys/rotate', 'gatehouse app rotate-key'],
    draw: (draw) => ({
      args: args({ app: draw.app(), via: draw.chance(0.1) ? 'cli' : undefined }),
    }),
    play: rotateKey,
  },
  {
    name: 'rotate-master',
    weight: 0.1,
    reaches: ['gatehouse key rotate-master'],
    draw: () => ({ args: {} }),
    play: rotateMaster,
  },
  {
    name: 'rotate-links',
    weight: 0.2,
    reaches: ['gatehouse key rotate-links'],
    draw: () => ({ args: {} }),
    play: rotateLinks,
  },
  {
    name: 'reconcile',
    weight: 0.3,
    reaches: ['gatehouse payment reconcile'],
    draw: () => ({ args: {} }),
    play: reconcile,
  },
  {
    name: 'advance',
    weight: 8,
    reaches: [],
    draw: (draw) => ({
      args: { seconds: draw.chance(0.05) ? String(40 * 86_400) : draw.pick(SPANS) },
    }),
    async play(world, { seconds }) {
      await world.advance(Number(seconds))
      return 'later'
    },
  },
  {
    name: 'work',
    weight: 2,
    reaches: [],
    draw: () => ({ args: {} }),
    async play(world) {
      await world.work()
      return 'done'
    },
  },
  {
    name: 'sweep-events',
    weight: 0.3,
    reaches: [],
    draw: () => ({ args: {} }),
    play: sweep,
  },
  {
    name: 'backup',
    weight: 0.4,
    reaches: ['gatehouse backup'],
    draw: (draw) => ({ label: draw.label('backup'), args: {} }),
    play: backup,
  },
  {
    name: 'restore',
    weight: 0.3,
    reaches: ['gatehouse restore', 'gatehouse resume'],
    draw(draw) {
      const { backup: backups } = draw.labels
      if (backups.length === 0) return undefined
      const site = draw.pick(['reads', 'reads-on-hold', undefined])
      return { args: args({ backup: draw.pick(backups), site }) }
    },
    play: restore,
  },
]
