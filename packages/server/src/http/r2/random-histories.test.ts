import { ApiError } from '@gatehouse/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import type { TestApplication } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'

interface Grant {
  do: 'grant'
  rid: string
  email: string
  user_ref: string | undefined
  /** Seconds from now; undefined for no end. */
  lasts: number | undefined
  message: string | undefined
  suppress: boolean
}
type Step =
  | Grant
  | { do: 'revoke'; rid: string; user_ref: string }
  | { do: 'wait'; seconds: number }

const rid = fc.constantFrom('r1', 'r2')
/** References; with an `@`, the uid of the user with this address. */
const ref = fc.constantFrom('a', 'b', 'c', 'a@example.com', 'b@example.com')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      rid: fc.oneof({ weight: 9, arbitrary: rid }, { weight: 1, arbitrary: fc.constant('none') }),
      email: fc.constantFrom('a@example.com', 'A@Example.com', 'b@example.com'),
      user_ref: fc.option(ref, { nil: undefined }),
      lasts: fc.option(fc.constantFrom(-5, 0, 5, 20), { nil: undefined }),
      message: fc.option(fc.constantFrom('hi', 'ho'), { nil: undefined }),
      suppress: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('revoke' as const), rid, user_ref: ref }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.nat({ max: 10 }) }),
  },
)

/** A minimal second implementation of the rules, without a database. */
class Model {
  /** The email key that each user_ref belongs to. */
  readonly refs = new Map<string, string>()
  /** The email key that each uid belongs to. */
  readonly uids = new Map<string, string>()
  /** Keyed by email key and resource. */
  readonly records = new Map<string, { ends: number; message: string; notified: boolean }>()
  mails = 0

  /** What a step's reference stands for: before there is the user of a uid, for another reference. */
  named(ref: string): string {
    if (!ref.includes('@')) return ref
    return [...this.uids].find(([, email]) => email === ref)?.[0] ?? 'c'
  }

  /** The email key of the user whom a user_ref names: their own uid does so too, whatever references they have. */
  owner(user_ref: string): string | undefined {
    return this.refs.get(user_ref) ?? this.uids.get(user_ref)
  }

  grant(input: Grant, now: number): number {
    if (input.rid === 'none') return 404
    const email = input.email.toLowerCase()
    const { user_ref } = input
    if (user_ref !== undefined && (this.owner(user_ref) ?? email) !== email) return 402
    if (user_ref !== undefined && !this.uids.has(user_ref)) this.refs.set(user_ref, email)
    const key = `${email} ${input.rid}`
    const ends = input.lasts === undefined ? Number.POSITIVE_INFINITY : now + input.lasts
    const message = input.message ?? ''
    const old = this.records.get(key)
    const notified = old?.ends === ends && old.message === message && old.notified
    // A grant that is over already is no news, unless it ends an earlier one.
    const notify = !input.suppress && Math.max(ends, old?.ends ?? 0) > now
    if (notify && !notified) this.mails++
    this.records.set(key, { ends, message, notified: notified || notify })
    return 200
  }

  revoke(rid: string, user_ref: string): number {
    return this.records.delete(`${this.owner(user_ref)} ${rid}`) ? 200 : 404
  }

  /** Returns what a lookup by user_ref must find: the end of the live record. */
  look(rid: string, user_ref: string, now: number): number | undefined {
    const record = this.records.get(`${this.owner(user_ref)} ${rid}`)
    return record && now < record.ends ? record.ends : undefined
  }
}

async function statusOf(answer: Promise<unknown>): Promise<number> {
  return await answer.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )
}

describe.each(databases)('Random histories on $name', (database) => {
  const service = useService(database)

  async function perform(app: TestApplication, model: Model, one: Step): Promise<void> {
    const now = service.clock.seconds
    if (one.do === 'wait') return service.clock.advance(one.seconds)
    if (one.do === 'revoke') {
      const { rid } = one
      const user_ref = model.named(one.user_ref)
      const status = await statusOf(app.client.revokeAccess({ rid, user_ref }))
      expect(status).toBe(model.revoke(rid, user_ref))
      return
    }
    const { rid, email, lasts, message, suppress } = one
    const user_ref = one.user_ref && model.named(one.user_ref)
    const given = {
      rid,
      email,
      suppress_email: suppress,
      ...(user_ref === undefined ? {} : { user_ref }),
      ...(lasts === undefined ? {} : { expiration: now + lasts }),
      ...(message === undefined ? {} : { message }),
    }
    const status = await statusOf(app.client.grantAccess(given))
    expect(status).toBe(model.grant({ ...one, user_ref }, now))
  }

  async function compare(app: TestApplication, model: Model): Promise<void> {
    const now = service.clock.seconds
    const { data } = await app.client.searchAccess({ show_expired: true })
    for (const { uid, user_email } of data) model.uids.set(uid, user_email.toLowerCase())
    const shown = data.map(({ user_email, rid, expires = Number.POSITIVE_INFINITY }) => [
      `${user_email.toLowerCase()} ${rid}`,
      expires,
    ])
    const expected = [...model.records].map(([key, { ends }]) => [key, ends])
    expect(shown.sort()).toEqual(expected.sort())
    for (const user_ref of [...model.refs.keys(), ...model.uids.keys()]) {
      const found = await app.client.findAccess({ rid: 'r1', user_ref })
      const end = found && (found.expires ?? Number.POSITIVE_INFINITY)
      expect(end).toBe(model.look('r1', user_ref, now))
    }
    const mails = await app.environment.database.read
      .selectFrom('outbox')
      .select('id')
      .where('aid', '=', app.aid)
      .execute()
    expect(mails).toHaveLength(model.mails)
  }

  it('end every step where a small model of the rules ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const app = await service.newApplication()
        for (const rid of ['r1', 'r2']) await app.addResource(rid)
        const model = new Model()
        for (const one of steps) {
          await perform(app, model, one)
          await compare(app, model)
        }
        await service.requireInvariants()
      }),
      { numRuns: 12, interruptAfterTimeLimit: 12_000, markInterruptAsFailure: false },
    )
  })
})
