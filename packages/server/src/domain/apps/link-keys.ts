import { randomBytes } from 'node:crypto'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { deleteRows } from '../../db/queries/rows.ts'
import type { LinkKeyTable, Millis } from '../../db/tables.ts'
import { FIRST_VERSION, type LinkKey } from '../../signing/link-versions.ts'
import { bumpKeysVersion } from './keys.ts'
import type { MasterKey } from './master-key.ts'
import { getOrCreateSecret, replaceSecret } from './secrets.ts'

/** What links are for: pages about a reader's own things, and downloads. Each has keys of its own. */
const PURPOSES = ['links', 'downloads'] as const
export type LinkPurpose = (typeof PURPOSES)[number]

/** Ended whatever the clock says: one that is set back must not revive a key. */
const ALREADY_ENDED: Millis = 0

/** The name of the key in `secrets`. */
export const linkSecretName = (purpose: LinkPurpose, version: number): string =>
  version === FIRST_VERSION ? purpose : `${purpose} ${version}`

const isLive = ({ ends }: LinkKeyTable, now: Millis) => ends === null || ends > now

async function listVersions(db: Db): Promise<LinkKeyTable[]> {
  const rows = await db.selectFrom('link_keys').selectAll().orderBy('version').execute()
  return rows.length > 0 ? rows : [{ version: FIRST_VERSION, created: 0, ends: null }]
}

export interface LinkRotation {
  version: number
  /** When the links so far stop to work; 0 if at once. */
  ends: Millis
}

/** Makes new keys, which sign all links from now on. Links so far work for the overlap. Returns undefined, and changes
 * nothing, if those before are still in an overlap: at most two versions are live. Without an overlap, all of them end. */
export async function rotateLinkKeys(
  trx: Trx,
  masterKey: MasterKey,
  overlap: Millis,
  now: Millis,
): Promise<LinkRotation | undefined> {
  // First, so that two rotations follow each other, and a rotation of the master key misses no secret.
  await bumpKeysVersion(trx)
  const known = await listVersions(trx)
  if (overlap > 0 && known.filter((one) => isLive(one, now)).length > 1) return undefined
  const newest = Math.max(...known.map(({ version }) => version))
  for (const one of known) await forgetIfEnded(trx, one, now)
  const ends = overlap > 0 ? now + overlap : ALREADY_ENDED
  for (const { version, created } of known.filter((one) => isLive(one, now))) {
    await trx
      .insertInto('link_keys')
      .values({ version, created, ends })
      .onConflict((conflict) => conflict.column('version').doUpdateSet({ ends }))
      .execute()
  }
  const version = newest + 1
  for (const purpose of PURPOSES) {
    const text = randomBytes(32).toString('base64url')
    await replaceSecret(trx, masterKey, linkSecretName(purpose, version), text)
  }
  await trx.insertInto('link_keys').values({ version, created: now, ends: null }).execute()
  return { version, ends }
}

/** The keys of the first version stay: one of them also made the digests that show who has had a trial. */
async function forgetIfEnded(trx: Trx, one: LinkKeyTable, now: Millis): Promise<void> {
  if (isLive(one, now)) return
  const { version } = one
  await deleteRows(trx, 'link_keys', { version })
  if (version === FIRST_VERSION) return
  for (const purpose of PURPOSES) {
    await deleteRows(trx, 'secrets', { name: linkSecretName(purpose, version) })
  }
}

/** Ends the keys of earlier versions at once. Returns how many were live. */
export async function endOldLinkKeys(trx: Trx, now: Millis): Promise<number> {
  await bumpKeysVersion(trx)
  const old = (await listVersions(trx)).filter((one) => one.ends !== null && isLive(one, now))
  for (const { version } of old) {
    await trx
      .updateTable('link_keys')
      .set({ ends: ALREADY_ENDED })
      .where('version', '=', version)
      .execute()
  }
  return old.length
}

/** An ended key still tells links that were ours from links that never were. */
export interface FoundLinkKey extends LinkKey {
  isEnded: boolean
}

/** The keys of one purpose, as this process knows them. */
export interface LinkKeys {
  /** The key that signs new links. */
  current(): Promise<LinkKey>
  find(version: number): Promise<FoundLinkKey | undefined>
}

/** Another process may have replaced the keys. A key that was ended must stop to work everywhere within 5 s. */
const FRESH_MS = 2_000

/** An unknown version may be a new one: then the versions are read again, if they are older than this. */
const UNKNOWN_FRESH_MS = 100

export function createLinkKeys(
  database: EnvironmentDatabase,
  masterKey: MasterKey,
  realTime: () => Millis,
): (purpose: LinkPurpose) => LinkKeys {
  let versions: LinkKeyTable[] = []
  // Monotonic, so that setting the clock back can't keep an ended key alive.
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(maxAge: number): Promise<void> {
    if (performance.now() - readAt < maxAge) return
    const startedAt = performance.now()
    versions = await listVersions(database.read)
    readAt = startedAt
  }

  return (purpose) => {
    const secrets = new Map<number, Buffer>()
    async function secretOf(version: number): Promise<Buffer> {
      const known = secrets.get(version)
      if (known) return known
      const secret = await getOrCreateSecret(database, masterKey, linkSecretName(purpose, version))
      secrets.set(version, secret)
      return secret
    }
    return {
      async current() {
        await refresh(FRESH_MS)
        const { version } = versions.at(-1) as LinkKeyTable
        return { version, key: await secretOf(version) }
      },
      async find(version) {
        await refresh(FRESH_MS)
        const isKnown = () => versions.find((one) => one.version === version)
        if (!isKnown()) await refresh(UNKNOWN_FRESH_MS)
        const found = isKnown()
        if (!found) return undefined
        return { version, key: await secretOf(version), isEnded: !isLive(found, realTime()) }
      },
    }
  }
}
