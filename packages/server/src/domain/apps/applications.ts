import type { ControlDatabase, Db, Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { ApplicationTable, Millis, Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newAid } from '../../ids.ts'
import { recordHistory } from '../history/history.ts'
import { addApplicationKey, bumpKeysVersion, type NewKey } from './keys.ts'
import type { MasterKey } from './master-key.ts'

/** The settings that staff can change here; the logo is stored with its image. */
export type ApplicationSettings = Omit<ApplicationTable, 'aid' | 'created' | 'archived' | 'logo_id'>

/** Reserves an AID that is unique across all environments. It stays reserved even if it is never used. */
export async function reserveAid(control: ControlDatabase, environment: string): Promise<string> {
  return await control.write(async (trx) => {
    const aid = newAid()
    await trx.insertInto('aids').values({ aid, environment }).execute()
    return aid
  })
}

export async function getEnvironmentOfAid(control: ControlDatabase, aid: string): Promise<string> {
  const row = await control.read
    .selectFrom('aids')
    .select('environment')
    .where('aid', '=', aid)
    .executeTakeFirst()
  if (!row) throw fail('application_not_found', `No application has the AID ${aid}.`)
  return row.environment
}

export interface NewApplication extends Partial<ApplicationSettings> {
  aid: string
  name: string
}

export async function createApplication(
  trx: Trx,
  masterKey: MasterKey,
  input: NewApplication,
  clocks: { now: Seconds; realTime: Millis },
  actor: string,
): Promise<NewKey> {
  const row: ApplicationTable = {
    aid: input.aid,
    name: input.name,
    currency: input.currency ?? 'USD',
    mail_from: input.mail_from ?? null,
    mail_template: input.mail_template ?? null,
    created: clocks.now,
    archived: null,
    seller_name: input.seller_name ?? null,
    seller_address: input.seller_address ?? null,
    tax_line: input.tax_line ?? null,
    return_urls: input.return_urls ?? '[]',
    grace_days: input.grace_days ?? 7,
    logo_id: null,
    accent: input.accent ?? null,
    support_email: input.support_email ?? null,
    legal_links: input.legal_links ?? '{}',
    mail_templates: input.mail_templates ?? '{}',
    time_zone: input.time_zone ?? 'UTC',
    require_ts: input.require_ts ?? 0,
  }
  await trx.insertInto('applications').values(row).execute()
  // Any position is right while there are no records. This one is near those that follow.
  const mark = { aid: input.aid, ends: clocks.now, access_id: '' }
  await trx.insertInto('access_watermarks').values(mark).execute()
  const key = await addApplicationKey(trx, masterKey, input.aid, clocks.realTime)
  const { name, currency } = row
  await recordHistory(trx, [
    {
      aid: input.aid,
      at: clocks.now,
      actor,
      action: 'application created',
      after: { name, currency },
    },
  ])
  return key
}

export async function listApplications(db: Db): Promise<ApplicationTable[]> {
  return await db.selectFrom('applications').selectAll().orderBy('created').orderBy('aid').execute()
}

const selectApplication = (db: Db, aid: string) =>
  db.selectFrom('applications').selectAll().where('aid', '=', aid)

export async function getApplication(db: Db, aid: string): Promise<ApplicationTable> {
  return await selectApplication(db, aid).executeTakeFirstOrThrow(() =>
    fail('application_not_found'),
  )
}

/** Locks the row, so that concurrent changes can't record the same `before`. */
export async function lockApplication(trx: Trx, aid: string): Promise<ApplicationTable> {
  return await selectApplication(trx, aid)
    .forUpdate()
    .executeTakeFirstOrThrow(() => fail('application_not_found'))
}

/** Stores the settings that differ from what they were. If none does, there is no change to record. */
export async function changeSettings(
  trx: Trx,
  aid: string,
  settings: Partial<ApplicationSettings>,
  now: Seconds,
  actor: string,
): Promise<ApplicationTable> {
  const before = await lockApplication(trx, aid)
  const changed = changedSettings(before, settings)
  if (changed.length === 0) return before
  await updateRows(trx, 'applications', { aid }, settings)
  // Every process keeps this setting with the keys.
  if (changed.includes('require_ts')) await bumpKeysVersion(trx)
  const after = await getApplication(trx, aid)
  await recordHistory(trx, [{ aid, at: now, actor, action: 'settings changed', before, after }])
  return after
}

/** Lists the settings that would change. */
export const changedSettings = (
  before: ApplicationTable,
  settings: Partial<ApplicationSettings>,
): (keyof ApplicationSettings)[] =>
  (Object.keys(settings) as (keyof ApplicationSettings)[]).filter(
    (name) => settings[name] !== before[name],
  )

/** The API treats an archived application as unknown. Its records stay. */
export async function archiveApplication(
  trx: Trx,
  aid: string,
  now: Seconds,
  actor: string,
): Promise<ApplicationTable> {
  const app = await lockApplication(trx, aid)
  if (app.archived !== null) return app
  await updateRows(trx, 'applications', { aid }, { archived: now })
  await bumpKeysVersion(trx)
  await recordHistory(trx, [{ aid, at: now, actor, action: 'application archived' }])
  return { ...app, archived: now }
}
